// What is given in exercise 01: four wrong derivatives to read, and what you predict about them.
#pragma once

#include <judge/learner.h>

#include <bit>
#include <cstdint>

namespace given {

// 1. y = x * x. Two factors, so two contributions to dx; the second overwrites the first.
inline double overwritten(double x, double dy) {
  double dx = 0.0;
  dx = dy * x;  // from the factor on the left
  dx = dy * x;  // from the factor on the right
  return dx;
}

// 2. loss = (x[0]^2 + x[1]^2 + x[2]^2 + x[3]^2) / 4. The division by 4 was forgotten on the way back.
inline std::vector<double> mean_forgotten(const std::vector<double>& x) {
  std::vector<double> dx;
  for (const double value : x) dx.push_back(2.0 * value);
  return dx;
}

// 3. y = a - b. The gradient of b.
inline double sign_lost(double dy) {
  return dy;
}

// 4. y = x^k. The exponent was not lowered: k x^(k-1) is right.
inline double exponent_kept(double x, double k, double dy) {
  return dy * k * std::pow(x, k);
}

// A NaN of its own, so that a prediction that happens to be NaN is a different one.
constexpr std::uint64_t bits_of_unknown = 0x7ff8'0000'0000'0bad;
constexpr double unknown = std::bit_cast<double>(bits_of_unknown);

// What you predict.
struct Prediction {
  double overwritten = unknown;     // a / n of the first
  double mean_forgotten = unknown;  // a / n of the second
  double sign_lost = unknown;       // a / n of the third
  double blind_exponent = unknown;  // the k at which the fourth is right for every x
};

}  // namespace given

using given::Prediction;
using given::unknown;

Prediction predict();

struct Answer {
  decltype(&::predict) predict;
};
