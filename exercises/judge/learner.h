// What a learner's file sees: the engine, and two functions of the course.
#pragma once

#include <autograd/autograd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using autograd::Tensor;

namespace judge {

// Thrown by todo().
class NotWritten : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace judge

// Stands where you write something: the check says `what`, and no more.
[[noreturn]] void todo(const std::string& what);

// Shows an intermediate value to the check, under the name that the text of the exercise uses. The first one that
// differs from what is expected is reported, and `learn step` stops there. Returns the value.
const Tensor& probe(std::string_view name, const Tensor& value);
double probe(std::string_view name, double value);
