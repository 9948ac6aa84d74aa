#include "autograd/gradcheck/element_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "autograd/gradcheck/rounding_noise.h"

namespace autograd::checker {
namespace {

constexpr double quick_step = 1e-5;                // near the best for a single central difference in float64
constexpr double bend_steps[] = {0.03, 0.1, 0.3};  // a function that saturates does so over steps of about 1
constexpr double most_bend = 4.0;                  // of tanh: 2
constexpr double hidden_step = 0.3;
constexpr double finest_scale = 1e-12;  // the scales at which a wrong derivative is looked at again, relative to x
constexpr double finest_at_zero = 1e-12;
constexpr double widest_scale = 1e5;
constexpr double agreement = 1e-2;  // of two neighbouring scales
constexpr double roundings = 8.0;   // that the terms of a gradient may have
constexpr std::uint64_t rounded_inputs = 16;
constexpr double term_step = 1e-3;                   // relative to x: terms are measured where 1 / x has no pole
constexpr double usual_step = 1e-2;                  // where Ridders' method starts
constexpr double wide_step = 1e-1;                   // for noisy functions
constexpr double fine_steps[] = {1e-4, 1e-6, 1e-8};  // close to a kink or to the edge of the domain
constexpr double smallest_step = 1e-303;             // what changes over a shorter one underflows
constexpr double other_step = 0.77;                  // for a second opinion
constexpr double step_relative_to_x = 1e-2;          // the last resort: sqrt at 1e-8
constexpr double deviations = 4.0;                   // of the noise: extrapolation multiplies it

double larger_of(double a, double b) {
  return std::max(std::abs(a), std::abs(b));
}

// May this verdict come from noise? Noise looks like a kink, or like a slope that contradicts the gradient.
bool may_be_feigned(Verdict verdict) {
  return verdict == Verdict::kink || verdict == Verdict::noisy || verdict == Verdict::fail;
}

ElementResult unknown() {
  ElementResult result;
  result.verdict = Verdict::noisy;
  result.numeric = NAN;
  result.error_bar = INFINITY;
  return result;
}

// Right, but for rounding.
ElementResult passed(ElementResult result) {
  result.verdict = Verdict::pass;
  result.rounding = true;
  return result;
}

bool has_corner(const ElementResult& result) {
  return result.left_slope != result.right_slope;
}

// Flat ones agree if they contradict a slope of `other`.
bool agree(const Estimate& a, const Estimate& b, double other) {
  const double size = agreement * (a.flat && b.flat ? std::abs(other) : larger_of(a.value, b.value));
  return a.error <= size && b.error <= size && std::abs(a.value - b.value) <= size;
}

bool lies_between(double value, double a, double b, double slack) {
  return value >= std::min(a, b) - slack && value <= std::max(a, b) + slack;
}

}  // namespace

double ElementCheck::tolerance(double analytic, double numeric) const {
  return options_.atol + options_.rtol * larger_of(analytic, numeric);
}

// ---- the quick look --------------------------------------------------------------------------------------

bool ElementCheck::look(double& element, double step, double analytic, ElementResult& result) const {
  const Slopes slopes = probe_.slopes(element, step);
  if (!slopes.finite) return false;
  const double allowed = tolerance(analytic, slopes.central);
  const double difference = std::abs(analytic - slopes.central);
  const double size = std::max(larger_of(analytic, slopes.central), largest_);
  const bool agrees = difference <= allowed && slopes.noise <= options_.atol + options_.rtol * size;
  const double corner = std::abs(slopes.right - slopes.left);
  const bool no_corner = corner <= 1e-2 * size + 10.0 * slopes.noise + options_.atol;
  result.numeric = slopes.central;
  result.error_bar = std::max(difference, slopes.noise);
  return agrees && no_corner;
}

ElementResult ElementCheck::operator()(double& element, double analytic) const {
  ElementResult result;
  if (std::isfinite(analytic) && look(element, quick_step * step_unit(element), analytic, result)) return result;
  if (!std::isfinite(element)) {  // such as a masked score; it cannot be moved
    result.verdict = Verdict::domain;
    result.numeric = NAN;
    result.error_bar = INFINITY;
    return result;
  }
  const ElementResult first = examine(element, analytic);
  const ElementResult last = may_be_feigned(first.verdict) ? examine_with_noise(element, analytic, first) : first;
  const bool has_branch = first.verdict == Verdict::kink && first.branch.found();
  if (has_branch && last.verdict == Verdict::fail) return first;
  if (last.verdict != Verdict::fail || !std::isfinite(analytic)) return last;
  if (!std::isfinite(last.numeric)) return unknown();
  if (hides_a_change(element, last, analytic)) return passed(last);
  result = judge_at_all_scales(element, last, analytic);
  if (result.verdict != Verdict::fail) return result;
  if ((!has_corner(result) && is_rounding_of_outputs(element, result, analytic)) ||
      is_rounding_of_terms(element, result, analytic)) {
    return passed(result);
  }
  if (is_rounding_on_the_way(element, result, analytic)) return passed(result);
  return judge_with_rounded_inputs(element, result, analytic);
}

// An output that stays the same over a narrow step and not over a wider one has changed by less than its rounding: one
// of softmax that is almost 1 hides what the others gain.
bool ElementCheck::hides_a_change(double& element, const ElementResult& result, double analytic) const {
  if (result.step == 0.0) return false;
  const bool hides = probe_.slopes(element, hidden_step).changed > result.changed;
  return hides && std::abs(analytic - result.numeric) <= deviations * probe_.rounding() / result.step;
}

// A function that turns within the usual steps, or whose roundings drown them, has its derivative at a scale of its
// own. An estimate of narrow error bar that agrees with the gradient there is no chance. Of those that do not agree,
// the finest two scales that agree with each other contradict the usual one, if it was too wide for the function.
ElementResult ElementCheck::judge_at_all_scales(double& element, const ElementResult& usual, double analytic) const {
  std::optional<Estimate> before;
  std::optional<Estimate> finest;
  const bool beside_kink = find_flipped_branch(probe_, element, usual_step * step_unit(element)).found();
  const double first = element == 0.0 ? finest_at_zero : std::max(finest_scale * std::abs(element), smallest_step);
  for (double scale = first; scale <= 1.01 * widest_scale; scale *= 10.0) {
    Estimate estimate = ridders(probe_, element, scale, options_.atol);
    const bool counts = estimate.flat ? beside_kink : estimate.value != 0.0;
    const bool usable = estimate.finite && estimate.smooth && counts;
    const double allowed = options_.rtol * larger_of(analytic, estimate.value);  // at a wide scale all is small
    if (usable && estimate.error <= allowed && std::abs(analytic - estimate.value) <= allowed) {
      return judge(estimate, analytic);
    }
    estimate.error = std::max(estimate.error, probe_.rounding() / scale);  // an output that hides its change counts too
    if (!finest && usable && before && agree(*before, estimate, usual.numeric)) {
      finest = before->error < estimate.error ? before : estimate;
      finest->error = std::max({before->error, estimate.error, std::abs(before->value - estimate.value)});
    }
    before.reset();
    if (usable) before = estimate;
  }
  if (!finest || has_corner(usual)) return usual;
  const double apart = std::abs(finest->value - usual.numeric);
  const bool contradicts = apart > options_.error_bars * (finest->error + usual.error_bar);
  return contradicts ? judge(*finest, analytic) : usual;
}

// A gradient in which large terms cancel has their rounding.
bool ElementCheck::is_rounding_of_terms(double& element, const ElementResult& result, double analytic) const {
  double step = quick_step * step_unit(element);
  if (result.step > 0.0) step = std::min(step, result.step);
  if (element != 0.0) step = std::min(step, term_step * std::abs(element));
  const double allowed = roundings * rounding_.epsilon * probe_.size_of_terms(element, step);
  if (!has_corner(result)) {
    return std::abs(analytic - result.numeric) <= allowed + options_.error_bars * result.error_bar;
  }
  return lies_between(analytic, result.left_slope, result.right_slope, allowed);
}

// Widens the error bar by the roundings on the way to the outputs, at the step over which they matter least.
bool ElementCheck::is_rounding_on_the_way(double& element, ElementResult& result, double analytic) const {
  if (has_corner(result) || find_flipped_branch(probe_, element, wide_step * step_unit(element)).found()) return false;
  const double grain = probe_.granularity(element);
  if (grain == 0.0) return false;
  for (const double step : {usual_step, wide_step}) {
    Estimate wide = ridders(probe_, element, step * step_unit(element), options_.atol);
    if (!wide.finite) continue;
    wide.error = std::max(wide.flat ? 0.0 : wide.error, deviations * grain / wide.step);
    const ElementResult judged = judge(wide, analytic);
    if (judged.verdict != Verdict::pass) continue;
    result = judged;
    return true;
  }
  return false;
}

// The derivative of sin(1000 x) at x = 100 is another one a rounding of x away. Nothing more can be asked of a gradient
// than that it is right for inputs that differ by rounding; where these differ much, nothing can be said.
ElementResult ElementCheck::judge_with_rounded_inputs(double& element, const ElementResult& result,
                                                      double analytic) const {
  if (result.step == 0.0) return result;
  const double apart = std::abs(analytic - result.numeric);
  double spread = 0.0;
  const auto explains = [&] { return apart <= 2.0 * spread + tolerance(analytic, result.numeric); };
  for (std::uint64_t seed = 0; seed < rounded_inputs && !explains(); ++seed) {
    const Rounded rounded(probe_, 2.0 * rounding_.epsilon, seed);
    spread = std::max(spread, std::abs(ridders(probe_, element, result.step).value - result.numeric));
  }
  if (!explains()) return result;
  ElementResult right = passed(result);
  right.error_bar = std::max(result.error_bar, spread);
  right.coarse = right.error_bar > options_.atol + options_.resolution * larger_of(analytic, result.numeric);
  return right;
}

// tanh at 9 is 1 - 3e-8, which float32 rounds to 1, and 1 - y^2 to 0. A derivative that is computed from y changes by
// y'' / y' for a change of y.
bool ElementCheck::is_rounding_of_outputs(double& element, const ElementResult& result, double analytic) const {
  if (rounding_.outputs == 0.0) return false;
  double bend = 0.0;
  for (const double step : bend_steps) bend = std::max(bend, probe_.bend(element, step));
  return std::abs(analytic - result.numeric) <= rounding_.outputs * std::min(bend, most_bend);
}

// ---- the examination -------------------------------------------------------------------------------------

struct ElementCheck::Estimates {
  std::vector<Estimate> finite;
  Branch branch;
  bool domain = true;  // the function is not finite at any step

  void add(const Estimate& estimate) {
    domain = domain && !estimate.finite;
    if (estimate.finite && !estimate.stairs) finite.push_back(estimate);
  }
  Estimate best() const {
    const auto closer = [](const Estimate& a, const Estimate& b) { return a.error < b.error; };
    return *std::min_element(finite.begin(), finite.end(), closer);
  }
};

// Is the estimate precise enough for the tolerance? If it is 0, the tolerance is relative to the input's largest
// derivative, since it would be 0 relative to itself.
bool ElementCheck::settles(const Estimate& estimate, double analytic) const {
  const double allowed = tolerance(analytic, estimate.flat ? largest_ : estimate.value);
  return estimate.finite && estimate.smooth && estimate.error <= allowed;
}

// Ridders' method. An estimate that contradicts the gradient is made again with other steps, because in a noisy
// function two entries of the table may agree by chance.
Estimate ElementCheck::estimate(double& element, double step, double analytic) const {
  Estimate first = ridders(probe_, element, step, options_.atol);
  if (!settles(first, analytic) || judge(first, analytic).verdict == Verdict::pass) return first;
  const Estimate second = ridders(probe_, element, other_step * step, options_.atol);
  first.error = std::max({first.error, second.error, std::abs(first.value - second.value)});
  return first;
}

ElementResult ElementCheck::examine(double& element, double analytic) const {
  const double unit = step_unit(element);
  Estimates estimates;
  const Estimate usual = estimate(element, usual_step * unit, analytic);
  if (!std::isfinite(analytic)) {
    const Estimate near = ridders(probe_, element, step_relative_to_x * std::abs(element));  // beside a pole
    return judge_not_finite(element != 0.0 && near.smooth ? near : usual, analytic);
  }
  if (settles(usual, analytic)) return judge(usual, analytic);
  estimates.add(usual);

  const Estimate wide = estimate(element, wide_step * unit, analytic);
  if (settles(wide, analytic)) return judge(wide, analytic);
  estimates.add(wide);

  estimates.branch = find_flipped_branch(probe_, element, usual_step * unit);
  std::vector<double> steps;
  for (const double step : fine_steps) steps.push_back(step * unit);
  if (element != 0.0) steps.push_back(step_relative_to_x * std::abs(element));
  for (const double step : steps) {
    if (step < smallest_step) continue;
    const Estimate fine = estimate(element, step, analytic);
    // Any function that is rounded is flat over a short enough step, so that flatness counts only beside a kink.
    if (fine.flat && !estimates.branch.found()) continue;
    if (settles(fine, analytic)) return judge(fine, analytic);
    estimates.add(fine);
  }
  return judge_unsettled(estimates, element, analytic);
}

ElementResult ElementCheck::examine_with_noise(double& element, double analytic, const ElementResult& without) const {
  const double noise = deviations * rounding_noise(probe_, element);
  if (noise <= probe_.rounding()) return without;
  const Probe noisy = probe_.with_noise(noise);
  return with(noisy).examine(element, analytic);
}

ElementResult ElementCheck::judge(const Estimate& estimate, double analytic) const {
  ElementResult result;
  result.numeric = estimate.value;
  result.error_bar = estimate.error;
  result.step = estimate.step;
  result.changed = estimate.changed;
  const double difference = std::abs(analytic - estimate.value);
  const double allowed = tolerance(analytic, estimate.value);
  const bool agrees = difference <= allowed + options_.error_bars * estimate.error;
  result.verdict = agrees ? Verdict::pass : Verdict::fail;
  const double resolved = options_.atol + options_.resolution * larger_of(analytic, estimate.value);
  result.coarse = estimate.error > resolved;
  return result;
}

// A gradient that is NaN or infinite is wrong if the function is finite nearby. (exp(1000) is not: it and its
// derivative are infinite, although differences of it seem flat.)
ElementResult ElementCheck::judge_not_finite(const Estimate& estimate, double analytic) const {
  ElementResult result;
  const auto is_infinite = [](double output) { return std::isinf(output); };
  const bool overflows = std::any_of(probe_.outputs().begin(), probe_.outputs().end(), is_infinite);
  const bool beyond_range = estimate.flat && overflows && std::isinf(analytic);
  result.verdict = estimate.finite && !beyond_range ? Verdict::fail : Verdict::domain;
  result.numeric = estimate.value;
  result.error_bar = estimate.error;
  return result;
}

ElementResult ElementCheck::judge_unsettled(const Estimates& estimates, double& element, double analytic) const {
  if (estimates.domain) return judge_not_finite(Estimate{}, analytic);
  ElementResult result = unknown();
  if (!estimates.finite.empty()) result = judge(estimates.best(), analytic);
  result.branch = estimates.branch;

  const Sides sides = look_at_both_sides(probe_, element);
  const double apart = std::abs(sides.right - sides.left);
  if (sides.kind == Sides::Kind::corner) {
    result.left_slope = sides.left;
    result.right_slope = sides.right;
    result.numeric = (sides.left + sides.right) / 2.0;
    result.error_bar = apart / 2.0;
    const double slack = 1e-3 * apart + tolerance(sides.left, sides.right);
    result.verdict = lies_between(analytic, sides.left, sides.right, slack) ? Verdict::kink : Verdict::fail;
    return result;
  }
  const bool branches = sides.kind == Sides::Kind::unclear && estimates.branch.found();
  if (sides.kind == Sides::Kind::jump || branches) {
    result.verdict = Verdict::kink;
    return result;
  }
  if (result.verdict == Verdict::pass) return result;
  // FAIL only if the gradient is wrong at every scale; the difference between scales widens the error bar, unless known
  // noise explains it.
  const Estimate best = estimates.finite.empty() ? Estimate{} : estimates.best();
  for (const Estimate& other : estimates.finite) {
    const double apart_from_best = std::abs(other.value - best.value);
    if (probe_.knows_noise() && apart_from_best <= options_.error_bars * (other.error + best.error)) continue;
    if (judge(other, analytic).verdict == Verdict::pass) result.verdict = Verdict::noisy;
    result.error_bar = std::max(result.error_bar, apart_from_best);
  }
  return result;
}

}  // namespace autograd::checker
