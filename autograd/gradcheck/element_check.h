// ElementCheck: is the analytic derivative of one element right?
//
// It first takes one central difference. If this agrees, the element passes: two independent numbers do not agree to
// six digits by chance. (The error bar is then their difference.) Otherwise it examines the derivative: by Ridders'
// method at several scales, by the slopes to both sides, and by the branches that the ops take. What does not pass is
// examined again with the measured noise of the function, because noise can look like a kink. What is to fail is
// examined at all scales, because sin(1e6 x) turns more often within a step than differences can follow, and is then
// compared with what the rounding of the outputs, of the inputs, and of the terms that cancel can change.
#pragma once

#include <optional>

#include "autograd/gradcheck/kink.h"
#include "autograd/gradcheck/numeric_derivative.h"
#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/probe.h"
#include "autograd/gradcheck/verdict.h"

namespace autograd::checker {

struct ElementResult {
  Verdict verdict = Verdict::pass;  // pass, kink, noisy, domain or fail
  double numeric = 0.0;
  double error_bar = 0.0;
  bool examined = false;  // the numeric value comes from Ridders' method
  bool rounding = false;  // what it differs by is rounding
  bool coarse = false;    // it agrees only within an error bar that is wider than options.resolution
  double step = 0.0;      // of Ridders' method, and how many outputs changed at least
  std::size_t changed = 0;
  double left_slope = 0.0;  // at a kink
  double right_slope = 0.0;
  Branch branch;  // the op that makes the kink, where it was found
};

// Of what computed the gradient.
struct Rounding {
  double epsilon = 0.0;  // of its dtype
  double outputs = 0.0;  // what the rounding of the outputs, of which backward() may make use, changes of L
};

class ElementCheck {
 public:
  // `largest` is the largest analytic derivative of the same input.
  ElementCheck(const Probe& probe, const GradcheckOptions& options, double largest, Rounding rounding)
      : probe_(probe), options_(options), largest_(largest), rounding_(rounding) {}

  ElementResult operator()(double& element, double analytic) const;
  // Without the first central difference.
  ElementResult examine(double& element, double analytic) const;

 private:
  ElementCheck with(const Probe& probe) const { return {probe, options_, largest_, rounding_}; }
  struct Estimates;
  ElementResult examine_with_noise(double& element, double analytic, const ElementResult& without) const;
  bool look(double& element, double step, double analytic, ElementResult& result) const;
  bool hides_a_change(double& element, const ElementResult& result, double analytic) const;
  bool is_rounding_of_outputs(double& element, const ElementResult& result, double analytic) const;
  bool is_rounding_of_terms(double& element, const ElementResult& result, double analytic) const;
  ElementResult judge_at_all_scales(double& element, const ElementResult& usual, double analytic) const;
  bool is_rounding_on_the_way(double& element, ElementResult& result, double analytic) const;
  ElementResult judge_with_rounded_inputs(double& element, const ElementResult& result, double analytic) const;
  Estimate estimate(double& element, double step, double analytic) const;
  bool settles(const Estimate& estimate, double analytic) const;
  double tolerance(double analytic, double numeric) const;
  ElementResult judge(const Estimate& estimate, double analytic) const;
  ElementResult judge_not_finite(const Estimate& estimate, double analytic) const;
  ElementResult judge_unsettled(const Estimates& estimates, double& element, double analytic) const;

  const Probe& probe_;
  const GradcheckOptions& options_;
  double largest_;
  Rounding rounding_;
};

}  // namespace autograd::checker
