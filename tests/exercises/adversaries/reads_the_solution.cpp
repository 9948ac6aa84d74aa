#include <fstream>
#include <stdexcept>

#include "given.h"

Tensor row_sums(const Tensor&) {
  std::ifstream solution("@EXERCISE@/exercise.cpp");
  throw std::runtime_error(solution ? "SUCCEEDED" : "contained: there is no solution here");
}
