// An exercise and its learner's file, for reports that are shown.
#pragma once

#include "runner/course/course.h"
#include "runner/show/show_report.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz {

inline const learn::Exercise& example_exercise() {
  static const learn::Exercise exercise{
      "25_linear_layer", "/course/25_linear_layer",
      learn::ExerciseSource::parse("//= title: Linear layer\n"
                                   "//= answer: linear_backward\n"
                                   "//= mistake bias_mean\n"
                                   "//=   question: What is summed over {batch}?\n"
                                   "//=   because: It is a sum.\n"
                                   "  const Tensor db = dy.sum(0);\n"
                                   "  //~ bias_mean | const Tensor db = dy.mean(0);\n",
                                   "exercise.cpp")};
  return exercise;
}

inline const std::string& example_answer() {
  static const std::string text =
      "#include \"given.h\"\n\nGradients linear_backward(const Tensor& x) {\n  for (;;) {\n\tx.sum()\n  }\n}\n";
  return text;
}

// Everything that is ever shown of a report.
inline void show_all_of(const learn::Report& report) {
  static const std::string file = file_with(example_answer(), "25_linear_layer.cpp");
  const learn::Style style{.width = 60};
  learn::show_report(style, example_exercise(), report, file);
  learn::show_report(style, example_exercise(), report, file, {.verbose = true, .raw = true});
  learn::explain_report(style, example_exercise(), report, file);
}

}  // namespace fuzz
