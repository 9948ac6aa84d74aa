#include "autograd/pictures/chart_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace chart_axis_test {

using autograd::ChartAxis;

using Texts = std::vector<std::string>;
using Values = std::vector<double>;

Texts texts(const ChartAxis& axis) {
  Texts all;
  for (const autograd::ChartTick& tick : axis.ticks()) all.push_back(tick.text);
  return all;
}

Texts linear(const Values& values) {
  return texts(ChartAxis(values, false, false));
}
Texts logarithmic(const Values& values) {
  return texts(ChartAxis(values, true, false));
}

TEST(ChartAxis, EndsAtRoundNumbers) {
  const ChartAxis axis({0.31, 0.94}, false, false);
  EXPECT_EQ(texts(axis), (Texts{"0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_DOUBLE_EQ(axis.low(), 0.2);
  EXPECT_DOUBLE_EQ(axis.high(), 1.0);
  EXPECT_DOUBLE_EQ(axis(0.6), 0.5);
  EXPECT_EQ(axis(-5.0), 0.0);  // at the end
  EXPECT_EQ(axis(1e9), 1.0);
}

TEST(ChartAxis, FromZero) {
  EXPECT_EQ(ChartAxis({40.0, 45.5}, false, true).low(), 0.0);
  EXPECT_EQ(ChartAxis({-40.0, -45.5}, false, true).high(), 0.0);
}

TEST(ChartAxis, Numbers) {
  EXPECT_EQ(linear({1.0, 2.0, 3.0}), (Texts{"1", "2", "3"}));  // nothing between whole numbers
  EXPECT_EQ(linear({-1.0, 1.0, 0.3}), (Texts{"-1.0", "-0.5", "0", "0.5", "1.0"}));
  EXPECT_EQ(linear({0.0, 20000.0}), (Texts{"0", "5000", "10000", "15000", "20000"}));
  EXPECT_EQ(linear({0.0, 3e9}), (Texts{"0", "5×10⁸", "10⁹", "1.5×10⁹", "2×10⁹", "2.5×10⁹", "3×10⁹"}));
  EXPECT_EQ(linear({0.0, 4e-7}), (Texts{"0", "10⁻⁷", "2×10⁻⁷", "3×10⁻⁷", "4×10⁻⁷"}));
}

TEST(ChartAxis, PowersOfTen) {
  EXPECT_EQ(logarithmic({2e-6, 1.0}), (Texts{"10⁻⁶", "10⁻⁵", "0.0001", "0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(logarithmic({2.0, 110.0}), (Texts{"2", "5", "10", "20", "50", "100", "200"}));
  EXPECT_EQ(logarithmic({1.0, 1.4}), (Texts{"1.0", "1.1", "1.2", "1.3", "1.4"}));
  EXPECT_EQ(logarithmic({4.9, 19.9}), (Texts{"5", "10", "15", "20"}));  // 0 is not there
  const ChartAxis axis({1.0, 100.0}, true, false);
  EXPECT_DOUBLE_EQ(axis(10.0), 0.5);
  EXPECT_EQ(axis(0.0), 0.0);
}

TEST(ChartAxis, WhatCannotBeShownIsLeftOut) {
  const double infinity = std::numeric_limits<double>::infinity();
  const ChartAxis axis({std::nan(""), 2.0, infinity, -infinity, 4.0, 1e305}, false, false);
  EXPECT_EQ(axis.low(), 2.0);
  EXPECT_EQ(axis.high(), 4.0);
  EXPECT_FALSE(axis.can_show(std::nan("")));
  EXPECT_TRUE(axis.can_show(0.0));
  EXPECT_FALSE(ChartAxis({2.0}, true, false).can_show(0.0));
}

// Whatever the values: two ends, some ticks, in order, at finite places.
TEST(ChartAxis, AwkwardValues) {
  const std::vector<Values> awkward = {{},
                                       {std::nan("")},
                                       {0.0},
                                       {0.3, 0.3},
                                       {-7.0},
                                       {1e300, -1e300},
                                       {1e-300, 2e-300},
                                       {5e-324, 1e-310},
                                       {1.0, 1.0 + 1e-15},
                                       {-1e-12, 1e12},
                                       {123456.789, 123456.790},
                                       {1e-299, 1e299}};
  for (const Values& values : awkward) {
    for (const bool is_logarithmic : {false, true}) {
      SCOPED_TRACE(testing::PrintToString(values) + (is_logarithmic ? " logarithmic" : ""));
      const ChartAxis axis(values, is_logarithmic, false);
      EXPECT_LT(axis.low(), axis.high());
      EXPECT_GE(axis.ticks().size(), 1U);
      EXPECT_LE(axis.ticks().size(), 16U);
      for (std::size_t i = 0; i < axis.ticks().size(); ++i) {
        EXPECT_TRUE(std::isfinite(axis(axis.ticks()[i].value)));
        if (i == 0) continue;
        EXPECT_LT(axis.ticks()[i - 1].value, axis.ticks()[i].value);
      }
      for (const double value : values) EXPECT_FALSE(std::isnan(axis(std::isnan(value) ? 0.0 : value)));
    }
  }
}

}  // namespace chart_axis_test
