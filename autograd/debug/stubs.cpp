#include <iostream>

#include "autograd/debug/answers.h"
#include "autograd/debug/lines.h"
namespace autograd::debug {
std::string answer_graph(const Question&) {
  return "";
}
std::string answer_formula(const Question&) {
  return "";
}
std::string answer_jac(const Question&) {
  return "";
}
std::string answer_why(const Question&) {
  return "";
}
std::string answer_check(const Question&) {
  return "";
}
std::string answer_bump(const Question&) {
  return "";
}
std::unique_ptr<Lines> lines_of_standard_input(Completer) {
  return lines_from(std::cin);
}
}  // namespace autograd::debug
