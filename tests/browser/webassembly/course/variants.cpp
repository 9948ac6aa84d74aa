// An answer's program for tests: linked with the solution and the known mistakes, of which the page chooses one.
#include <cstddef>

#include "judge/webassembly/answer.h"

namespace {

std::size_t chosen = 0;

}  // namespace

// 0: the solution.
extern "C" [[clang::export_name("choose")]] void choose(std::size_t number) {
  chosen = number;
}

namespace judge {

Run answer_of_program() {
  return chosen == 0 ? exercise.solution : exercise.mistakes[chosen - 1].run;
}

}  // namespace judge
