// ChartAxis: the range of the values on an axis, round numbers on it, and the place of each value. Private to
// pictures/.
#pragma once

#include <string>
#include <vector>

namespace autograd {

struct ChartTick {
  double value;
  std::string text;  // "0.5", "20000", "10⁻⁶"
};

class ChartAxis {
 public:
  // Covers all values that can be drawn, and ends at round numbers.
  ChartAxis(const std::vector<double>& values, bool logarithmic, bool from_zero);

  // From 0 to 1. Values beyond the ends lie at the ends.
  double operator()(double value) const;
  // Finite, and positive if the axis is logarithmic.
  bool can_show(double value) const;

  double low() const { return low_; }
  double high() const { return high_; }
  bool is_logarithmic() const { return logarithmic_; }
  const std::vector<ChartTick>& ticks() const { return ticks_; }

 private:
  double scaled(double value) const;

  bool logarithmic_;
  double low_;
  double high_;
  std::vector<ChartTick> ticks_;
};

}  // namespace autograd
