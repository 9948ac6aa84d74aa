// Ops of int64: every result is the exact one, wrapped around at 64 bits as PyTorch's is, and a number that is not
// whole is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "tests/support/expect.h"

namespace op_integers_test {

using namespace autograd;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;
using std::int64_t;
__extension__ typedef __int128 Wide;
using Values = std::vector<int64_t>;

constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
constexpr int64_t highest = std::numeric_limits<int64_t>::max();
const Values numbers = {lowest, lowest + 1, -7, -1, 0, 1, 2, int64_t{1} << 62, highest - 1, highest};

Tensor list(const Values& values) {
  return ids(values, {static_cast<int64_t>(values.size())});
}
// Not by way of double, which cannot hold all of them.
Values values_of(const Tensor& x) {
  const Tensor row_major = x.contiguous();
  const int64_t* first = row_major.data_ptr<int64_t>();
  return Values(first, first + row_major.numel());
}
int64_t wrapped(Wide exact) {
  return static_cast<int64_t>(static_cast<std::uint64_t>(exact));
}

struct OfTwo {
  std::function<Tensor(const Tensor& a, const Tensor& b)> op;
  std::function<Wide(Wide a, Wide b)> exact;
};
using In = const Tensor&;

// In place, on a copy.
template <class Change> std::function<Tensor(In, In)> changed(Change change) {
  return [change](In a, In b) {
    Tensor y = a.expand({b.size(0), a.size(1)}).clone();
    change(y, b);
    return y;
  };
}

TEST(Integers, OfTwoOperands) {
  const std::map<std::string, OfTwo> cases = {
      {"add", {[](In a, In b) { return a + b; }, [](Wide a, Wide b) { return a + b; }}},
      {"sub", {[](In a, In b) { return a - b; }, [](Wide a, Wide b) { return a - b; }}},
      {"mul", {[](In a, In b) { return a * b; }, [](Wide a, Wide b) { return a * b; }}},
      {"maximum", {[](In a, In b) { return maximum(a, b); }, [](Wide a, Wide b) { return std::max(a, b); }}},
      {"minimum", {[](In a, In b) { return minimum(a, b); }, [](Wide a, Wide b) { return std::min(a, b); }}},
      {"+=", {changed([](Tensor& y, In b) { y += b; }), [](Wide a, Wide b) { return a + b; }}},
      {"-=", {changed([](Tensor& y, In b) { y -= b; }), [](Wide a, Wide b) { return a - b; }}},
      {"*=", {changed([](Tensor& y, In b) { y *= b; }), [](Wide a, Wide b) { return a * b; }}},
      {"add_, alpha", {changed([](Tensor& y, In b) { y.add_(b, -3.0); }), [](Wide a, Wide b) { return a - 3 * b; }}},
      {"sub_, alpha", {changed([](Tensor& y, In b) { y.sub_(b, 2.0); }), [](Wide a, Wide b) { return a - 2 * b; }}},
      {"addcmul_",
       {changed([](Tensor& y, In b) { y.addcmul_(b, b, 2.0); }),
        [](Wide a, Wide b) { return a + 2 * Wide{wrapped(b * b)}; }}},
  };
  const Tensor a = list(numbers).unsqueeze(0);
  const Tensor b = list(numbers).unsqueeze(1);
  for (const auto& [name, one] : cases) {
    Values expected;
    for (const int64_t q : numbers) {
      for (const int64_t p : numbers) expected.push_back(wrapped(one.exact(p, q)));
    }
    EXPECT_EQ(values_of(one.op(a, b)), expected) << name;
  }
}

TEST(Integers, OfOneOperand) {
  const std::map<std::string, std::pair<std::function<Tensor(In)>, std::function<Wide(Wide)>>> cases = {
      {"neg", {[](In x) { return -x; }, [](Wide a) { return -a; }}},
      {"abs", {[](In x) { return abs(x); }, [](Wide a) { return a < 0 ? -a : a; }}},
      {"sign", {[](In x) { return sign(x); }, [](Wide a) { return a > 0   ? 1
                                                                  : a < 0 ? -1
                                                                          : 0; }}},
      {"relu", {[](In x) { return relu(x); }, [](Wide a) { return std::max(a, Wide{0}); }}},
      {"square", {[](In x) { return square(x); }, [](Wide a) { return a * a; }}},
      {"clamp", {[](In x) { return x.clamp(-1, 5); }, [](Wide a) { return std::clamp(a, Wide{-1}, Wide{5}); }}},
      {"clamp, low", {[](In x) { return x.clamp(1); }, [](Wide a) { return std::max(a, Wide{1}); }}},
      {"clamp, high", {[](In x) { return x.clamp(-HUGE_VAL, 1); }, [](Wide a) { return std::min(a, Wide{1}); }}},
      {"+= 1", {[](In x) { return x.clone() += 1; }, [](Wide a) { return a + 1; }}},
      {"*= 3", {[](In x) { return x.clone() *= 3; }, [](Wide a) { return a * 3; }}},
      {"masked_fill", {[](In x) { return x.masked_fill(x < 0.0, -100); }, [](Wide a) { return a < 0 ? -100 : a; }}},
  };
  for (const auto& [name, one] : cases) {
    Values expected;
    for (const int64_t p : numbers) expected.push_back(wrapped(one.second(p)));
    EXPECT_EQ(values_of(one.first(list(numbers))), expected) << name;
    EXPECT_EQ(values_of(one.first(list(numbers).expand({2, -1}).t())[0]), Values(2, expected[0])) << name;
  }
}

TEST(Integers, Reductions) {
  const Tensor x = list({3, lowest, 5, highest, highest, 0}).reshape({2, 3});
  EXPECT_EQ(values_of(x.amax(1)), (Values{5, highest}));
  EXPECT_EQ(values_of(x.amax(0)), (Values{highest, highest, 5}));
  EXPECT_EQ(values_of(x.amin(1, true)), (Values{lowest, 0}));
  EXPECT_EQ(values_of(x.amin(0)), (Values{3, lowest, 0}));
  EXPECT_EQ(values_of(x.max()), Values{highest});
  EXPECT_EQ(values_of(x.min()), Values{lowest});
  EXPECT_EQ(values_of(x.min(1).values), (Values{lowest, 0}));
  EXPECT_EQ(values_of(x.cumsum(1)), (Values{3, lowest + 3, lowest + 8, highest, -2, -2}));
  EXPECT_EQ(values_of(x.t().cumsum(1)), (Values{3, lowest + 2, lowest, -1, 5, 5}));
  EXPECT_EQ(values_of(ids({highest, 2, 1}).cumsum(0)), (Values{highest, lowest + 1, lowest + 2}));
  // 2^53 + 1 is not a double.
  EXPECT_EQ(values_of(list({int64_t{1} << 53, 1}).cumsum(0))[1], (int64_t{1} << 53) + 1);
}

TEST(Integers, AreAddedAtPositions) {
  EXPECT_EQ(values_of(scatter_add(zeros({3}, int64), 0, ids({1, 1, 2}), ids({1, 1, highest}))),
            (Values{0, 2, highest}));
  EXPECT_EQ(values_of(index_add(ids({highest, 0}), 0, ids({0, 0}), ids({1, 1}))), (Values{lowest + 1, 0}));
}

TEST(Masks, AreReducedAlongADim) {
  const Tensor x = mask({{true, false, true}, {false, false, true}});
  EXPECT_TRUE(holds(x.any(0), {1, 0, 1}));
  EXPECT_TRUE(holds(x.all(0), {0, 0, 1}));
  EXPECT_TRUE(has_shape(x.any(-1, true), {2, 1}));
  EXPECT_TRUE(holds(x.any(1), {1, 1}));
  EXPECT_TRUE(holds(x.all(1), {0, 0}));
  EXPECT_TRUE(holds(zeros({0, 2}, boolean).any(0), {0, 0}));
  EXPECT_TRUE(holds(zeros({0, 2}, boolean).all(0), {1, 1}));
  EXPECT_TRUE(holds(x.amax(1), {1, 1}));
  EXPECT_TRUE(holds(x.amin(0), {0, 0, 1}));
  EXPECT_TRUE(holds(x.max(), {1}));
  EXPECT_EQ(x.amin(0).dtype(), boolean);
  EXPECT_EQ(values_of(x.cumsum(1)), (Values{1, 1, 2, 0, 0, 1}));
  EXPECT_TRUE(holds(x.masked_fill(x, false), {0, 0, 0, 0, 0, 0}));
}

TEST(Integers, TakeWholeNumbersOnly) {
  const Tensor x = ids({1, 2, 3});
  for (const double number : {1.5, std::nan(""), HUGE_VAL, 1e30, 0x1p63}) {
    SCOPED_TRACE(number);
    message_of(ErrorId::dtype_mismatch, [&] { x + number; });
    message_of(ErrorId::dtype_mismatch, [&] { maximum(x, number); });
    message_of(ErrorId::dtype_mismatch, [&] { minimum(x, number); });
    message_of(ErrorId::dtype_mismatch, [&] { x.masked_fill(x == 1.0, number); });
    message_of(ErrorId::dtype_mismatch, [&] { x.add_(number); });
    message_of(ErrorId::dtype_mismatch, [&] { x.sub_(number); });
    message_of(ErrorId::dtype_mismatch, [&] { x.mul_(number); });
    message_of(ErrorId::dtype_mismatch, [&] { x.add_(x, number); });
    if (std::isfinite(number)) message_of(ErrorId::dtype_mismatch, [&] { x.clamp(-number, number); });
  }
  message_of(ErrorId::bad_argument, [&] { x.clamp(std::nan("")); });
  message_of(ErrorId::dtype_mismatch, [&] { x.div_(2.0); });  // a quotient of integers is not an integer
  message_of(ErrorId::dtype_mismatch, [&] { x.add_(tensor({1.0})); });
  EXPECT_EQ(values_of(x), (Values{1, 2, 3}));
}

TEST(MaskedFill, TakesATensorWithoutDims) {
  const Tensor x = tensor({1, 2, 3}, float64).requires_grad_();
  const Tensor value = tensor(7.0, float64).requires_grad_();
  const Tensor y = x.masked_fill(mask({true, false, true}), value);
  EXPECT_TRUE(holds(y, {7, 2, 7}));
  y.backward(tensor({1, 10, 100}, float64));
  EXPECT_TRUE(holds(x.grad(), {0, 10, 0}));
  EXPECT_TRUE(holds(value.grad(), {101}));
  EXPECT_EQ(values_of(ids({1, 2}).masked_fill(mask({true, false}), tensor(9, int64))), (Values{9, 2}));
  message_of(ErrorId::shape_mismatch, [&] { x.masked_fill(x > 1.0, x.detach()); });
  message_of(ErrorId::shape_mismatch, [&] { x.masked_fill(x > 1.0, ones({1}, float64)); });
  message_of(ErrorId::dtype_mismatch, [&] { x.masked_fill(x > 1.0, tensor(1.0)); });
}

TEST(Eye, MayHaveMoreColumnsThanRows) {
  EXPECT_TRUE(holds(eye(2, 3), {1, 0, 0, 0, 1, 0}));
  EXPECT_TRUE(holds(eye(3, 1, int64), {1, 0, 0}));
  EXPECT_TRUE(has_shape(eye(0, 3), {0, 3}));
  EXPECT_TRUE(has_shape(eye(3, 0), {3, 0}));
  message_of(ErrorId::bad_argument, [] { eye(3, -1); });
}

}  // namespace op_integers_test
