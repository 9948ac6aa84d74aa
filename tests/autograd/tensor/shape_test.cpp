// Shapes, strides, broadcasting, and the walks that kernels follow.

#include "autograd/tensor/shape.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace shape_test {

using namespace autograd;
using fixtures::message_of;

TEST(ShapeTest, IsAListOfSizes) {
  Shape shape{2, 3};
  shape.push_back(5);
  shape.insert(0, 7);
  EXPECT_EQ(shape, Shape({7, 2, 3, 5}));
  shape.insert(4, 1);
  shape.erase(1);
  EXPECT_EQ(shape, Shape({7, 3, 5, 1}));
  EXPECT_EQ(shape.dim(), 4);
  EXPECT_EQ(shape.back(), 1);
  EXPECT_EQ(Shape(std::vector<std::int64_t>{4, 6}), Shape({4, 6}));
  EXPECT_EQ(Shape(3), Shape({3}));
}

TEST(ShapeTest, DiffersByItsSizesAndByTheirNumber) {
  EXPECT_FALSE(Shape({2, 3}) == Shape({3, 2}));
  EXPECT_FALSE(Shape({2}) == Shape({2, 1}));
  EXPECT_FALSE(Shape() == Shape(0));
}

// What insert() and erase() leave behind the last dim is not part of the shape.
TEST(ShapeTest, ComparesOnlyTheDimsThatThereAre) {
  Shape shape{2, 3, 4};
  shape.erase(2);
  EXPECT_EQ(shape, Shape({2, 3}));
  EXPECT_EQ(shape.numel(), 6);
}

TEST(ShapeTest, CountsElements) {
  EXPECT_EQ(Shape().numel(), 1);
  EXPECT_EQ(Shape({2, 3, 4}).numel(), 24);
  EXPECT_EQ(Shape({2, 0, 4}).numel(), 0);
}

TEST(ShapeTest, HoldsEightDimsAndRefusesTheNinth) {
  Shape shape{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(shape.dim(), max_dims);
  const std::string message = message_of(ErrorId::bad_dim, [&] { shape.push_back(9); });
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message}));
  message_of(ErrorId::bad_dim, [&] { shape.insert(0, 9); });
  message_of(ErrorId::bad_dim, [] { Shape({1, 1, 1, 1, 1, 1, 1, 1, 1}); });
  EXPECT_EQ(shape, Shape({1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(ShapeTest, IsWrittenInBrackets) {
  EXPECT_EQ(to_string(Shape({2, 3})), "[2, 3]");
  EXPECT_EQ(to_string(Shape()), "[]");
  EXPECT_EQ(fmt::format("{}", Shape({4})), "[4]");
}

TEST(Strides, OfContiguousMemoryAreRowMajor) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), Strides({12, 4, 1}));
  EXPECT_EQ(contiguous_strides({}), Strides());
}

TEST(Strides, ExpandedAreZeroAlongRepeatedDims) {
  EXPECT_EQ(expanded_strides({3, 1}, {1, 1}, {2, 3, 4}), Strides({0, 1, 0}));
  EXPECT_EQ(expanded_strides({}, {}, {2, 3}), Strides({0, 0}));
  EXPECT_EQ(expanded_strides({2, 3}, {3, 1}, {2, 3}), Strides({3, 1}));
}

// ---- broadcasting -----------------------------------------------------------------------------------------

struct Broadcast {
  Shape a, b, together;
};

class Broadcasting : public testing::TestWithParam<Broadcast> {};

TEST_P(Broadcasting, GivesTheSameInBothOrders) {
  const auto& [a, b, together] = GetParam();
  Shape result;
  EXPECT_TRUE(broadcast_shapes(a, b, &result));
  EXPECT_EQ(result, together) << to_string(result);
  EXPECT_TRUE(broadcast_shapes(b, a, &result));
  EXPECT_EQ(result, together) << to_string(result);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Broadcasting,
                         testing::Values(Broadcast{{2, 3}, {2, 3}, {2, 3}},  //
                                         Broadcast{{2, 3}, {3}, {2, 3}},     // aligned at the last dim
                                         Broadcast{{2, 1}, {1, 3}, {2, 3}},  // both repeated
                                         Broadcast{{}, {2, 3}, {2, 3}},      // a single number
                                         Broadcast{{}, {}, {}},              //
                                         Broadcast{{0}, {1}, {0}},           // 1 becomes 0
                                         Broadcast{{0, 3}, {1, 1}, {0, 3}},  //
                                         Broadcast{{0}, {2, 1}, {2, 0}},     //
                                         Broadcast{{1}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}}));

TEST(BroadcastShapes, RefusesSizesThatDiffer) {
  Shape result;
  for (const auto& [a, b] : {std::pair<Shape, Shape>{{2}, {3}}, {{2, 3}, {2}}, {{0}, {2}}, {{3, 0}, {3, 2}}}) {
    EXPECT_FALSE(broadcast_shapes(a, b, &result)) << to_string(a) << to_string(b);
    EXPECT_FALSE(broadcast_shapes(b, a, &result)) << to_string(b) << to_string(a);
  }
}

// ---- walks ------------------------------------------------------------------------------------------------

// The offsets that a walk visits in one of its inputs.
std::vector<std::int64_t> offsets(const kernels::Walk& walk, int input) {
  std::vector<std::int64_t> result = {0};
  for (int dim = 0; dim < walk.dims; ++dim) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t offset : result) {
      for (std::int64_t i = 0; i < walk.size[dim]; ++i) finer.push_back(offset + i * walk.stride[input][dim]);
    }
    result = finer;
  }
  return result;
}

// The same by the definition: every index, in row-major order, times the strides.
std::vector<std::int64_t> offsets(const Shape& shape, const Strides& strides) {
  std::vector<std::int64_t> result;
  for (std::int64_t position = 0; position < shape.numel(); ++position) {
    std::int64_t rest = position;
    std::int64_t offset = 0;
    for (int dim = shape.dim() - 1; dim >= 0; --dim) {
      offset += rest % shape[dim] * strides[dim];
      rest /= shape[dim];
    }
    result.push_back(offset);
  }
  return result;
}

TEST(Walk, MergesWhatLiesInOneRow) {
  const kernels::Walk walk = make_walk({2, 3, 4}, Strides{12, 4, 1});
  EXPECT_EQ(walk.dims, 1);
  EXPECT_EQ(walk.size[0], 24);
  EXPECT_EQ(walk.stride[0][0], 1);
  EXPECT_EQ(make_walk({8, 1, 4, 1, 5}, Strides{20, 0, 5, 0, 1}).dims, 1);
}

TEST(Walk, MergesOnlyWhereAllInputsAllowIt) {
  const kernels::Walk walk = make_walk({2, 3}, Strides{3, 1}, Strides{1, 2});
  EXPECT_EQ(walk.dims, 2);
}

TEST(Walk, OfASingleNumberHasNoDims) {
  EXPECT_EQ(make_walk({}, Strides()).dims, 0);
  EXPECT_EQ(make_walk({1, 1, 1}, Strides{5, 7, 9}).dims, 0);
}

// Whatever is merged, all inputs are visited in the order of the definition.
TEST(Walk, VisitsEveryElementInRowMajorOrder) {
  std::mt19937 random(1);
  const auto pick = [&](std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(below));
  };
  for (int round = 0; round < 2000; ++round) {
    Shape shape;
    for (std::int64_t dims = pick(max_dims + 1); dims > 0; --dims)
      shape.push_back(pick(4) == 0 ? pick(2) : 1 + pick(3));
    std::array<Strides, 3> inputs;
    for (Strides& strides : inputs) {
      strides = contiguous_strides(shape);
      for (int dim = 0; dim < shape.dim(); ++dim) {
        if (pick(4) == 0) strides[dim] = 0;                 // repeated
        if (pick(4) == 0) strides[dim] = 2 * strides[dim];  // with gaps
        if (pick(8) == 0) strides[dim] = -strides[dim];     // backwards
        const int other = static_cast<int>(pick(shape.dim()));
        if (pick(8) == 0) std::swap(strides[dim], strides[other]);
      }
    }
    const kernels::Walk walk = make_walk(shape, inputs[0], inputs[1], inputs[2]);
    for (int input = 0; input < 3; ++input) {
      const Strides& strides = inputs[static_cast<std::size_t>(input)];
      ASSERT_EQ(offsets(walk, input), offsets(shape, strides)) << to_string(shape) << " by " << to_string(strides);
    }
  }
}

}  // namespace shape_test
