// What tests of every part ask: which elements a tensor has, and which error a call ends in.
#pragma once

#include <autograd/autograd.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fixtures {

// Does the tensor have exactly these elements, in row-major order? NaN counts as equal to NaN.
testing::AssertionResult holds(const autograd::Tensor& tensor, const std::vector<double>& expected);

testing::AssertionResult has_shape(const autograd::Tensor& tensor, const autograd::Shape& expected);

// The autograd::Error that f throws.
template <class F> autograd::Error thrown_by(F&& f) {
  try {
    f();
  } catch (const autograd::Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return autograd::Error({autograd::ErrorId::out_of_memory, "", "", ""});
}

// Runs f, which must throw an autograd::Error with this id; returns it. An error changes nothing: run again, f must
// throw the same.
template <class F> autograd::Error error_of(autograd::ErrorId id, F&& f) {
  const autograd::Error error = thrown_by(f);
  EXPECT_EQ(autograd::name(error.id()), autograd::name(id)) << error.what();
  EXPECT_STREQ(thrown_by(f).what(), error.what()) << "the second time";
  return error;
}

template <class F> std::string message_of(autograd::ErrorId id, F&& f) {
  return error_of(id, f).what();
}

// Does the text contain all of these?
testing::AssertionResult mentions(const std::string& text, const std::vector<std::string>& parts);

// "tests/autograd/tape/backward_test.cpp:17", as errors name the user's line; so many lines below the one given.
std::string place(autograd::Where where, int lines_below = 0);

}  // namespace fixtures
