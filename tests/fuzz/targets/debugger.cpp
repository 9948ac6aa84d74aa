// Commands for the debugger, one on each line; the first letter chooses the program. No crash, no exception but
// Refused, only text is shown, and every gradient keeps its bits.
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "autograd/text/words.h"
#include "tests/autograd/debug/debugger_fixture.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_debugger {

using namespace autograd;

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
  manual_seed(3);
  const Tensor table = randn({4, 2}).requires_grad_().set_name("table");
  const Tensor scalar = tensor(2.0).requires_grad_().set_name("scalar");
  const Tensor none = zeros({0, 3}).requires_grad_().set_name("none");
  const Tensor weird = randn({2, 2}).requires_grad_().set_name("<b>\x1b[31m [x y]");
  const Tensor factor = tensor({3.0, 1.0}).set_name("factor");
  const auto run = [=] {
    const Tensor rows = embedding(table, ids({1, 3})) * factor;
    const Tensor mixed = masked_softmax(rows + weird, mask({true, false})) * weird;
    (mixed.sum() * scalar + none.sum() + sqrt(weird * 0.0).sum()).backward({.release_graph = true});
  };
  return {run, {table, scalar, none, weird}};
}

Program nested() {
  manual_seed(5);
  const Tensor x = randn({3}).requires_grad_().set_name("x");
  const Tensor w = randn({2}).requires_grad_().set_name("W");
  const auto run = [=] {
    const Tensor y = (x * x).set_name("h");
    y.register_hook([=](const Tensor& gradient) {
      const GradModeGuard graph(true);
      (w * w).tanh().sum().backward();
      return gradient * 2.0;
    });
    y.sum().backward();
    const Tensor dx = grad((x * x.tanh()).sum(), {x}, {.create_graph = true})[0];
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

using MakeProgram = Program (*)();
constexpr MakeProgram programs[] = {chain, model, odd, nested};

// ---- what an answer must be -----------------------------------------------------------------------------------------

bool may_be_quiet(const std::string& line) {
  const std::string word = autograd::trim(line);
  if (word.empty() || word[0] == '#') return true;
  const std::string command = word.substr(0, word.find_first_of(" \t/"));
  for (const std::string quiet : {"delete", "enable", "disable", "undisplay", "set", "directory"}) {
    if (quiet.starts_with(command)) return true;
  }
  return false;
}

void judge(const std::string& line, const debug::Debugger& debugger, const std::string& answer) {
  const std::string after = " after: " + line + "\n" + answer;
  fuzz::require(!debugger.has_failed(), "an exception that says not what was expected" + after);
  const bool silent = answer.find('\n') == answer.rfind('\n');  // the echo alone
  fuzz::require(!silent || may_be_quiet(line), "no answer" + after);
  for (const char c : answer) {
    const bool is_text = static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t';
    fuzz::require(is_text, "a control character" + after);
  }
}

// Files are written to, and read from, the current folder: an empty one.
class EmptyFolder {
 public:
  EmptyFolder() { std::filesystem::current_path(folder_.path()); }
  ~EmptyFolder() { std::filesystem::current_path(before_); }
  EmptyFolder(const EmptyFolder&) = delete;
  EmptyFolder& operator=(const EmptyFolder&) = delete;

 private:
  fixtures::TemporaryFolder folder_;
  std::filesystem::path before_ = std::filesystem::current_path();
};

bool names_other_folder(const std::string& line) {
  return line.find("..") != std::string::npos || line.find('~') != std::string::npos ||
         line.find(" /") != std::string::npos || line.find("\t/") != std::string::npos;
}

void run(const std::string& input) {
  static const std::vector<std::vector<Tensor>> plain = [] {
    std::vector<std::vector<Tensor>> gradients;
    for (const MakeProgram make : programs) {
      const Program program = make();
      fixtures::run_op_by_op(program.run);
      gradients.push_back(gradients_of(program));
    }
    return gradients;
  }();
  if (input.empty()) return;
  const std::size_t number = static_cast<unsigned char>(input[0]) % plain.size();
  std::istringstream lines(input.substr(1));
  int left = 60;  // a pass is over in a moment, but some commands look at all of it
  std::ostringstream out;
  debug::Debugger* debugger = nullptr;
  std::optional<std::string> last;
  const auto next = [&]() -> std::optional<std::string> {
    if (last) judge(*last, *debugger, out.str());
    out.str("");
    std::string line;
    last.reset();
    while (!last && left-- > 0 && std::getline(lines, line)) {
      if (!names_other_folder(line)) last = line;
    }
    return last;
  };
  const EmptyFolder files;
  const Program program = programs[number]();
  {
    debug::StepThrough session(debug::lines_from(next), out);
    debugger = &session.debugger();
    debugger->settings.kill = [] {};
    program.run();
  }
  const bool same = fixtures::same_bits(plain[number], gradients_of(program));
  fuzz::require(same, "the gradients are not the same after: " + last.value_or("") + "\n" + out.str());
}

}  // namespace fuzz_debugger

const fuzz::Target fuzz::target = {"debugger", fuzz_debugger::run, nullptr};
