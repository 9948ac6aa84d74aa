#include "autograd/gradcheck/patterns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace autograd::checker;
using autograd::Shape;

constexpr double infinity = std::numeric_limits<double>::infinity();

Arrays arrays(const Values& found, const Values& right, const Shape& shape) {
  return {found, right, Values(found.size(), 1e-9), shape};
}

TEST(Patterns, TheLargestIsAmongTheFinite) {
  EXPECT_EQ(largest_finite({1.0, -3.0, infinity, NAN}), 3.0);
  EXPECT_EQ(largest_finite({NAN}), 0.0);
}

TEST(Patterns, NaNIsTheSameAsNaNAndCloseToNothing) {
  EXPECT_TRUE(is_close(infinity, infinity, 0.0));
  EXPECT_FALSE(is_close(NAN, NAN, 1.0));
  EXPECT_TRUE(all_same({NAN, 1.0, infinity}, {NAN, 1.1, infinity}, 0.2));
  EXPECT_FALSE(all_same({NAN, 1.0}, {1.0, NAN}, 0.2));
  EXPECT_FALSE(all_same({1.0}, {1.0, 1.0}, 0.2));
}

TEST(Patterns, AFactorIsThatOfAllNumbers) {
  EXPECT_NEAR(best_factor(arrays({-2, 0, 4}, {1, 0, -2}, {3})), -2.0, 1e-12);
  EXPECT_TRUE(is_multiple(arrays({-2, 0, 4}, {1, 0, -2}, {3}), -2.0));
  EXPECT_FALSE(is_multiple(arrays({-2, 1, 4}, {1, 0, -2}, {3}), -2.0));
  EXPECT_EQ(best_factor(arrays({1, 2}, {0, 0}, {2})), 0.0);
}

TEST(Patterns, RightNumbersAtOtherPlaces) {
  const Arrays turned = arrays({1, 4, 2, 5, 3, 6}, {1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_TRUE(is_exchanged(turned, 0, 1));
  EXPECT_TRUE(is_rearranged(turned));
  EXPECT_FALSE(is_exchanged(arrays({1, 4, 2, 5, 6, 3}, {1, 2, 3, 4, 5, 6}, {2, 3}), 0, 1));
  EXPECT_FALSE(is_rearranged(arrays({1, 4, 2, 5, 3, 5}, {1, 2, 3, 4, 5, 6}, {2, 3})));
}

TEST(Patterns, WhatIsWrongLiesAlongADim) {
  const Arrays last_column = arrays({1, 2, 0, 4, 5, 0}, {1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(last_column.wrong(), (std::vector<std::size_t>{2, 5}));
  EXPECT_EQ(last_column.only({2, 5}).right, (Values{3, 6}));
  EXPECT_EQ(wrong_along(last_column, 0), (std::vector<bool>{true, true}));
  EXPECT_EQ(wrong_along(last_column, 1), (std::vector<bool>{false, false, true}));
}

TEST(Patterns, AnotherArrayComesBetween) {
  const Values right = {1, 2, 3};
  const Values other = {2, -1, 5};
  const std::pair<Relation, Values> found[] = {{Relation::itself, other},
                                               {Relation::factor_missing, {0.5, -2, 0.6}},
                                               {Relation::factor_too_many, {2, -2, 15}},
                                               {Relation::term_missing, {-1, 3, -2}},
                                               {Relation::term_too_many, {3, 1, 8}}};
  for (const auto& [relation, values] : found) {
    for (const auto& [asked, unused] : found) {
      EXPECT_EQ(is_related(arrays(values, right, {3}), asked, other), asked == relation);
    }
  }
  EXPECT_FALSE(is_related(arrays(right, right, {3}), Relation::itself, {1, 2}));
}

}  // namespace
