// What tests of every part ask: which elements a tensor has, and which error a call ends in.
#pragma once

#include <autograd/autograd.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace fixtures {

// Does the tensor have exactly these elements, in row-major order? NaN counts as equal to NaN.
inline testing::AssertionResult holds(const autograd::Tensor& tensor, const std::vector<double>& expected) {
  if (!tensor.defined()) return testing::AssertionFailure() << "the tensor is undefined";
  const std::vector<double> found = tensor.to_vector();
  bool equal = found.size() == expected.size();
  for (std::size_t i = 0; equal && i < found.size(); ++i) {
    equal = found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]));
  }
  if (equal) return testing::AssertionSuccess();
  return testing::AssertionFailure() << fmt::format("it holds\n{}\nand not [{}]", tensor, fmt::join(expected, ", "));
}

inline testing::AssertionResult has_shape(const autograd::Tensor& tensor, const autograd::Shape& expected) {
  if (tensor.shape() == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure() << fmt::format("its shape is {}, not {}", tensor.shape(), expected);
}

// Runs f, which must throw an autograd::Error with this id; returns its message.
template <class F> std::string message_of(autograd::ErrorId id, F&& f) {
  try {
    f();
  } catch (const autograd::Error& error) {
    EXPECT_EQ(autograd::name(error.id()), autograd::name(id)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown, " << autograd::name(id) << " was expected";
  return "";
}

// Does the text contain all of these?
inline testing::AssertionResult mentions(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (text.find(part) == std::string::npos)
      return testing::AssertionFailure() << "\"" << part << "\" is not in:\n" << text;
  }
  return testing::AssertionSuccess();
}

// "tests/backward_test.cpp:17", as errors name the user's line; so many lines below the one given.
inline std::string place(autograd::Where where, int lines_below = 0) {
  where.line += lines_below;
  return autograd::to_string(where);
}

}  // namespace fixtures
