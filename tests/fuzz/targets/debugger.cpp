// Commands for the debugger, one on each line: what debugger_judge.h asks of every answer. The first letter chooses
// the program.
#include <filesystem>
#include <sstream>

#include "tests/autograd/debug/debugger_judge.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_debugger {

using autograd::debug::Debugger;

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
  static const std::vector<std::vector<autograd::Tensor>> plain = [] {
    std::vector<std::vector<autograd::Tensor>> gradients;
    for (const auto make : fixtures::programs_to_debug) gradients.push_back(plain_gradients_of(make));
    return gradients;
  }();
  if (input.empty()) return;
  const std::size_t program = static_cast<unsigned char>(input[0]) % plain.size();
  std::istringstream lines(input.substr(1));
  int left = 60;  // a pass is over in a moment, but some commands look at all of it
  const auto next = [&](const Debugger&) -> std::optional<std::string> {
    std::string line;
    while (left-- > 0 && std::getline(lines, line)) {
      if (!names_other_folder(line)) return line;
    }
    return std::nullopt;
  };
  const EmptyFolder files;
  fixtures::Judged judged;
  const bool right = fixtures::run_judged(judged, fixtures::programs_to_debug[program], plain[program], next);
  fuzz::require(right, judged.mistake + " after: " + judged.line + "\n" + judged.end);
}

const fuzz::Target target("debugger", run);

}  // namespace fuzz_debugger
