// GradcheckReport: the result of a gradient check, which can be printed and asserted on.
//
//   const GradcheckReport report = gradcheck(...);
//   fmt::print("{}\n", report);
//   EXPECT_TRUE(report);                            // in a test: prints the report when it is false
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/gradcheck/diagnosis.h"
#include "autograd/gradcheck/verdict.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// The verdict on an element that shares its kink with others, as at a tie of max: they are decided together (tie.h).
struct TieReport {
  bool right = false;
  double analytic = 0.0;  // the sum of their gradients
  double numeric = 0.0;   // the slope when all move together
  double error_bar = 0.0;
  std::vector<std::string> others;  // "x at [2]"
};

struct ElementReport {
  std::vector<std::int64_t> index;
  double x = 0.0;               // the element's value
  double analytic = 0.0;        // from backward
  double numeric = 0.0;         // from differences
  double error_bar = 0.0;       // of the numeric one
  double relative_error = 0.0;  // |analytic - numeric| / the larger of them, or of 1/1000 of the input's largest
  Verdict verdict = Verdict::pass;
  double left_slope = 0.0;  // of a kink
  double right_slope = 0.0;
  std::string kink_op;  // the op that makes the kink, where known
  Where kink_where;
  std::optional<TieReport> tie;  // if wrong, the element is FAIL, and the numbers above are those of the tie
};

struct InputReport {
  std::string name;
  Shape shape;
  Verdict verdict = Verdict::pass;
  std::int64_t checked = 0;  // elements
  std::int64_t bad = 0;      // elements that are FAIL
  double max_relative_error = 0.0;
  ElementReport worst;
  Diagnosis cause;  // of a FAIL
  // All numbers that were compared, float64 and of the input's shape.
  Tensor analytic;
  Tensor numeric;
  Tensor error_bar;
};

// One op on the tape, checked by itself: its backward at its real inputs and its real incoming gradient, compared with
// differences of its forward.
struct NodeReport {
  std::string op;
  std::string formula;      // "y = tanh(x)"
  std::string derivative;   // "dx = dy * (1 - y^2)"
  std::string backward_of;  // for an op made while differentiating: the op differentiated
  std::uint64_t number = 0;
  Where where;        // the line that called the op
  std::string scope;  // the module that it ran in
  Where called_from;  // the line of the user's program that called the outermost module
  Verdict verdict = Verdict::pass;
  std::vector<InputReport> inputs;  // those that need a gradient
  std::string problem;              // what is wrong besides the gradients: a forward() that disagrees with the op
  std::string tolerance;            // what counts as right, in words

  bool passed() const { return verdict != Verdict::fail; }
  explicit operator bool() const { return passed(); }
  const InputReport* wrong_input() const;  // the first that is FAIL, or nullptr
};

struct GradcheckReport {
  Verdict verdict = Verdict::pass;
  bool accepted = false;  // PASS, or only what the options allow
  std::string what;       // "gradcheck" or "gradgradcheck"
  Where where;            // the line that asked
  double max_relative_error = 0.0;
  std::vector<InputReport> inputs;
  std::vector<std::string> problems;              // anything else that is wrong, one sentence each
  std::optional<NodeReport> blame;                // the first wrong op
  std::int64_t ops = 0;                           // among which it was searched for
  std::int64_t ops_checked = 0;                   // of these, up to the wrong one: some cannot be checked by themselves
  std::shared_ptr<GradcheckReport> second_order;  // if asked for

  bool passed() const { return accepted && (!second_order || second_order->passed()); }
  explicit operator bool() const { return passed(); }

  // GoogleTest's AssertionResult, so that EXPECT_TRUE(gradcheck(...)) prints the report.
  template <class AssertionResult>
  requires requires(AssertionResult result) {
    { result.message() } -> std::same_as<const char*>;
    result << std::string();
  }
  operator AssertionResult() const;
};

// The text has at most 100 columns, long names aside.
std::string to_string(const GradcheckReport& report);
std::string to_string(const NodeReport& report);
// The text broken at spaces into lines of at most 98 columns, indented by `indent`, from the second line on by 4 more.
std::string wrapped(std::string_view text, std::size_t indent);

inline std::ostream& operator<<(std::ostream& out, const GradcheckReport& report) {
  return out << to_string(report);
}
inline std::ostream& operator<<(std::ostream& out, const NodeReport& report) {
  return out << to_string(report);
}

template <class AssertionResult>
requires requires(AssertionResult result) {
  { result.message() } -> std::same_as<const char*>;
  result << std::string();
}
GradcheckReport::operator AssertionResult() const {
  AssertionResult result(passed());
  if (!passed()) result << "\n" + to_string(*this) + "\n";
  return result;
}

}  // namespace autograd

template <> struct fmt::formatter<autograd::GradcheckReport> : autograd::TextFormatter<autograd::GradcheckReport> {};
template <> struct fmt::formatter<autograd::NodeReport> : autograd::TextFormatter<autograd::NodeReport> {};
