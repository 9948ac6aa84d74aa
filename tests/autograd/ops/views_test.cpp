// Views: tensors that share memory with the one they were made from.

#include <gtest/gtest.h>

#include <functional>

#include "autograd/autograd.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace ops_views_test {

using namespace autograd;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;

// [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
Tensor matrix() {
  return arange(12, float64).reshape({3, 4});
}
// [2, 3, 4]
Tensor cube() {
  return arange(24, float64).reshape({2, 3, 4});
}

bool share_memory(const Tensor& a, const Tensor& b) {
  return a.impl()->storage == b.impl()->storage;
}

constexpr std::int64_t to_end = Slice::to_end;

// ---- aliasing ---------------------------------------------------------------------------------------------

struct Op {
  std::string name;
  std::function<Tensor(const Tensor& x)> make;
};

void PrintTo(const Op& op, std::ostream* out) {
  *out << op.name;
}

class View : public testing::TestWithParam<Op> {};

TEST_P(View, SharesMemoryInBothDirections) {
  const Tensor x = matrix();
  const Tensor view = GetParam().make(x);
  ASSERT_TRUE(share_memory(x, view));
  x.add_(100.0);
  EXPECT_TRUE(holds(view, GetParam().make(matrix() + 100.0).to_vector()));
  const double before = x.sum().item();
  view.mul_(2.0);
  EXPECT_EQ(x.sum().item(), before + GetParam().make(matrix() + 100.0).sum().item());
}

TEST_P(View, OutlivesTheTensorItWasMadeFrom) {
  Tensor x = matrix();
  const Tensor view = GetParam().make(x);
  x = Tensor();
  const Tensor reuses_freed_memory = full({3, 4}, -1.0, float64);
  EXPECT_TRUE(holds(view, GetParam().make(matrix()).to_vector()));
  EXPECT_TRUE(holds(view.clone(), view.to_vector()));
}

TEST_P(View, BehavesLikeACopyInEveryOp) {
  const Tensor view = GetParam().make(matrix());
  const Tensor copy = view.clone();
  ASSERT_TRUE(copy.is_contiguous());
  EXPECT_TRUE(holds(view + 1.0, (copy + 1.0).to_vector()));
  EXPECT_TRUE(holds(view * copy, (copy * view).to_vector()));
  EXPECT_TRUE(holds(view.exp(), copy.exp().to_vector()));
  EXPECT_TRUE(holds(view.clamp(2.0, 8.0), copy.clamp(2.0, 8.0).to_vector()));
  EXPECT_TRUE(holds(view.sum(), copy.sum().to_vector()));
  EXPECT_TRUE(holds(view.sum(0), copy.sum(0).to_vector()));
  EXPECT_TRUE(holds(view.amax(-1), copy.amax(-1).to_vector()));
  EXPECT_TRUE(holds(view.argmax(0), copy.argmax(0).to_vector()));
  EXPECT_TRUE(holds(cumsum(view, 0), cumsum(copy, 0).to_vector()));
  EXPECT_TRUE(holds(view.softmax(-1), copy.softmax(-1).to_vector()));
  EXPECT_TRUE(holds(view < 5.0, (copy < 5.0).to_vector()));
  EXPECT_TRUE(holds(where(view < 5.0, view, 0.0), where(copy < 5.0, copy, 0.0).to_vector()));
  EXPECT_TRUE(holds(flip(view, 0), flip(copy, 0).to_vector()));
  EXPECT_TRUE(holds(cat({view, view}), cat({copy, copy}).to_vector()));
  EXPECT_TRUE(holds(stack({view, copy}), stack({copy, copy}).to_vector()));
  EXPECT_TRUE(holds(view.to(float32), copy.to(float32).to_vector()));
  EXPECT_TRUE(holds(view.flatten(), copy.flatten().to_vector()));
  EXPECT_TRUE(holds(view.index_select(0, ids({0, 0})), copy.index_select(0, ids({0, 0})).to_vector()));
  const Tensor first = zeros(view.shape(), int64);
  EXPECT_TRUE(holds(view.gather(0, first), copy.gather(0, first).to_vector()));
  EXPECT_TRUE(holds(scatter_add(view, 0, first, view), scatter_add(copy, 0, first, copy).to_vector()));
  EXPECT_EQ(fmt::format("{}", view), fmt::format("{}", copy));
  if (view.dim() == 2) {
    EXPECT_TRUE(holds(view.matmul(view.t()), copy.matmul(copy.t()).to_vector()));
    EXPECT_TRUE(holds(linear(view, view), linear(copy, copy).to_vector()));
  }
}

TEST_P(View, SendsItsGradientToTheRightElements) {
  const Tensor x = matrix().requires_grad_();
  const Tensor view = GetParam().make(x);
  const Tensor weights = arange(view.numel(), float64).reshape(view.shape()) + 1.0;
  (view * weights).sum().backward();
  // The same by position: mark every element of the view in memory.
  const Tensor expected = zeros({3, 4}, float64);
  GetParam().make(expected).copy_(weights);
  EXPECT_TRUE(holds(x.grad(), expected.to_vector()));
}

// clang-format off
const std::vector<Op> views = {
    {"t", [](const Tensor& x) { return x.t(); }},
    {"transpose", [](const Tensor& x) { return x.transpose(-1, -2); }},
    {"permute", [](const Tensor& x) { return x.permute({1, 0}); }},
    {"unsqueeze", [](const Tensor& x) { return x.unsqueeze(1); }},
    {"squeeze", [](const Tensor& x) { return x.unsqueeze(-1).squeeze(2); }},
    {"view", [](const Tensor& x) { return x.view({2, -1}); }},
    {"reshape", [](const Tensor& x) { return x.reshape({2, 2, 3}); }},
    {"flatten", [](const Tensor& x) { return x.flatten(); }},
    {"narrow", [](const Tensor& x) { return x.narrow(1, 1, 2); }},
    {"narrow from the end", [](const Tensor& x) { return x.narrow(-1, -2, 2); }},
    {"select", [](const Tensor& x) { return x.select(-1, -1); }},
    {"slice", [](const Tensor& x) { return slice(x, 1, {0, to_end, 3}); }},
    {"row", [](const Tensor& x) { return x[-1]; }},
    {"split", [](const Tensor& x) { return x.split(3, 1)[0]; }},
    {"chunk", [](const Tensor& x) { return x.chunk(2, -1)[1]; }},
    {"index", [](const Tensor& x) { return x.index({Slice{1}, Slice{0, to_end, 2}}); }},
    {"view of a view of a view", [](const Tensor& x) { return x.t().narrow(0, 1, 3).t()[Slice{0, to_end, 2}].t(); }},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Ops, View, testing::ValuesIn(views));

TEST(Copies, ShareNoMemory) {
  const Tensor x = matrix();
  EXPECT_FALSE(share_memory(x, x.clone()));
  EXPECT_FALSE(share_memory(x, x.t().contiguous()));
  EXPECT_FALSE(share_memory(x, x.t().reshape({12})));
  EXPECT_FALSE(share_memory(x, x.t().flatten()));
  EXPECT_FALSE(share_memory(x, x.to(float32)));
  EXPECT_FALSE(share_memory(x, flip(x, 0)));
  EXPECT_FALSE(share_memory(x, cat({x})));
  EXPECT_FALSE(share_memory(x, x[ids({0, 1})]));
}

TEST(Copies, AreNotMadeWhereNothingChanges) {
  const Tensor x = matrix();
  EXPECT_EQ(x.contiguous().impl(), x.impl());
  EXPECT_EQ(x.to(float64).impl(), x.impl());
  EXPECT_EQ(dropout(x, 0.5, false).impl(), x.impl());
  EXPECT_TRUE(share_memory(x, x.reshape({3, 4})));
  EXPECT_TRUE(share_memory(x, x.expand({3, 4})));
  EXPECT_TRUE(share_memory(x, x.flatten(0, 0)));
  EXPECT_TRUE(share_memory(x, x.squeeze(0)));
}

// ---- layout -----------------------------------------------------------------------------------------------

TEST(Layout, IsContiguousOnlyWithoutGapsAndInRowMajorOrder) {
  const Tensor x = cube();
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_TRUE(x[1].is_contiguous());
  EXPECT_TRUE(x.narrow(0, 1, 1).is_contiguous());
  EXPECT_FALSE(x.narrow(1, 0, 2).is_contiguous());
  EXPECT_FALSE(x.transpose(0, 1).is_contiguous());
  EXPECT_FALSE(x.select(2, 0).is_contiguous());
  EXPECT_FALSE(tensor({1.0}).expand({3}).is_contiguous());
  EXPECT_EQ(x.permute({2, 0, 1}).strides(), Strides({1, 12, 4}));
  EXPECT_EQ(x[1].impl()->offset(), 12);
}

// Nothing is skipped along a dim of size 1, and there is nothing at all where a size is 0.
TEST(Layout, DimsOfSizeOneOrZeroDoNotMatter) {
  EXPECT_TRUE(zeros({1, 5}).t().is_contiguous());
  EXPECT_TRUE(zeros({2, 1, 3}).transpose(0, 1).is_contiguous());
  EXPECT_TRUE(zeros({1}).expand({1, 1}).is_contiguous());
  EXPECT_TRUE(zeros({0, 3}).t().is_contiguous());
  EXPECT_TRUE(has_shape(zeros({0, 3}).t().view({0}), {0}));
}

TEST(Layout, ViewRefusesWhatReshapeCopies) {
  const std::string message = message_of(ErrorId::bad_argument, [] { matrix().t().view(12); });
  EXPECT_TRUE(fixtures::says("autograd_ops", {message}));
  EXPECT_TRUE(holds(matrix().t().reshape(12), {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
}

// ---- dims and sizes ---------------------------------------------------------------------------------------

TEST(Dims, AreCountedFromTheEndWhenNegative) {
  const Tensor x = cube();
  EXPECT_TRUE(has_shape(x.transpose(-3, -1), {4, 3, 2}));
  EXPECT_TRUE(has_shape(x.permute({-1, 0, -2}), {4, 2, 3}));
  EXPECT_TRUE(has_shape(x.unsqueeze(-1), {2, 3, 4, 1}));
  EXPECT_TRUE(has_shape(x.unsqueeze(-4), {1, 2, 3, 4}));
  EXPECT_TRUE(has_shape(x.flatten(-2), {2, 12}));
  EXPECT_TRUE(has_shape(x.flatten(0, -2), {6, 4}));
  EXPECT_TRUE(has_shape(x.select(-2, 0), {2, 4}));
}

TEST(Dims, ThatDoNotExistAreErrors) {
  std::vector<std::string> said;
  const Tensor x = matrix();
  // clang-format off
  const std::vector<std::function<void()>> calls = {
      [&] { x.transpose(0, 2); },
      [&] { x.permute({0, 1, 2}); },
      [&] { x.permute({0}); },
      [&] { x.permute({0, 0}); },
      [&] { x.permute({0, -2}); },
      [&] { x.squeeze(2); },
      [&] { x.unsqueeze(3); },
      [&] { x.unsqueeze(-4); },
      [&] { x.flatten(1, 0); },
      [&] { x.flatten(0, 2); },
      [&] { x.narrow(2, 0, 1); },
      [&] { x.select(-3, 0); },
      [&] { x.split(1, 2); },
      [&] { x[0].t(); },
      [&] { tensor(1.0)[0]; },
      [&] { x.index({0, 0, 0}); },
      [&] { tensor(1.0).select(0, 0); },
      // A single number has the dims 0 and -1, but none to be cut up.
      [&] { tensor(1.0).narrow(0, 0, 1); },
      [&] { slice(tensor(1.0), 0, {0, 1, 1}); },
      [&] { tensor(1.0).split(1); },
      [&] { tensor(1.0).chunk(1); },
      [&] { cat({tensor(1.0), tensor(1.0)}); },
      [&] { cat({zeros({0}), tensor(1.0)}); },
      [&] { tensor(1.0).sum(1); },
      [&] { tensor(1.0).sum({0, -1}); },
      [&] { tensor(1.0).max(-2); },
      [&] { tensor(1.0).squeeze(1); },
      [&] { tensor(1.0).transpose(0, 1); },
      [&] { tensor(1.0).flatten(0, 1); },
      [&] { tensor(1.0).softmax(1); },
      [] { zeros({1, 1, 1, 1, 1, 1, 1, 1}).unsqueeze(0); },
  };
  // clang-format on
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    said.push_back(message_of(ErrorId::bad_dim, calls[i]));
  }
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

TEST(ReshapeTest, WorksOutOneSize) {
  std::vector<std::string> said;
  EXPECT_TRUE(has_shape(cube().reshape({-1, 4}), {6, 4}));
  EXPECT_TRUE(has_shape(cube().reshape(-1), {24}));
  EXPECT_TRUE(has_shape(zeros({0, 3}).reshape({-1, 3}), {0, 3}));
  EXPECT_TRUE(has_shape(tensor(1.0).reshape({1, 1}), {1, 1}));
  EXPECT_TRUE(has_shape(tensor({1}).reshape({}), {}));
  message_of(ErrorId::bad_argument, [] { cube().reshape({-1, -1}); });
  message_of(ErrorId::bad_argument, [] { zeros({0}).reshape({0, -1}); });
  said.push_back(message_of(ErrorId::shape_mismatch, [] { cube().reshape({5, -1}); }));
  said.push_back(message_of(ErrorId::shape_mismatch, [] { cube().reshape({5, 5}); }));
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

TEST(ExpandTest, RepeatsOnlySizesOfOne) {
  const Tensor column = tensor({1, 2}).unsqueeze(1);
  EXPECT_TRUE(holds(column.expand({2, 3}), {1, 1, 1, 2, 2, 2}));
  EXPECT_TRUE(holds(column.expand({2, -1, 2}), {1, 1, 2, 2, 1, 1, 2, 2}));
  EXPECT_TRUE(has_shape(tensor(1.0).expand({2, 0}), {2, 0}));
  EXPECT_TRUE(holds(column.expand({2, 3}).t().select(0, 1), {1, 2}));
  message_of(ErrorId::shape_mismatch, [&] { column.expand({3, 3}); });
  message_of(ErrorId::shape_mismatch, [&] { column.expand({2}); });
  message_of(ErrorId::bad_argument, [&] { column.expand({-1, 2, 3}); });
}

TEST(ExpandTest, SumsTheGradientOverTheRepeats) {
  const Tensor x = tensor({1, 2}, float64).unsqueeze(1).requires_grad_();
  const Tensor repeated = x.expand({4, 2, 3});
  (repeated * arange(24, float64).reshape({4, 2, 3})).sum().backward();
  EXPECT_TRUE(has_shape(x.grad(), {2, 1}));
  EXPECT_TRUE(holds(x.grad(), {4 * 3 + 3 * (0 + 6 + 12 + 18), 4 * (3 + 4 + 5) + 3 * (0 + 6 + 12 + 18)}));
}

// ---- index ------------------------------------------------------------------------------------------------

TEST(IndexTest, ReadsAsInPython) {
  const Tensor x = cube();
  EXPECT_TRUE(holds(x[1][2], {20, 21, 22, 23}));
  EXPECT_TRUE(holds(x.index({1, 2, 3}), {23}));
  EXPECT_TRUE(holds(x.index({-1, -1, -1}), {23}));
  EXPECT_TRUE(holds(x.index({Index::all(), 0, Slice{1, 3}}), {1, 2, 13, 14}));
  EXPECT_TRUE(holds(x.index({Index::ellipsis(), 0}), {0, 4, 8, 12, 16, 20}));
  EXPECT_TRUE(holds(x.index({0, Index::ellipsis(), -1}), {3, 7, 11}));
  EXPECT_TRUE(holds(x.index({1, 2, 3, Index::ellipsis()}), {23}));
  EXPECT_TRUE(has_shape(x.index({Index::new_axis(), 0, Index::ellipsis(), Index::new_axis()}), {1, 3, 4, 1}));
  EXPECT_TRUE(has_shape(x.index({}), {2, 3, 4}));
  EXPECT_TRUE(has_shape(tensor(1.0).index({Index::ellipsis(), Index::new_axis()}), {1}));
}

TEST(IndexTest, TakesAnyIntegerType) {
  const Tensor x = tensor({5, 6, 7});
  EXPECT_EQ(x[std::size_t{1}].item(), 6);
  EXPECT_EQ(x[std::int64_t{1}].item(), 6);
  EXPECT_EQ(x[1ll].item(), 6);
  EXPECT_EQ(x[short{1}].item(), 6);
}

TEST(IndexTest, SlicesAreCutOffAtTheEnds) {
  const Tensor x = tensor({0, 1, 2, 3, 4});
  EXPECT_TRUE(holds(x[Slice{1, 3}], {1, 2}));
  EXPECT_TRUE(holds(x[Slice{-2}], {3, 4}));
  EXPECT_TRUE(holds(x[Slice{0, -1}], {0, 1, 2, 3}));
  EXPECT_TRUE(holds(x[Slice{-100, 100}], {0, 1, 2, 3, 4}));
  EXPECT_TRUE(holds(x[Slice{0, to_end, 2}], {0, 2, 4}));
  EXPECT_TRUE(holds(x[Slice{1, to_end, 3}], {1, 4}));
  EXPECT_TRUE(holds(x[Slice{1, 2, 100}], {1}));
  EXPECT_TRUE(holds(x[Slice{3, 1}], {}));
  EXPECT_TRUE(holds(x[Slice{9}], {}));
  EXPECT_TRUE(holds(x[Slice{0, to_end, to_end}], {0}));
  EXPECT_TRUE(holds(x[Slice{INT64_MIN, INT64_MIN}], {}));
  EXPECT_TRUE(holds(zeros({0})[Slice{0, to_end, 2}], {}));
  message_of(ErrorId::bad_argument, [&] { x[Slice{0, to_end, 0}]; });
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::bad_argument, [&] { x[Slice{4, 0, -1}]; })}));
}

TEST(IndexTest, StepsSendTheirGradientToEveryOther) {
  const Tensor x = arange(5, float64).requires_grad_();
  (x[Slice{1, to_end, 2}] * tensor({10, 20}, float64)).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {0, 10, 0, 20, 0}));
}

TEST(IndexTest, TensorsOfPositionsTakeThePlaceOfTheDim) {
  const Tensor x = matrix();
  EXPECT_TRUE(holds(x[ids({2, 0, -1})], {8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_TRUE(has_shape(x[ids({{0, 1}, {1, 2}})], {2, 2, 4}));
  EXPECT_TRUE(holds(x.index({Index::all(), ids({3, 0})}), {3, 0, 7, 4, 11, 8}));
  EXPECT_TRUE(holds(x.index({ids({0, 2}), 1}), {1, 9}));
  EXPECT_TRUE(has_shape(x[ids({0}).reshape({})], {4}));
  EXPECT_TRUE(has_shape(x[zeros({0}, int64)], {0, 4}));
}

TEST(IndexTest, ThatIsWrongIsAnError) {
  const Tensor x = matrix();
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::index_out_of_range, [&] { x[3]; })}));
  message_of(ErrorId::index_out_of_range, [&] { x[-4]; });
  message_of(ErrorId::index_out_of_range, [&] { x.index({0, 4}); });
  message_of(ErrorId::index_out_of_range, [] { zeros({0})[0]; });
  message_of(ErrorId::index_out_of_range, [&] { x[ids({0, 3})]; });
  message_of(ErrorId::index_out_of_range, [&] { x.narrow(0, 2, 2); });
  message_of(ErrorId::index_out_of_range, [&] { x.narrow(0, 4, 0); });
  message_of(ErrorId::bad_argument, [&] { x.narrow(0, 0, -1); });
  message_of(ErrorId::bad_argument, [&] { x.index({Index::ellipsis(), Index::ellipsis()}); });
  message_of(ErrorId::bad_argument, [&] { x.index({ids({0}), ids({0})}); });
  message_of(ErrorId::dtype_mismatch, [&] { x[mask({true, false, true})]; });
  message_of(ErrorId::dtype_mismatch, [&] { x[tensor({0, 1})]; });
}

TEST(SplitTest, GivesPiecesThatFillTheDim) {
  const Tensor x = arange(5);
  const auto sizes = [](const std::vector<Tensor>& pieces) {
    std::vector<std::int64_t> result;
    for (const Tensor& piece : pieces) result.push_back(piece.numel());
    return result;
  };
  EXPECT_EQ(sizes(x.split(2)), (std::vector<std::int64_t>{2, 2, 1}));
  EXPECT_EQ(sizes(x.split(9)), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(sizes(split(x, {0, 4, 1})), (std::vector<std::int64_t>{0, 4, 1}));
  EXPECT_EQ(sizes(x.chunk(2)), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(sizes(zeros({0}).split(2)), (std::vector<std::int64_t>{0}));
  EXPECT_TRUE(holds(cat(x.split(2)), {0, 1, 2, 3, 4}));
  message_of(ErrorId::bad_argument, [&] { x.split(0); });
  message_of(ErrorId::bad_argument, [&] { x.chunk(0); });
  message_of(ErrorId::bad_argument, [&] { split(x, {2, 2}); });
  message_of(ErrorId::bad_argument, [&] { split(x, {6, -1}); });
}

// A step of 0 once ended the process: it was divided by before it was looked at.
TEST(OpsViewsTest, SliceBackwardRefusesAStepBelowOne) {
  std::vector<std::string> said;
  for (const std::int64_t step : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN}) {
    const std::string message =
        message_of(ErrorId::index_out_of_range, [&] { slice_backward(ones({2}), {4}, 0, 0, step); });
    said.push_back(message);
  }
  EXPECT_TRUE(holds(slice_backward(ones({1}), {2}, 0, 1, 1), {0, 1}));
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

}  // namespace ops_views_test
