#include <nn/pictures/chart_axis.h>

#include <cmath>
#include <limits>

#include "tests/support/expect.h"

namespace nn_chart_axis_test {

using nn::ChartAxis;
using nn::ChartAxisOptions;

using Texts = std::vector<std::string>;

Texts texts(const ChartAxis& axis) {
  Texts all;
  for (const nn::ChartTick& tick : axis.ticks()) all.push_back(tick.text);
  return all;
}

ChartAxis axis_over(const std::vector<double>& values, const ChartAxisOptions& options = {}) {
  return ChartAxis(values, options, 0.0, 100.0);
}

TEST(NnChartAxis, RoundNumbersWithinTheEnds) {
  const ChartAxis axis = axis_over({3.0, 97.0});
  EXPECT_EQ(texts(axis), (Texts{"20", "40", "60", "80"}));
  EXPECT_EQ(axis.low(), 3.0);
  EXPECT_EQ(axis.high(), 97.0);
  EXPECT_DOUBLE_EQ(axis(50.0), 50.0);
  EXPECT_EQ(axis(-5.0), 0.0);  // at the end
  EXPECT_EQ(axis(1e9), 100.0);
}

TEST(NnChartAxis, EndsOnTicksIfWanted) {
  const ChartAxis axis = axis_over({0.31, 0.94}, {.round_ends = true});
  EXPECT_EQ(texts(axis), (Texts{"0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_DOUBLE_EQ(axis.low(), 0.2);
  EXPECT_DOUBLE_EQ(axis.high(), 1.0);
}

TEST(NnChartAxis, FromZero) {
  EXPECT_EQ(axis_over({40.0, 45.5}, {.from_zero = true}).low(), 0.0);
  EXPECT_EQ(axis_over({-40.0, -45.5}, {.from_zero = true}).high(), 0.0);
}

TEST(NnChartAxis, NoTicksBetweenWholeNumbers) {
  EXPECT_EQ(texts(axis_over({1.0, 2.0, 3.0})), (Texts{"1", "2", "3"}));
  EXPECT_EQ(texts(axis_over({4.0})), (Texts{"4"}));
}

TEST(NnChartAxis, NegativeNumbersHaveAMinus) {
  EXPECT_EQ(texts(axis_over({-1.0, 1.0, 0.5}, {.ticks = 4})), (Texts{"−1.0", "−0.5", "0", "0.5", "1.0"}));
}

TEST(NnChartAxis, LargeAndSmallNumbers) {
  EXPECT_EQ(texts(axis_over({0.0, 20000.0}, {.ticks = 4})), (Texts{"0", "5000", "10,000", "15,000", "20,000"}));
  EXPECT_EQ(texts(axis_over({0.0, 2e9}, {.ticks = 2})), (Texts{"0", "10⁹", "2×10⁹"}));
  EXPECT_EQ(texts(axis_over({0.0, 4e-7}, {.ticks = 4})), (Texts{"0", "10⁻⁷", "2×10⁻⁷", "3×10⁻⁷", "4×10⁻⁷"}));
}

TEST(NnChartAxis, ALargeNumberAndASmallRange) {
  EXPECT_EQ(texts(axis_over({1e9, 1e9 + 2.0}, {.ticks = 2})),
            (Texts{"1.000000000×10⁹", "1.000000001×10⁹", "1.000000002×10⁹"}));
}

TEST(NnChartAxis, PowersOfTen) {
  const ChartAxisOptions logarithmic{.logarithmic = true};
  EXPECT_EQ(texts(axis_over({1e-6, 1.0}, logarithmic)), (Texts{"10⁻⁶", "10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(texts(axis_over({2.0, 128.0}, logarithmic)), (Texts{"2", "5", "10", "20", "50", "100"}));
  EXPECT_EQ(texts(axis_over({1.0, 1.4}, logarithmic)), (Texts{"1.0", "1.1", "1.2", "1.3", "1.4"}));
  const ChartAxis axis = axis_over({1.0, 100.0}, logarithmic);
  EXPECT_DOUBLE_EQ(axis(10.0), 50.0);
  EXPECT_EQ(axis(0.0), 0.0);
}

TEST(NnChartAxis, LogarithmicEndsOnTicks) {
  const ChartAxis wide = axis_over({3e-5, 0.7}, {.logarithmic = true, .round_ends = true});
  EXPECT_DOUBLE_EQ(wide.low(), 1e-5);
  EXPECT_DOUBLE_EQ(wide.high(), 1.0);
  const ChartAxis narrow = axis_over({4.9, 19.9}, {.logarithmic = true, .round_ends = true});
  EXPECT_EQ(texts(narrow), (Texts{"5", "10", "15", "20"}));
  EXPECT_DOUBLE_EQ(narrow.low(), 4.9);  // 0 is not there
  EXPECT_DOUBLE_EQ(narrow.high(), 20.0);
}

TEST(NnChartAxis, WhatCannotBeDrawnIsLeftOut) {
  const double infinity = std::numeric_limits<double>::infinity();
  const ChartAxis axis = axis_over({std::nan(""), 2.0, infinity, -infinity, 4.0, 1e305});
  EXPECT_EQ(axis.low(), 2.0);
  EXPECT_EQ(axis.high(), 4.0);
  EXPECT_EQ(axis_over({-1.0, 0.0, 2.0, 4.0}, {.logarithmic = true}).low(), 2.0);
  EXPECT_FALSE(nn::can_be_drawn(0.0, true));
  EXPECT_TRUE(nn::can_be_drawn(0.0, false));
}

// Whatever the values: two ends, some ticks, in order, with different texts, at finite places.
TEST(NnChartAxis, AwkwardValues) {
  const std::vector<std::vector<double>> awkward = {{},
                                                    {std::nan("")},
                                                    {0.0},
                                                    {0.3, 0.3},
                                                    {-7.0},
                                                    {1e300, -1e300},
                                                    {1e-300, 2e-300},
                                                    {5e-324, 1e-310},
                                                    {1.0, 1.0 + 1e-15},
                                                    {1e15, 1e15 + 1e6},
                                                    {-1e-12, 1e12},
                                                    {123456.789, 123456.790},
                                                    {1e-299, 1e299}};
  for (const std::vector<double>& values : awkward) {
    for (const bool logarithmic : {false, true}) {
      for (const bool round_ends : {false, true}) {
        SCOPED_TRACE(testing::PrintToString(values) + (logarithmic ? " logarithmic" : ""));
        const ChartAxis axis = axis_over(values, {.logarithmic = logarithmic, .round_ends = round_ends});
        EXPECT_LT(axis.low(), axis.high());
        EXPECT_GE(axis.ticks().size(), 1U);
        EXPECT_LE(axis.ticks().size(), 16U);
        for (std::size_t i = 0; i < axis.ticks().size(); ++i) {
          EXPECT_TRUE(std::isfinite(axis(axis.ticks()[i].value)));
          if (i == 0) continue;
          EXPECT_LT(axis.ticks()[i - 1].value, axis.ticks()[i].value);
          EXPECT_NE(axis.ticks()[i - 1].text, axis.ticks()[i].text);
        }
        for (const double value : values) EXPECT_FALSE(std::isnan(axis(std::isnan(value) ? 0.0 : value)));
      }
    }
  }
}

TEST(NnChartAxis, MovedElsewhere) {
  const ChartAxis axis = axis_over({0.0, 1.0}).moved(300.0, 100.0);  // upside down, as pictures count
  EXPECT_EQ(axis(0.0), 300.0);
  EXPECT_EQ(axis(1.0), 100.0);
  EXPECT_EQ(axis(0.5), 200.0);
}

}  // namespace nn_chart_axis_test
