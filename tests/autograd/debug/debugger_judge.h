// Awkward programs to step through with random commands, for debugger_fuzz.cpp and fuzz/targets/debugger.cpp. The
// judge: no crash, a refusal says what was expected, only text is shown, and every gradient keeps its bits.
#pragma once

#include <autograd/autograd.h>
#include <autograd/debug/step/terminal_debugger.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "tests/autograd/debug/debugger_fixture.h"

namespace fixtures {

// ---- programs -------------------------------------------------------------------------------------------------------

struct Program {
  std::function<void()> run;
  std::vector<autograd::Tensor> leaves;
};

inline Program chain() {
  const auto made = std::make_shared<Chain>();
  return {[made] { (*made)(); }, {made->W}};
}

inline Program model() {
  const auto made = std::make_shared<SmallModel>(seeded_model(3));
  std::vector<autograd::Tensor> leaves = {made->x};
  for (const auto& [name, parameter] : made->modules->named_parameters()) leaves.push_back(parameter);
  return {[made] { (*made)(); }, leaves};
}

inline Program odd() {
  autograd::manual_seed(3);
  const autograd::Tensor table = autograd::randn({4, 2}).requires_grad_().set_name("table");
  const autograd::Tensor scalar = autograd::tensor(2.0).requires_grad_().set_name("scalar");
  const autograd::Tensor none = autograd::zeros({0, 3}).requires_grad_().set_name("none");
  const autograd::Tensor weird = autograd::randn({2, 2}).requires_grad_().set_name("<b>\x1b[31m [x y]");
  const autograd::Tensor factor = autograd::tensor({3.0, 1.0}).set_name("factor");
  const auto run = [=] {
    const autograd::Tensor rows = autograd::embedding(table, autograd::ids({1, 3})) * factor;
    const autograd::Tensor mixed = autograd::masked_softmax(rows + weird, autograd::mask({true, false})) * weird;
    (mixed.sum() * scalar + none.sum() + autograd::sqrt(weird * 0.0).sum()).backward({.release_graph = true});
  };
  return {run, {table, scalar, none, weird}};
}

inline Program nested() {
  autograd::manual_seed(5);
  const autograd::Tensor x = autograd::randn({3}).requires_grad_().set_name("x");
  const autograd::Tensor w = autograd::randn({2}).requires_grad_().set_name("W");
  const auto run = [=] {
    const autograd::Tensor y = (x * x).set_name("h");
    y.register_hook([=](const autograd::Tensor& gradient) {
      const autograd::GradModeGuard graph(true);
      (w * w).tanh().sum().backward();
      return gradient * 2.0;
    });
    y.sum().backward();
    const autograd::Tensor dx = autograd::grad((x * x.tanh()).sum(), {x}, {.create_graph = true})[0];
    dx.pow(2).sum().backward();
    const autograd::Tensor z = (x * 3.0).set_name("y2");
    z.register_hook([](const autograd::Tensor&) -> autograd::Tensor { throw std::runtime_error("the program's own"); });
    try {
      z.sum().backward();
    } catch (const std::runtime_error&) {  // as the program wants it
    }
  };
  return {run, {x, w}};
}

inline std::vector<autograd::Tensor> gradients_of(const Program& program) {
  std::vector<autograd::Tensor> gradients;
  for (const autograd::Tensor& leaf : program.leaves) gradients.push_back(leaf.grad());
  return gradients;
}

using MakeProgram = Program (*)();
inline const std::vector<MakeProgram> programs_to_debug = {chain, model, odd, nested};

// The gradients without a debugger.
inline std::vector<autograd::Tensor> plain_gradients_of(MakeProgram make) {
  const Program program = make();
  run_op_by_op(program.run);
  return gradients_of(program);
}

// ---- judging --------------------------------------------------------------------------------------------------------

// What came of the commands so far.
struct Judged {
  std::int64_t answered = 0;
  std::int64_t refused = 0;
  std::string mistake;   // "" if there was none
  std::string line;      // the last command
  std::string end;       // of the transcript
  double slowest = 0.0;  // seconds for one command
  std::string slowest_line;
};

inline bool may_be_quiet(const std::string& line) {
  const std::string word = autograd::debug::trim(line);
  if (word.empty() || word[0] == '#') return true;
  const std::string command = word.substr(0, word.find_first_of(" \t/"));
  for (const std::string quiet : {"delete", "enable", "disable", "undisplay", "set", "directory"}) {
    if (quiet.rfind(command, 0) == 0) return true;
  }
  return false;
}

inline void judge(Judged& judged, const std::string& refusal, const std::string& answer) {
  ++(refusal.empty() ? judged.answered : judged.refused);
  const bool explained = refusal.empty() || refusal.find("expected") != std::string::npos;
  const bool silent = answer.find('\n') == answer.rfind('\n') && !may_be_quiet(judged.line);  // the echo alone
  if (!explained) judged.mistake = "refused without saying what was expected";
  if (silent) judged.mistake = "no answer";
  for (const char c : answer) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') judged.mistake = "a control character";
  }
}

using NextCommand = std::function<std::optional<std::string>(const autograd::debug::Debugger&)>;

// One program, once, under the commands that `next` gives. False on a mistake.
inline bool run_judged(Judged& judged, MakeProgram make, const std::vector<autograd::Tensor>& plain,
                       const NextCommand& next) {
  using Clock = std::chrono::steady_clock;
  const Program program = make();
  std::ostringstream out;
  autograd::debug::Debugger* debugger = nullptr;
  bool asked_before = false;
  std::size_t answer_at = 0;  // where the answer to the last command begins
  Clock::time_point asked;
  const auto judged_next = [&]() -> std::optional<std::string> {
    if (asked_before) {
      const std::chrono::duration<double> seconds = Clock::now() - asked;
      if (seconds.count() > judged.slowest) {
        judged.slowest = seconds.count();
        judged.slowest_line = judged.line;
      }
      judge(judged, debugger->last_refusal(), out.str().substr(answer_at));
    }
    asked_before = true;
    if (!judged.mistake.empty()) return {};
    const std::optional<std::string> line = next(*debugger);
    if (!line) return {};
    if (out.str().size() > 100'000) out.str("");
    judged.line = *line;
    answer_at = out.str().size();
    asked = Clock::now();
    return line;
  };
  {
    autograd::debug::StepThrough session(autograd::debug::lines_from(judged_next), out);
    debugger = &session.debugger();
    debugger->settings.kill = [] {};
    program.run();
  }
  if (!same_bits(plain, gradients_of(program))) judged.mistake = "the gradients are not the same";
  const std::string transcript = out.str();
  judged.end = transcript.substr(transcript.size() > 4000 ? transcript.size() - 4000 : 0);
  return judged.mistake.empty();
}

}  // namespace fixtures
