// What a compiler or a linker says of an answer, before "=====" the answer itself: always something that can be shown.
#include "runner/explain/compiler_messages.h"

#include "runner/show/show_problem.h"
#include "runner/text/lines.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_compiler_messages {

void check(const learn::Problem& problem, const std::string& file) {
  fuzz::require(!problem.sentence.empty(), "nothing is said");
  fuzz::require(problem.place.line >= 0 && problem.place.column >= 0, "a place before the file");
  fuzz::require(!learn::show_problem({.width = 60}, problem, "error", file).empty(), "nothing is shown");
}

void run(const std::string& input) {
  const std::vector<std::string> parts = fuzz::parts_of(input, 2);
  const std::string file = fuzz::file_with(parts[0], "25_linear_layer.cpp");
  const learn::AnswerFile answer{file, learn::lines_in(parts[0]), {"linear_backward", "f"}};
  check(learn::explain_compile_error(parts[1], answer), file);
  check(learn::explain_link_error(parts[1], answer), file);
  for (const learn::Problem& warning : learn::explain_warnings(parts[1], answer)) check(warning, file);
}

const fuzz::Target target("compiler_messages", run);

}  // namespace fuzz_compiler_messages
