// The debugger's answers: each function computes a text from what is seen at the current position, and throws Refused
// if it cannot. Each lives in the file named beside it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "autograd/debug/step/view.h"

namespace autograd::debug {

// What `set` changes.
struct Settings {
  std::int64_t width = 100;                      // columns
  std::int64_t elements = 200;                   // a larger tensor is shortened
  std::int64_t precision = -1;                   // digits after the point; -1 chooses them to suit the values
  std::string stop_at = "backward";              // "backward", "all": grad() too, or "none": breakpoints only
  bool stop_at_end = true;                       // of a pass in which it has stopped, so that one can go back
  std::vector<std::string> directories = {"."};  // where sources are looked for first
  std::function<void()> kill;                    // what `kill` does; ends the program by default
};

// A command's arguments, with all that its answer depends on.
struct Question {
  const View& view;
  const Settings& settings;
  std::string arguments;
};
using Answer = std::string (*)(const Question&);

// Where we are, in two or three lines (place.cpp).
std::string place_text(const View& view, const Settings& settings);

std::string answer_print(const Question& question);  // print.cpp: "/s W.grad[1, :]"
std::string answer_info(const Question& question);  // info.cpp: "nodes", "pass", "leaves", "locals", "names", "modules"
std::string answer_where(const Question& question);  // place.cpp: the module calls around the op
std::string answer_list(const Question& question);   // place.cpp: source lines
std::string answer_graph(const Question& question);  // info.cpp: the ops around one
std::string answer_formula(const Question& question);
std::string answer_cell(const Question& question);   // cell.cpp
std::string answer_why(const Question& question);    // paths.cpp
std::string answer_check(const Question& question);  // check_here.cpp
std::string answer_bump(const Question& question);   // bump.cpp

// Does the current op's backward disagree with finite differences? False also where that cannot be checked
// (check_here.cpp).
bool has_wrong_derivative(const View& view);
// "y = tanh(2.125) = 0.9719", for an op that works on each number by itself; "" for others (formula.cpp).
std::string formula_of_element(const Call& call, const std::vector<std::int64_t>& index);
// Its elements as blocks, from the smallest to the largest (print.cpp).
std::string heatmap(const Tensor& tensor, const Settings& settings);
// A line of the program's source, or "" if the file is not found (place.cpp).
std::string source_line(Where where, const Settings& settings);

}  // namespace autograd::debug
