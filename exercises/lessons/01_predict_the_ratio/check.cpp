#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {};

namespace {

// n: what really happens when x is moved a little.
double numeric(const std::function<double(double)>& f, double x) {
  const double eps = 1e-5;
  return (f(x + eps) - f(x - eps)) / (2.0 * eps);
}

// What one prediction leaves over at every place.
struct LeftOver {
  std::vector<double> values;  // zero where the two agree as well as numeric derivatives do
  bool is_near = true;         // everywhere
  bool is_exact = true;

  void add(double a, double predicted) {
    const double difference = a - predicted;
    const bool agrees = std::abs(difference) <= 1e-6 * std::max(std::abs(a), std::abs(predicted));
    values.push_back(agrees ? 0.0 : difference);
    is_near = is_near && std::abs(difference) < 0.02 * (1.0 + std::abs(a));
    is_exact = is_exact && agrees;
  }
};

// A number that was measured with a step that is not small comes close: that is not the same as being wrong.
void compare_and_ask_for_exact(const std::string& name, const LeftOver& left_over, Check& check) {
  const std::vector<double> zeros(left_over.values.size());
  check.compare(name, left_over.is_near ? zeros : left_over.values, {.may_be_zero = true});
  if (left_over.is_near) {
    check.require(name + ", to the last digit", left_over.is_exact, "your number comes close and is not quite right");
  }
}

void must_be_filled_in(const std::string& name, double value) {
  if (std::bit_cast<std::uint64_t>(value) == given::bits_of_unknown)
    todo("prediction." + name + " is still `unknown`: which number do you expect?");
}

}  // namespace

// What is compared is what a prediction leaves over, a - ratio * n: the expected values, all 0, do not give it away.
void check(const Answer& answer, Check& check) {
  const Prediction prediction = answer.predict();
  must_be_filled_in("overwritten", prediction.overwritten);
  must_be_filled_in("mean_forgotten", prediction.mean_forgotten);
  must_be_filled_in("sign_lost", prediction.sign_lost);
  must_be_filled_in("blind_exponent", prediction.blind_exponent);

  // Not an input with a name: there is no x in the answer that anything could be said of.
  std::vector<double> x;
  for (int i = 0; i < 4; ++i) x.push_back(1.2 + 1.8 * check.random().uniform());
  LeftOver overwritten, mean_forgotten, sign_lost, blind_exponent;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double square = numeric([](double value) { return value * value; }, x[i]);
    overwritten.add(given::overwritten(x[i], 1.0), prediction.overwritten * square);

    const auto mean = [&](double value) {
      double sum = 0.0;
      for (std::size_t j = 0; j < x.size(); ++j) sum += j == i ? value * value : x[j] * x[j];
      return sum / 4.0;
    };
    mean_forgotten.add(given::mean_forgotten(x)[i], prediction.mean_forgotten * numeric(mean, x[i]));

    const double minus = numeric([&](double b) { return x[0] - b; }, x[i]);
    sign_lost.add(given::sign_lost(1.0), prediction.sign_lost * minus);

    const double k = prediction.blind_exponent;
    const double power = numeric([&](double value) { return std::pow(value, k); }, x[i]);
    blind_exponent.add(given::exponent_kept(x[i], k, 1.0), power);
  }
  compare_and_ask_for_exact("number 1", overwritten, check);
  compare_and_ask_for_exact("number 2", mean_forgotten, check);
  check.compare("number 3", sign_lost.values, {.may_be_zero = true});
  compare_and_ask_for_exact("number 4", blind_exponent, check);
}
