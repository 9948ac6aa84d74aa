// What the debugger's tests share: programs to step through, and a session that is given its commands.
#pragma once

#include <autograd/autograd.h>
#include <autograd/debug/step/terminal_debugger.h>
#include <autograd/tape/observer.h>
#include <nn/nn.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace fixtures {

// Runs a program under the debugger with these commands; returns all that the debugger printed.
inline std::string debugged(const std::vector<std::string>& script, const std::function<void()>& program) {
  std::ostringstream out;
  autograd::debug::StepThrough debugger(script, out);
  debugger.debugger().settings.kill = [] {};
  program();
  return out.str();
}

// Calls `look` where the debugger stands once these commands are done.
inline void look_after(const std::vector<std::string>& script, const std::function<void()>& program,
                       const std::function<void(const autograd::debug::Debugger&)>& look,
                       const std::string& stop_at = "backward") {
  std::ostringstream out;
  autograd::debug::Debugger* debugger = nullptr;
  std::size_t next = 0;
  const auto commands = [&]() -> std::optional<std::string> {
    if (next < script.size()) return script[next++];
    if (next++ == script.size()) look(*debugger);
    return {};
  };
  autograd::debug::StepThrough session(autograd::debug::lines_from(commands), out);
  debugger = &session.debugger();
  debugger->settings.kill = [] {};
  debugger->settings.stop_at = stop_at;
  program();
}

// Runs a program op by op, as a debugger does, for gradients with the same bits: fused ops add up in another order.
inline void run_op_by_op(const std::function<void()>& program) {
  autograd::Observer nobody;
  const autograd::ObserverGuard guard(nobody);
  program();
}

// What was answered to the last command of a transcript.
inline std::string last_answer(const std::string& transcript) {
  const std::size_t prompt = transcript.rfind("(backstep) ");
  const std::size_t begin = transcript.find('\n', prompt) + 1;
  return transcript.substr(begin, transcript.find("[no more commands", begin) - begin);
}

// The answer to the last of these commands.
inline std::string answer(const std::vector<std::string>& script, const std::function<void()>& program) {
  return last_answer(debugged(script, program));
}

// y = tanh(W x), loss = sum(y * y): small enough to be worked out by hand.
struct Chain {
  autograd::Tensor W = autograd::tensor({{0.5, -0.25, 1.0}, {0.125, 0.75, -0.5}}, autograd::float64);
  autograd::Tensor x = autograd::tensor({{1.0}, {2.0}, {-1.0}}, autograd::float64);
  Chain() { W.requires_grad_().set_name("W"); }
  void operator()() const {
    using autograd::Where;
    const autograd::Tensor h = autograd::matmul(W, x, Where::current("chain.cpp", 3)).set_name("h");
    const autograd::Tensor y = autograd::tanh(h, Where::current("chain.cpp", 4)).set_name("y2");
    const autograd::Tensor square = autograd::mul(y, autograd::Operand(y, Where::current("chain.cpp", 5)));
    square.sum({}, false, Where::current("chain.cpp", 5)).backward({}, {}, Where::current("chain.cpp", 5));
  }
};

// A GRU over `time` steps, attention over what it gives, and a loss.
struct SmallModel {
  explicit SmallModel(std::int64_t steps = 4) : time(steps) {
    x = autograd::randn({2, time, 3}).requires_grad_().set_name("x_in");
  }
  void operator()() const {
    const auto [output, state] = modules->rnn(x);
    const autograd::Tensor query = state.select(0, 0);
    const auto [context, weights] =
        modules->attention(query, output, autograd::length_mask({time, time > 1 ? time - 1 : 1}));
    context.pow(2).sum().backward();
  }
  std::vector<autograd::Tensor> gradients() const {
    std::vector<autograd::Tensor> result = {x.grad()};
    for (const auto& [name, parameter] : modules->named_parameters()) result.push_back(parameter.grad());
    return result;
  }

  struct Modules : nn::Module {
    nn::GRU rnn{{.input_size = 3, .hidden_size = 4, .batch_first = true}};
    nn::AdditiveAttention attention{{.decoder_dim = 4, .encoder_dim = 4, .attention_dim = 3}};
    Modules() {
      register_module("rnn", rnn);
      register_module("attention", attention);
    }
  };
  std::int64_t time;
  std::shared_ptr<Modules> modules = std::make_shared<Modules>();
  autograd::Tensor x;
};

// The same random numbers every time, so that two models are the same.
inline SmallModel seeded_model(std::int64_t steps = 4) {
  autograd::manual_seed(7);
  return SmallModel(steps);
}

inline bool same_bits(const std::vector<autograd::Tensor>& a, const std::vector<autograd::Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!autograd::debug::same_bits(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace fixtures
