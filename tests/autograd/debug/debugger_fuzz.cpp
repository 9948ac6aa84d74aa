// Random commands that mostly make sense, given to the debugger and judged (debugger_judge.h).
// fuzz/targets/debugger.cpp gives it any text at all.
//
//   debugger_fuzz [COMMANDS [SEED]]        20,000 and 1 if not given; ends with 1 and the transcript's end on a mistake
#include <autograd/autograd.h>
#include <autograd/debug/step/terminal_debugger.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "autograd/tensor/characters.h"
#include "tests/autograd/debug/debugger_judge.h"
#include "tests/support/temporary_folder.h"

namespace {

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
    switch (below(33)) {
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
      case 23:
      case 24:
      case 25: return "cell " + expression() + (chance(20) ? " all" : "");
      case 26: return "why " + expression();
      case 27: return chance(30) ? "check " + maybe_node() : "info locals";
      case 28: return "bump " + expression() + " " + number();
      case 29: return one_of({"html", "html ", "source", "source "}) + one_of({"", "nowhere/x", "x.dot"});
      case 30:
        return "set " + one_of({"width ", "elements ", "precision ", "stop-at ", "", "colour "}) +
               one_of({number(), "all", "none", "backward", "auto", ""});
      case 31: return one_of({"help", "help step", "help x", "h " + number(), "kill", "", "# comment", "directory"});
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

}  // namespace

int main(int count, char** arguments) {
  std::int64_t commands_left = count > 1 ? std::atoll(arguments[1]) : 20'000;
  const std::uint64_t seed = count > 2 ? static_cast<std::uint64_t>(std::atoll(arguments[2])) : 1;
  const std::int64_t commands = commands_left;
  const fixtures::TemporaryFolder folder;  // commands may write files
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  CommandMaker maker(seed);
  const auto next = [&](const Debugger& debugger) -> std::optional<std::string> {
    if (commands_left-- <= 0) return {};
    return with_numbers(maker.next(), maker, debugger);
  };
  std::vector<std::vector<autograd::Tensor>> plain;
  for (const fixtures::MakeProgram make : fixtures::programs_to_debug) plain.push_back(plain_gradients_of(make));
  fixtures::Judged judged;
  std::int64_t runs = 0;
  while (commands_left > 0) {
    const std::size_t i = static_cast<std::size_t>(runs++) % plain.size();
    if (fixtures::run_judged(judged, fixtures::programs_to_debug[i], plain[i], next)) continue;
    fmt::print("{} after: {}\n{}\n", judged.mistake, autograd::printable(judged.line), judged.end);
    return 1;
  }
  std::filesystem::current_path(before);
  fmt::print(
      "{} commands in {} runs of a program: {} answered, {} refused; every gradient exact; the slowest {:.2f} s: {}\n",
      commands, runs, judged.answered, judged.refused, judged.slowest, autograd::printable(judged.slowest_line));
}
