// Random commands against the debugger: nothing crashes or hangs, what is refused says what was expected, and every
// gradient keeps its bits.
//
//   debugger_fuzz [COMMANDS [SEED]]        20,000 and 1 if not given; ends with 1 and the transcript's end on a mistake
//
// The programs that are stepped through have what is awkward: strange names, integers, empty tensors, hooks, passes
// inside of passes, second derivatives, released graphs, exceptions.
#include <autograd/autograd.h>
#include <autograd/debug/step/debugger.h>
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <sstream>

#include "autograd/debug/step/commands.h"
#include "tests/debugger_fixture.h"
#include "tests/temporary_folder.h"

namespace {

using autograd::Tensor;
using autograd::debug::Debugger;

// ---- commands -------------------------------------------------------------------------------------------------------

class CommandMaker {
 public:
  explicit CommandMaker(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }

  std::string next() {
    std::string line = sensible();
    if (chance(25)) line = mutated(line);
    if (chance(3)) line = garbage();
    return line;
  }

 private:
  using Words = std::vector<std::string>;

  std::string one_of(const Words& words) { return words[below(words.size())]; }

  std::string number() {
    return one_of({"0",
                   "1",
                   "2",
                   "3",
                   "5",
                   "7",
                   "-1",
                   "-2",
                   "12",
                   "100",
                   "99999",
                   "-9223372036854775808",
                   "9223372036854775807",
                   "99999999999999999999",
                   "1e3",
                   "0x10",
                   "1.5",
                   "nan",
                   "inf",
                   "-inf",
                   "1e400"});
  }
  std::string small() { return fmt::format("{}", below(4)); }

  std::string pick() {
    if (chance(60)) return small();
    return one_of(
        {":", "1:", ":2", "0:2", "::2", "-1", "-2:", "3:1", "9:", "", "a", "1:2:3:4", number(), number() + ":"});
  }
  std::string picks() {
    std::string text = "[";
    const std::size_t count = below(4);
    for (std::size_t i = 0; i <= count; ++i) text += (i > 0 ? "," : "") + pick();
    return text + "]";
  }

  std::string name() {
    return one_of({"rnn.weight_hh_l0",
                   "rnn.weight_ih_l0",
                   "rnn.bias_hh_l0",
                   "attention.v.weight",
                   "x_in",
                   "W",
                   "h",
                   "y2",
                   "x",
                   "y",
                   "dy",
                   "x0",
                   "x1",
                   "x9",
                   "dx",
                   "dx0",
                   "dx1",
                   "loss",
                   "\"<b>\\x1b[31m [x y]\"",
                   "none",
                   "scalar",
                   "factor",
                   "table",
                   "nothing",
                   "rnn",
                   "",
                   "%" + fmt::format("{}", below(400)),
                   "%" + number()});
  }
  std::string expression() { return name() + (chance(40) ? ".grad" : "") + (chance(60) ? picks() : ""); }

  std::string condition() {
    const std::string value =
        chance(60) ? one_of({"norm", "absmax", "max", "min", "mean", "step", "nan", "inf"}) : expression();
    const std::string called = chance(20) ? one_of({"norm", "max", "nan"}) + "(" + expression() + ")" : value;
    const std::string comparison = one_of({">", "<", ">=", "<=", "==", "!=", "=", ""});
    const std::string text = called + one_of({" ", ""}) + comparison + number();
    return chance(15) ? text + one_of({" and ", "&&"}) + condition() : text;
  }

  std::string place() {
    const std::string text = one_of({"tanh", "linear", "mul", "sum", "rnn", "attention", "rnn.l0, step 1", "nan", "inf",
                                     "chain.cpp:3", "chain.cpp:4", "gru.cpp:8", "x.cpp:1", name(), condition(), ""});
    return chance(20) ? text + " if " + condition() : text;
  }

  std::string maybe_node() { return chance(50) ? "" : chance(60) ? "%@" : name(); }

  std::string sensible() {
    switch (below(34)) {
      case 0:
      case 1:
      case 2: return "step" + (chance(40) ? " " + small() : "");
      case 3:
      case 4:
      case 5: return "back" + (chance(40) ? " " + small() : "");
      case 6: return one_of({"next", "n", "rn", "reverse-next", "finish"});
      case 7: return chance(30) ? "continue" : "step " + number();
      case 8: return one_of({"rc", "reverse-continue", "back " + number()});
      case 9: return "until " + place();
      case 10:
      case 11: return one_of({"break ", "tbreak ", "b "}) + place();
      case 12: return "watch " + expression();
      case 13:
        return one_of({"delete", "delete " + small(), "d " + number(), "disable", "enable", "disable " + small()});
      case 14: return "display" + one_of({"", "/s", "/h", "/x"}) + " " + expression();
      case 15: return one_of({"undisplay", "undisplay " + small()});
      case 16:
      case 17:
      case 18: return one_of({"print", "p", "print/s", "p/h", "p/x", "p/q"}) + " " + expression();
      case 19:
        return "info " + one_of({"nodes", "nodes all", "leaves", "locals", "names", "modules", "ops", "pass",
                                 "breakpoints", "watch", "display", "", "nodes " + place()});
      case 20: return one_of({"where ", "list ", "bt "}) + maybe_node();
      case 21: return "graph " + maybe_node() + " " + number();
      case 22: return "formula " + maybe_node() + (chance(50) ? picks() : "");
      case 23: return "jac " + maybe_node();
      case 24:
      case 25: return "contrib " + expression();
      case 26: return "why " + expression();
      case 27: return chance(30) ? "check " + maybe_node() : "info locals";
      case 28: return "bump " + expression() + " " + number();
      case 29: return one_of({"html", "html ", "source", "source ", "graph "}) + one_of({"", "nowhere/x", "x.dot"});
      case 30:
        return "set " + one_of({"width ", "elements ", "precision ", "stop-at ", "", "colour "}) +
               one_of({number(), "all", "none", "backward", "auto", ""});
      case 31: return "complete " + one_of({"b", "break t", "info n", "print ", "x", ""});
      case 32:
        return one_of({"help", "help step", "help x", "h " + number(), "echo x", "kill", "", "# comment", "directory"});
      default: return chance(1) ? "quit" : "step";
    }
  }

  std::string garbage() {
    std::string text;
    const std::size_t length = below(40);
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(random_() % 256);
    return text;
  }

  std::string mutated(std::string line) {
    const std::size_t changes = 1 + below(3);
    for (std::size_t i = 0; i < changes && !line.empty(); ++i) {
      const std::size_t at = below(line.size());
      switch (below(5)) {
        case 0: line.erase(at, 1 + below(3)); break;
        case 1: line.insert(at, 1, static_cast<char>(random_() % 256)); break;
        case 2: line[at] = "[]:,.%\"'()<>=!- /"[below(17)]; break;
        case 3: line += line.substr(at); break;
        default: line = line.substr(at) + line.substr(0, at); break;
      }
    }
    return line.substr(0, 300);
  }

  std::mt19937_64 random_;
};

// "%@" stands for some node of the pass: "%17".
std::string with_numbers(std::string line, CommandMaker& maker, const Debugger& debugger) {
  const auto& order = debugger.view().pass->order;
  for (std::size_t at = line.find("%@"); at != std::string::npos; at = line.find("%@", at)) {
    line.replace(at, 2, fmt::format("%{}", order[maker.below(order.size())]->number));
  }
  return line;
}

// ---- programs -------------------------------------------------------------------------------------------------------

struct Program {
  std::function<void()> run;
  std::vector<Tensor> leaves;
};

Program chain() {
  const auto made = std::make_shared<fixtures::Chain>();
  return {[made] { (*made)(); }, {made->W}};
}

Program model() {
  const auto made = std::make_shared<fixtures::SmallModel>(fixtures::seeded_model(3));
  std::vector<Tensor> leaves = {made->x};
  for (const auto& [name, parameter] : made->modules->named_parameters()) leaves.push_back(parameter);
  return {[made] { (*made)(); }, leaves};
}

Program odd() {
  autograd::manual_seed(3);
  const Tensor table = autograd::randn({4, 2}).requires_grad_().set_name("table");
  const Tensor scalar = autograd::tensor(2.0).requires_grad_().set_name("scalar");
  const Tensor none = autograd::zeros({0, 3}).requires_grad_().set_name("none");
  const Tensor weird = autograd::randn({2, 2}).requires_grad_().set_name("<b>\x1b[31m [x y]");
  const Tensor factor = autograd::tensor({3.0, 1.0}).set_name("factor");
  const auto run = [=] {
    const Tensor rows = autograd::embedding(table, autograd::ids({1, 3})) * factor;
    const Tensor mixed = autograd::masked_softmax(rows + weird, autograd::mask({true, false})) * weird;
    (mixed.sum() * scalar + none.sum() + autograd::sqrt(weird * 0.0).sum()).backward({.release_graph = true});
  };
  return {run, {table, scalar, none, weird}};
}

Program nested() {
  autograd::manual_seed(5);
  const Tensor x = autograd::randn({3}).requires_grad_().set_name("x");
  const Tensor w = autograd::randn({2}).requires_grad_().set_name("W");
  const auto run = [=] {
    const Tensor y = (x * x).set_name("h");
    y.register_hook([=](const Tensor& gradient) {
      const autograd::GradModeGuard graph(true);
      (w * w).tanh().sum().backward();
      return gradient * 2.0;
    });
    y.sum().backward();
    const Tensor dx = autograd::grad((x * x.tanh()).sum(), {x}, {.create_graph = true})[0];
    dx.pow(2).sum().backward();
    const Tensor z = (x * 3.0).set_name("y2");
    z.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("the program's own"); });
    try {
      z.sum().backward();
    } catch (const std::runtime_error&) {  // as the program wants it
    }
  };
  return {run, {x, w}};
}

std::vector<Tensor> gradients_of(const Program& program) {
  std::vector<Tensor> gradients;
  for (const Tensor& leaf : program.leaves) gradients.push_back(leaf.grad());
  return gradients;
}

// ---- running --------------------------------------------------------------------------------------------------------

struct Fuzzer {
  CommandMaker maker;
  std::int64_t commands_left;
  std::int64_t refused = 0;
  std::int64_t answered = 0;
  std::string mistake;
  std::string line;           // the last command
  std::size_t answer_at = 0;  // where its answer begins
  double slowest = 0.0;       // seconds for one command
  std::string slowest_line;
  std::chrono::steady_clock::time_point asked;
};

bool may_be_quiet(const std::string& line) {
  const std::string word = autograd::debug::trim(line);
  if (word.empty() || word[0] == '#') return true;
  const std::string command = word.substr(0, word.find_first_of(" \t/"));
  for (const std::string quiet : {"delete", "enable", "disable", "undisplay", "set", "complete", "directory"}) {
    if (quiet.rfind(command, 0) == 0) return true;
  }
  return false;
}

// What was said to the last command.
void judge(Fuzzer& fuzzer, const Debugger& debugger, const std::string& transcript) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - fuzzer.asked;
  if (seconds.count() > fuzzer.slowest) {
    fuzzer.slowest = seconds.count();
    fuzzer.slowest_line = fuzzer.line;
  }
  const std::string& refusal = debugger.last_refusal();
  ++(refusal.empty() ? fuzzer.answered : fuzzer.refused);
  const bool explained = refusal.empty() || refusal.find("expected") != std::string::npos;
  const std::string answer = transcript.substr(std::min(transcript.size(), fuzzer.answer_at));
  const bool silent = answer.find('\n') == answer.rfind('\n') && !may_be_quiet(fuzzer.line);  // the echo alone
  if (!explained) fuzzer.mistake = "refused without saying what was expected";
  if (silent) fuzzer.mistake = "no answer";
  for (const char c : answer) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') fuzzer.mistake = "a control character";
  }
}

// One program, once, under random commands. False on a mistake.
bool run_once(Fuzzer& fuzzer, const std::function<Program()>& make) {
  const Program plain = make();
  fixtures::run_op_by_op(plain.run);
  const Program watched = make();
  std::ostringstream out;
  Debugger* debugger = nullptr;
  bool asked_before = false;
  const auto next = [&]() -> std::optional<std::string> {
    if (asked_before) judge(fuzzer, *debugger, out.str());
    asked_before = true;
    if (fuzzer.commands_left-- <= 0 || !fuzzer.mistake.empty()) return {};
    if (out.str().size() > 100'000) out.str("");
    fuzzer.line = with_numbers(fuzzer.maker.next(), fuzzer.maker, *debugger);
    fuzzer.answer_at = out.str().size();
    fuzzer.asked = std::chrono::steady_clock::now();
    return fuzzer.line;
  };
  {
    autograd::debug::StepThrough session(autograd::debug::lines_from(next), out);
    debugger = &session.debugger();
    debugger->settings.kill = [] {};
    watched.run();
  }
  const bool exact = fixtures::same_bits(gradients_of(plain), gradients_of(watched));
  if (!exact) fuzzer.mistake = "the gradients are not the same";
  if (fuzzer.mistake.empty()) return true;
  const std::string end = out.str();
  fmt::print("{} after: {}\n{}\n", fuzzer.mistake, autograd::debug::printable(fuzzer.line),
             end.substr(end.size() > 4000 ? end.size() - 4000 : 0));
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  const std::int64_t commands = count > 1 ? std::atoll(arguments[1]) : 20'000;
  const std::uint64_t seed = count > 2 ? static_cast<std::uint64_t>(std::atoll(arguments[2])) : 1;
  const fixtures::TemporaryFolder folder;  // commands may write files
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  Fuzzer fuzzer{CommandMaker(seed), commands, 0, 0, "", "", 0, 0.0, "", {}};
  const std::vector<std::function<Program()>> programs = {chain, model, odd, nested};
  std::int64_t runs = 0;
  while (fuzzer.commands_left > 0) {
    if (!run_once(fuzzer, programs[static_cast<std::size_t>(runs++) % programs.size()])) return 1;
  }
  std::filesystem::current_path(before);
  fmt::print(
      "{} commands in {} runs of a program: {} answered, {} refused; every gradient exact; the slowest {:.2f} s: {}\n",
      commands, runs, fuzzer.answered, fuzzer.refused, fuzzer.slowest, autograd::debug::printable(fuzzer.slowest_line));
}
