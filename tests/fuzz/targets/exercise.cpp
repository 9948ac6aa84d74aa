// An exercise.cpp with its marks: refused with its line, or read, and then stub, solution and every mistake are made of
// it.
#include <stdexcept>
#include <string>
#include <vector>

#include "runner/lessons/exercise_source.h"
#include "runner/text/lines.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_exercise {

using learn::ExerciseSource;

ExerciseSource parsed(const std::string& input) {
  try {
    return ExerciseSource::parse(input, "exercise.cpp");
  } catch (const std::runtime_error& error) {
    fuzz::require(std::string_view(error.what()).starts_with("exercise.cpp:"),
                  std::string("an error without its line: ") + error.what());
    throw;
  }
}

void run(const std::string& input) {
  ExerciseSource source;
  if (fuzz::throws<std::runtime_error>([&] { source = parsed(input); })) return;
  fuzz::require(!source.title.empty() && !source.answer.empty(), "no title, or nothing to answer");
  fuzz::require(source.seconds > 0, "no time to run in");
  const std::string solution = source.solution();
  for (const std::string& line : learn::lines_in(solution)) {
    fuzz::require(input.find(line) != std::string::npos, "a line of the solution that nobody has written");
  }
  fuzz::require(learn::lines_in(source.stub()).size() <= learn::lines_in(input).size(), "a stub of more lines");
  for (const std::vector<std::string>& names : source.mistake_sets(learn::Mistakes::and_pairs)) {
    fuzz::require(source.with_mistakes(names).has_value(), "a set of mistakes that cannot be made");
  }
  fuzz::require(!source.answers_file("19_linear_layer", learn::Mistakes::single).empty(), "no answers");
}

}  // namespace fuzz_exercise

const fuzz::Target fuzz::target = {"exercise", fuzz_exercise::run, nullptr};
