// The debugger's answers: each function computes a text from what is seen at the current position, and throws Refused
// if it cannot. Each lives in the file named beside it.
#pragma once

#include "autograd/debug/step/settings.h"

namespace autograd::debug {

// Where we are, in two or three lines (place.cpp).
std::string place_text(const View& view, const Settings& settings);
// "#3 of 24  %17 tanh at model.cpp:40 in decoder.attention, step 3"
std::string step_line(const View& view, std::size_t at);

std::string answer_print(const Question& question);  // print.cpp: "/s W.grad[1, :]"
std::string answer_info(const Question& question);  // info.cpp: "nodes", "pass", "leaves", "locals", "names", "modules"
std::string answer_where(const Question& question);  // place.cpp: the module calls around the op
std::string answer_list(const Question& question);   // listing.cpp: source lines
std::string answer_graph(const Question& question);  // neighbours.cpp: the ops around one
std::string answer_formula(const Question& question);
std::string answer_cell(const Question& question);   // cell_command.cpp
std::string answer_why(const Question& question);    // paths.cpp
std::string answer_check(const Question& question);  // check_here.cpp
std::string answer_bump(const Question& question);   // bump.cpp

// Does the current op's backward disagree with finite differences? False also where that cannot be checked
// (check_here.cpp).
bool has_wrong_derivative(const View& view);
// A tensor as `print` shows it, shortened as the settings say (print.cpp).
std::string tensor_text(const Tensor& tensor, const Settings& settings);
// Finds a source file by the name with which it was compiled, which may be relative to the project's folder; "" if it
// is in none of the directories (listing.cpp).
std::string find_source(const std::string& name, const Settings& settings);
// "y = tanh(2.125) = 0.9719", for an op that works on each number by itself; "" for others (formula.cpp).
std::string formula_of_element(const Call& call, const std::vector<std::int64_t>& index);
// The slope of each element of the output with each of an input, where that is a small table and not diagonal
// (jacobian.cpp).
std::string jacobian_text(const Call& call, const Settings& settings);
// A line of the program's source, or "" if the file is not found (listing.cpp).
std::string source_line(Where where, const Settings& settings);

}  // namespace autograd::debug
