// ChartAxis: the range of values on an axis, its ticks at round numbers, and the place of each value in the picture.
// Private to nn.
#pragma once

#include <string>
#include <vector>

namespace nn {

struct ChartAxisOptions {
  bool logarithmic = false;
  bool from_zero = false;   // 0 is on it (not if logarithmic)
  bool round_ends = false;  // it reaches from one tick to another, not from the smallest value to the largest
  int ticks = 6;            // about so many
};

struct ChartTick {
  double value;
  std::string text;  // "0.5", "20,000", "10⁻⁶"
};

class ChartAxis {
 public:
  // The range covers all values that can be drawn. `from` and `to` are the places of its lower and upper end in the
  // picture. Without values, the range is 0 to 1; around a single one, there is some room.
  ChartAxis(const std::vector<double>& values, const ChartAxisOptions& options, double from, double to);

  // In pixels. Values beyond the ends lie at the ends.
  double operator()(double value) const;
  // The same axis elsewhere in the picture.
  ChartAxis moved(double from, double to) const;

  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<ChartTick>& ticks() const { return ticks_; }

 private:
  void place_linear_ticks(double smallest_step, bool round_ends, int about);
  void place_logarithmic_ticks(bool round_ends, int about);
  double scaled(double value) const;

  bool logarithmic_;
  double low_ = 0.0;
  double high_ = 1.0;
  double from_;
  double to_;
  std::vector<ChartTick> ticks_;
};

// Finite, not so large that sums of it are not, and positive if the axis is logarithmic.
bool can_be_drawn(double value, bool logarithmic = false);

}  // namespace nn
