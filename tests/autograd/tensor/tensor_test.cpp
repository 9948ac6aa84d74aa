// The handle: what a tensor says of itself, reading and setting elements, numbers as operands, dtypes, and what becomes
// of bad input.

#include "autograd/tensor/tensor.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <type_traits>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace tensor_test {

using namespace autograd;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;

// ---- handles ----------------------------------------------------------------------------------------------

// x[0] = y would change a handle that is gone at the end of the line, and do nothing.
static_assert(std::is_assignable_v<Tensor&, Tensor>);
static_assert(!std::is_assignable_v<Tensor, Tensor>);
static_assert(!std::is_assignable_v<decltype(std::declval<Tensor>()[0]), const Tensor&>);

TEST(TensorTest, ACopyIsTheSameTensor) {
  const Tensor x = tensor({1, 2});
  const Tensor y = x;
  y.set_({0}, 5.0);
  EXPECT_TRUE(holds(x, {5, 2}));
  EXPECT_EQ(x.impl(), y.impl());
}

TEST(TensorTest, AMovedFromTensorIsUndefined) {
  Tensor x = tensor({1, 2});
  const Tensor y = std::move(x);
  EXPECT_FALSE(x.defined());  // NOLINT(bugprone-use-after-move)
  message_of(ErrorId::undefined_tensor, [&] { x + y; });
  x = y;
  EXPECT_TRUE(holds(x, {1, 2}));
}

TEST(TensorTest, SelfAssignmentChangesNothing) {
  Tensor x = tensor({1, 2}).requires_grad_();
  Tensor& same = x;
  x = same;
  EXPECT_TRUE(holds(x, {1, 2}));
  x = std::move(same);
  EXPECT_TRUE(holds(x, {1, 2}));
  x = x * x;
  x = x + x;
  EXPECT_TRUE(holds(x, {2, 8}));
}

TEST(TensorTest, TellsItsShapeAndType) {
  const Tensor x = zeros({2, 3}, float64);
  EXPECT_TRUE(has_shape(x, {2, 3}));
  EXPECT_EQ(x.dim(), 2);
  EXPECT_EQ(x.numel(), 6);
  EXPECT_EQ(x.dtype(), float64);
  EXPECT_EQ(x.strides(), Strides({3, 1}));
  EXPECT_EQ(x.size(0), 2);
  EXPECT_EQ(x.size(-1), 3);
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message_of(ErrorId::bad_dim, [&] { x.size(2); })}));
}

TEST(TensorTest, ASingleNumberHasNoDims) {
  const Tensor x = tensor(2.5);
  EXPECT_EQ(x.dim(), 0);
  EXPECT_EQ(x.numel(), 1);
  EXPECT_EQ(x.at({}), 2.5);
  message_of(ErrorId::bad_dim, [&] { x.size(0); });
  message_of(ErrorId::bad_dim, [&] { x.size(-1); });
}

TEST(TensorTest, ANameBelongsToTheTensorAndNotToItsViews) {
  const Tensor x = zeros({2, 3});
  EXPECT_EQ(x.name(), "");
  x.set_name("weight");
  const Tensor same = x;
  EXPECT_EQ(same.name(), "weight");
  EXPECT_EQ(x.t().name(), "");
  EXPECT_EQ(x.detach().name(), "");
}

TEST(TensorTest, PrintsItsDType) {
  EXPECT_EQ(fmt::format("{} {} {} {}", float32, float64, int64, boolean), "float32 float64 int64 boolean");
}

// ---- elements ---------------------------------------------------------------------------------------------

TEST(Elements, AreReadByIndexFromEitherEnd) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(x.at({0, 2}), 3);
  EXPECT_EQ(x.at({-1, -3}), 4);
  EXPECT_EQ(x.t().at({2, 0}), 3);
  EXPECT_EQ(x.narrow(1, 1, 2).at({1, 0}), 5);
}

TEST(Elements, AnIndexOutsideIsAnErrorThatNamesDimAndLine) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  const Where here = Where::current();
  const Error error = fixtures::error_of(ErrorId::index_out_of_range, [&] { x.at({1, 3}); });
  EXPECT_EQ(error.where().line, here.line + 1);
  message_of(ErrorId::index_out_of_range, [&] { x.at({-3, 0}); });
  message_of(ErrorId::index_out_of_range, [&] { x.at({0}); });
  message_of(ErrorId::index_out_of_range, [&] { x.at({0, 0, 0}); });
  message_of(ErrorId::index_out_of_range, [&] { x.set_({2, 0}, 1.0); });
  message_of(ErrorId::index_out_of_range, [] { zeros({0}).at({0}); });
  EXPECT_TRUE(fixtures::says("autograd_tensor", {error.what()}));
}

TEST(Elements, ItemIsTheOnlyElement) {
  EXPECT_EQ(tensor(2.5).item(), 2.5);
  EXPECT_EQ(tensor({{7.0}}).item<int>(), 7);
  EXPECT_EQ(mask({true}).item<bool>(), true);
  EXPECT_EQ(tensor({{1, 2}, {3, 4}}).t()[1][0].item(), 2);
  const std::string message = message_of(ErrorId::not_a_scalar, [] { tensor({1, 2}).item(); });
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message}));
  message_of(ErrorId::not_a_scalar, [] { zeros({0}).item(); });
}

// A double has 53 bits; a token id has 64.
TEST(Elements, IntegersAreReadExactly) {
  const std::int64_t large = 9007199254740993;  // 2^53 + 1
  EXPECT_EQ(ids({large}).to_vector<std::int64_t>()[0], large);
  EXPECT_EQ(ids({large}).item<std::int64_t>(), large);
}

TEST(Elements, ComeInRowMajorOrderWhateverTheLayout) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_TRUE(holds(x.t(), {1, 4, 2, 5, 3, 6}));
  EXPECT_TRUE(holds(x.narrow(1, 1, 1), {2, 5}));
  EXPECT_TRUE(holds(x.select(1, 2).unsqueeze(1).expand({2, 2}), {3, 3, 6, 6}));
  EXPECT_TRUE(holds(x.index({Index::all(), Slice{0, Slice::to_end, 2}}), {1, 3, 4, 6}));
}

TEST(Elements, AreConvertedToTheTypeAskedFor) {
  const Tensor x = tensor({0, 1.75, -1.75});
  EXPECT_EQ(x.to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 1, -1}));
  EXPECT_EQ(x.to_vector<bool>(), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(mask({true, false}).to_vector<float>(), (std::vector<float>{1.0f, 0.0f}));
}

TEST(Elements, OfNothingAreNone) {
  EXPECT_TRUE(holds(zeros({0}), {}));
  EXPECT_TRUE(holds(zeros({2, 0, 3}).transpose(0, 2), {}));
}

TEST(Elements, AreSetInTheMemoryThatViewsShare) {
  const Tensor x = zeros({2, 3});
  x.t().set_({2, 1}, 7.0);
  x[0].set_({-1}, 5.0);
  tensor(1.0).set_({}, 3.0);
  EXPECT_TRUE(holds(x, {0, 0, 5, 0, 0, 7}));
}

TEST(Elements, DataPtrIsTheFirstElementOfTheView) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(x[1].data_ptr<float>(), x.data_ptr<float>() + 3);
  EXPECT_EQ(x[1].data_ptr<float>()[2], 6.0f);
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message_of(ErrorId::dtype_mismatch, [&] { x.data_ptr<double>(); })}));
}

// ---- undefined tensors ------------------------------------------------------------------------------------

struct Call {
  std::string name;
  std::function<void(const Tensor& undefined)> run;
};

void PrintTo(const Call& call, std::ostream* out) {
  *out << call.name;
}

std::string call_name(const testing::TestParamInfo<Call>& info) {
  return info.param.name;
}

class UndefinedTensor : public testing::TestWithParam<Call> {};

TEST_P(UndefinedTensor, IsRefusedByNameOfWhatWasAsked) {
  const Call& call = GetParam();
  EXPECT_EQ(fixtures::error_of(ErrorId::undefined_tensor, [&] { call.run(Tensor()); }).op(), call.name);
}

INSTANTIATE_TEST_SUITE_P(Accessors, UndefinedTensor,
                         testing::ValuesIn(std::vector<Call>{
                             {"shape", [](const Tensor& x) { x.shape(); }},
                             {"numel", [](const Tensor& x) { x.numel(); }},
                             {"dtype", [](const Tensor& x) { x.dtype(); }},
                             {"strides", [](const Tensor& x) { x.strides(); }},
                             {"is_contiguous", [](const Tensor& x) { x.is_contiguous(); }},
                             {"name", [](const Tensor& x) { x.name(); }},
                             {"set_name", [](const Tensor& x) { x.set_name("w"); }},
                             {"item", [](const Tensor& x) { x.item(); }},
                             {"at", [](const Tensor& x) { x.at({0}); }},
                             {"is_leaf", [](const Tensor& x) { x.is_leaf(); }},
                             {"grad_fn", [](const Tensor& x) { x.grad_fn(); }},
                             {"requires_grad_", [](const Tensor& x) { x.requires_grad_(); }},
                             {"grad", [](const Tensor& x) { x.grad(); }},
                             {"set_grad", [](const Tensor& x) { x.set_grad(tensor(1.0)); }},
                             {"zero_grad", [](const Tensor& x) { x.zero_grad(); }},
                             {"retain_grad", [](const Tensor& x) { x.retain_grad(); }},
                             {"register_hook", [](const Tensor& x) { x.register_hook({}); }},
                             {"remove_hook", [](const Tensor& x) { x.remove_hook(1); }},
                             {"detach", [](const Tensor& x) { x.detach(); }},
                             {"backward", [](const Tensor& x) { x.backward(); }},
                         }),
                         call_name);

TEST(UndefinedTensor, SaysSoWhenAskedForElementsOrGradients) {
  message_of(ErrorId::undefined_tensor, [] { Tensor().to_vector(); });
  message_of(ErrorId::undefined_tensor, [] { Tensor().data_ptr<float>(); });
  message_of(ErrorId::undefined_tensor, [] { Tensor().size(0); });
  message_of(ErrorId::undefined_tensor, [] { backward({Tensor()}); });
  message_of(ErrorId::undefined_tensor, [] { grad(Tensor(), {tensor(1.0).requires_grad_()}); });
  message_of(ErrorId::undefined_tensor, [] { grad(tensor(1.0).requires_grad_() * 2.0, {Tensor()}); });
  EXPECT_FALSE(Tensor().requires_grad());
  EXPECT_EQ(fmt::format("{}", Tensor()), "undefined");
}

// Once for each operand of each op, so that none reads a tensor before it has checked it.
const std::vector<Call>& calls_of_ops() {
  static const Tensor x = tensor({{1, 2}, {3, 4}});
  static const Tensor i = ids({0, 1});
  static const Tensor ii = ids({{0, 1}, {1, 0}});
  static const Tensor m = mask({true, false});
  // clang-format off
  static const std::vector<Call> calls = {
      {"add", [](const Tensor& u) { u + x; }},
      {"add", [](const Tensor& u) { x + u; }},
      {"add", [](const Tensor& u) { 1.0 + u; }},
      {"sub", [](const Tensor& u) { u - 1.0; }},
      {"mul", [](const Tensor& u) { x* u; }},
      {"div", [](const Tensor& u) { u / u; }},
      {"pow", [](const Tensor& u) { u.pow(2); }},
      {"pow", [](const Tensor& u) { pow(x, u); }},
      {"maximum", [](const Tensor& u) { maximum(x, u); }},
      {"minimum", [](const Tensor& u) { minimum(u, 0.0); }},
      {"neg", [](const Tensor& u) { -u; }},
      {"==", [](const Tensor& u) { (void)(u == x); }},
      {"==", [](const Tensor& u) { (void)(x == u); }},
      {"!=", [](const Tensor& u) { (void)(u != 1.0); }},
      {"<", [](const Tensor& u) { (void)(u < x); }},
      {"<=", [](const Tensor& u) { (void)(x <= u); }},
      {"logical_and", [](const Tensor& u) { logical_and(m, u); }},
      {"logical_or", [](const Tensor& u) { logical_or(u, m); }},
      {"logical_not", [](const Tensor& u) { logical_not(u); }},
      {"any", [](const Tensor& u) { any(u); }},
      {"all", [](const Tensor& u) { all(u); }},
      {"all_finite", [](const Tensor& u) { all_finite(u); }},
      {"allclose", [](const Tensor& u) { allclose(x, u); }},
      {"where", [](const Tensor& u) { where(u, x, x); }},
      {"where", [](const Tensor& u) { where(m, u, x); }},
      {"where", [](const Tensor& u) { where(m, x, u); }},
      {"where", [](const Tensor& u) { where(m, 0.0, u); }},
      {"masked_fill", [](const Tensor& u) { u.masked_fill(m, 0.0); }},
      {"masked_fill", [](const Tensor& u) { x.masked_fill(u, 0.0); }},
      {"exp", [](const Tensor& u) { u.exp(); }},
      {"log", [](const Tensor& u) { u.log(); }},
      {"sqrt", [](const Tensor& u) { u.sqrt(); }},
      {"abs", [](const Tensor& u) { u.abs(); }},
      {"sin", [](const Tensor& u) { sin(u); }},
      {"cos", [](const Tensor& u) { cos(u); }},
      {"tanh", [](const Tensor& u) { u.tanh(); }},
      {"sigmoid", [](const Tensor& u) { u.sigmoid(); }},
      {"relu", [](const Tensor& u) { u.relu(); }},
      {"sign", [](const Tensor& u) { sign(u); }},
      {"clamp", [](const Tensor& u) { u.clamp(0.0, 1.0); }},
      {"sum", [](const Tensor& u) { u.sum(); }},
      {"mean", [](const Tensor& u) { u.mean(); }},
      {"var", [](const Tensor& u) { var(u); }},
      {"amax", [](const Tensor& u) { u.amax(); }},
      {"amin", [](const Tensor& u) { amin(u); }},
      {"max", [](const Tensor& u) { u.max(0); }},
      {"min", [](const Tensor& u) { min(u, 0); }},
      {"argmax", [](const Tensor& u) { u.argmax(0); }},
      {"argmin", [](const Tensor& u) { argmin(u, 0); }},
      {"logsumexp", [](const Tensor& u) { u.logsumexp(0); }},
      {"cumsum", [](const Tensor& u) { cumsum(u, 0); }},
      {"matmul", [](const Tensor& u) { u.matmul(x); }},
      {"matmul", [](const Tensor& u) { x.matmul(u); }},
      {"bmm", [](const Tensor& u) { u.bmm(u); }},
      {"linear", [](const Tensor& u) { linear(u, x); }},
      {"linear", [](const Tensor& u) { linear(x, u); }},
      {"softmax", [](const Tensor& u) { u.softmax(0); }},
      {"log_softmax", [](const Tensor& u) { u.log_softmax(0); }},
      {"masked_softmax", [](const Tensor& u) { masked_softmax(u, m); }},
      {"masked_softmax", [](const Tensor& u) { masked_softmax(x, u); }},
      {"transpose", [](const Tensor& u) { u.transpose(0, 1); }},
      {"t", [](const Tensor& u) { u.t(); }},
      {"permute", [](const Tensor& u) { u.permute({0}); }},
      {"squeeze", [](const Tensor& u) { u.squeeze(0); }},
      {"unsqueeze", [](const Tensor& u) { u.unsqueeze(0); }},
      {"expand", [](const Tensor& u) { u.expand({2}); }},
      {"view", [](const Tensor& u) { u.view({2}); }},
      {"reshape", [](const Tensor& u) { u.reshape({2}); }},
      {"flatten", [](const Tensor& u) { u.flatten(); }},
      {"clone", [](const Tensor& u) { u.clone(); }},
      {"contiguous", [](const Tensor& u) { u.contiguous(); }},
      {"to", [](const Tensor& u) { u.to(float64); }},
      {"flip", [](const Tensor& u) { flip(u, 0); }},
      {"cat", [](const Tensor& u) { cat({u, x}); }},
      {"cat", [](const Tensor& u) { cat({x, u}); }},
      {"stack", [](const Tensor& u) { stack({x, u}); }},
      {"narrow", [](const Tensor& u) { u.narrow(0, 0, 1); }},
      {"select", [](const Tensor& u) { u.select(0, 0); }},
      {"slice", [](const Tensor& u) { slice(u, 0, {}); }},
      {"split", [](const Tensor& u) { u.split(1); }},
      {"chunk", [](const Tensor& u) { u.chunk(1); }},
      {"index", [](const Tensor& u) { u[0]; }},
      {"index", [](const Tensor& u) { x[u]; }},
      {"slice_backward", [](const Tensor& u) { slice_backward(u, {2}, 0, 0, 1); }},
      {"gather", [](const Tensor& u) { u.gather(0, ii); }},
      {"gather", [](const Tensor& u) { x.gather(0, u); }},
      {"scatter_add", [](const Tensor& u) { scatter_add(u, 0, ii, x); }},
      {"scatter_add", [](const Tensor& u) { scatter_add(x, 0, u, x); }},
      {"scatter_add", [](const Tensor& u) { scatter_add(x, 0, ii, u); }},
      {"index_select", [](const Tensor& u) { u.index_select(0, i); }},
      {"index_select", [](const Tensor& u) { x.index_select(0, u); }},
      {"index_add", [](const Tensor& u) { index_add(u, 0, i, x); }},
      {"index_add", [](const Tensor& u) { index_add(x, 0, u, x); }},
      {"index_add", [](const Tensor& u) { index_add(x, 0, i, u); }},
      {"embedding", [](const Tensor& u) { embedding(u, i); }},
      {"embedding", [](const Tensor& u) { embedding(x, u); }},
      {"dropout", [](const Tensor& u) { dropout(u); }},
      {"mse_loss", [](const Tensor& u) { mse_loss(u, x); }},
      {"mse_loss", [](const Tensor& u) { mse_loss(x, u); }},
      {"nll_loss", [](const Tensor& u) { nll_loss(u, i); }},
      {"nll_loss", [](const Tensor& u) { nll_loss(x, u); }},
      {"cross_entropy", [](const Tensor& u) { cross_entropy(u, i); }},
      {"cross_entropy", [](const Tensor& u) { cross_entropy(x, u); }},
      {"layer_norm", [](const Tensor& u) { layer_norm(u, {2}); }},
      {"zeros_like", [](const Tensor& u) { zeros_like(u); }},
      {"ones_like", [](const Tensor& u) { ones_like(u); }},
      {"add_", [](const Tensor& u) { u.add_(1.0); }},
      {"add_", [](const Tensor& u) { x.add_(u); }},
      {"sub_", [](const Tensor& u) { x.sub_(u); }},
      {"mul_", [](const Tensor& u) { u.mul_(x); }},
      {"mul_", [](const Tensor& u) { x.mul_(u); }},
      {"div_", [](const Tensor& u) { x.div_(u); }},
      {"copy_", [](const Tensor& u) { u.copy_(x); }},
      {"copy_", [](const Tensor& u) { x.copy_(u); }},
      {"fill_", [](const Tensor& u) { u.fill_(0.0); }},
      {"fill_", [](const Tensor& u) { u.zero_(); }},
      {"set_", [](const Tensor& u) { u.set_({0}, 1.0); }},
      {"addcmul_", [](const Tensor& u) { u.addcmul_(x, x); }},
      {"addcmul_", [](const Tensor& u) { x.addcmul_(x, u); }},
      {"addcdiv_", [](const Tensor& u) { x.addcdiv_(u, x); }},
  };
  // clang-format on
  return calls;
}

class UndefinedOperand : public testing::TestWithParam<Call> {};

TEST_P(UndefinedOperand, IsRefusedByNameOfTheOpAtTheUsersLine) {
  const Call& call = GetParam();
  const Error error = fixtures::error_of(ErrorId::undefined_tensor, [&] { call.run(Tensor()); });
  EXPECT_EQ(error.op(), call.name);
  EXPECT_STREQ(error.where().file, "tests/autograd/tensor/tensor_test.cpp");
}

INSTANTIATE_TEST_SUITE_P(Ops, UndefinedOperand, testing::ValuesIn(calls_of_ops()));

// ---- numbers as operands ----------------------------------------------------------------------------------

TEST(Operands, MayBeNumbersOnEitherSide) {
  const Tensor x = tensor({1, 2, 4});
  EXPECT_TRUE(holds(2.0 + x, {3, 4, 6}));
  EXPECT_TRUE(holds(x + 2, {3, 4, 6}));
  EXPECT_TRUE(holds(2.0 - x, {1, 0, -2}));
  EXPECT_TRUE(holds(x - 2.0, {-1, 0, 2}));
  EXPECT_TRUE(holds(2 * x, {2, 4, 8}));
  EXPECT_TRUE(holds(x * 2.0, {2, 4, 8}));
  EXPECT_TRUE(holds(8.0 / x, {8, 4, 2}));
  EXPECT_TRUE(holds(x / 2.0, {0.5, 1, 2}));
  EXPECT_TRUE(holds(pow(2.0, x), {2, 4, 16}));
  EXPECT_TRUE(holds(x.pow(2), {1, 4, 16}));
  EXPECT_TRUE(holds(maximum(2.0, x), {2, 2, 4}));
  EXPECT_TRUE(holds(minimum(x, 2.0), {1, 2, 2}));
  EXPECT_TRUE(holds(-x, {-1, -2, -4}));
}

TEST(Operands, TwoNumbersGiveAFloat32) {
  EXPECT_TRUE(holds(add(1.0, 2.0), {3}));
  EXPECT_EQ(add(1.0, 2.0).dtype(), float32);
  EXPECT_TRUE(holds(Operand(1.0) < Operand(2.0), {1}));
  EXPECT_TRUE(holds(-Operand(1.0), {-1}));
  EXPECT_TRUE(holds(where(mask({true, false}), 1.0, 2.0), {1, 2}));
}

TEST(Operands, ANumberTakesOnTheDTypeBesideIt) {
  EXPECT_EQ((tensor({1}, float64) + 0.1).dtype(), float64);
  EXPECT_EQ((tensor({1}, float64) + 0.1).item(), 1.1);
  EXPECT_EQ((0.1 + tensor({1}, float32)).dtype(), float32);
  EXPECT_EQ((ids({1}) + 2.0).dtype(), int64);
  EXPECT_EQ(where(mask({true}), 0.0, ids({1})).dtype(), int64);
}

// 2.5 beside integers would silently be 2.
TEST(Operands, AFractionBesideIntegersIsAnError) {
  std::vector<std::string> said;
  const Tensor x = ids({1, 2, 3});
  said.push_back(message_of(ErrorId::dtype_mismatch, [&] { x + 2.5; }));
  message_of(ErrorId::dtype_mismatch, [&] { 0.5 * x; });
  said.push_back(message_of(ErrorId::dtype_mismatch, [&] { x < 2.5; }));
  message_of(ErrorId::dtype_mismatch, [&] { 2.5 == x; });
  message_of(ErrorId::dtype_mismatch, [&] { mask({true}) == 0.5; });
  message_of(ErrorId::dtype_mismatch, [&] { where(mask({true}), x, 0.5); });
  EXPECT_TRUE(fixtures::says("autograd_tensor", said));
}

TEST(Operands, ANumberBeyondTheIntegersIsAnErrorBesideThem) {
  const Tensor x = ids({1, 2, 3});
  for (const double number : {1e30, -1e30, 9223372036854775808.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
    message_of(ErrorId::dtype_mismatch, [&] { x + number; });
    message_of(ErrorId::dtype_mismatch, [&] { x == number; });
  }
  EXPECT_EQ((x * -9223372036854775808.0).to_vector<std::int64_t>()[0], std::numeric_limits<std::int64_t>::min());
}

TEST(Operands, OfComparisonsMayBeNumbersOnEitherSide) {
  const Tensor x = tensor({1, 2, 3});
  EXPECT_TRUE(holds(x < 2.0, {1, 0, 0}));
  EXPECT_TRUE(holds(x <= 2.0, {1, 1, 0}));
  EXPECT_TRUE(holds(x > 2.0, {0, 0, 1}));
  EXPECT_TRUE(holds(x >= 2.0, {0, 1, 1}));
  EXPECT_TRUE(holds(x == 2.0, {0, 1, 0}));
  EXPECT_TRUE(holds(x != 2.0, {1, 0, 1}));
  EXPECT_TRUE(holds(2.0 < x, {0, 0, 1}));
  EXPECT_TRUE(holds(2.0 >= x, {1, 1, 0}));
  EXPECT_TRUE(holds(2.0 == x, {0, 1, 0}));
  EXPECT_EQ((x < 2.0).dtype(), boolean);
}

TEST(Operands, OfComparisonsBroadcastAndAreOfAnyDType) {
  EXPECT_TRUE(holds(tensor({{1}, {2}}) < tensor({1, 2, 3}), {0, 1, 1, 0, 0, 1}));
  EXPECT_TRUE(holds(ids({1, 2}) == ids({1, 3}), {1, 0}));
  EXPECT_TRUE(holds(mask({true, false}) == mask({true, true}), {1, 0}));
  EXPECT_TRUE(holds(ids({3, 4}) >= 4.0, {0, 1}));
  EXPECT_FALSE((tensor({1}).requires_grad_() < 2.0).requires_grad());
}

// ---- dtypes -----------------------------------------------------------------------------------------------

TEST(DTypes, NeverMixByThemselves) {
  std::vector<std::string> said;
  const Tensor a = tensor({1, 2}, float32);
  const std::vector<Tensor> others = {tensor({1, 2}, float64), ids({1, 2}), mask({true, false})};
  const std::vector<std::function<Tensor(const Tensor& b)>> ops = {
      [&](const Tensor& b) { return a + b; },
      [&](const Tensor& b) { return b - a; },
      [&](const Tensor& b) { return a * b; },
      [&](const Tensor& b) { return b / a; },
      [&](const Tensor& b) { return pow(a, b); },
      [&](const Tensor& b) { return maximum(b, a); },
      [&](const Tensor& b) { return a == b; },
      [&](const Tensor& b) { return b < a; },
      [&](const Tensor& b) { return a.matmul(b); },
      [&](const Tensor& b) {
        return cat({a, b});
      },
      [&](const Tensor& b) {
        return where(mask({true, false}), a, b);
      },
      [&](const Tensor& b) { return mse_loss(a, b); },
      [&](const Tensor& b) { return a.clone().add_(b); },
      [&](const Tensor& b) { return a.clone().copy_(b); },
  };
  for (const Tensor& b : others) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      SCOPED_TRACE(fmt::format("op {} with {}", i, b.dtype()));
      const std::string message = message_of(ErrorId::dtype_mismatch, [&] { ops[i](b); });
      said.push_back(message);
    }
  }
  EXPECT_TRUE(fixtures::says("autograd_tensor", said));
}

TEST(DTypes, IntegersAreAddedSubtractedAndMultiplied) {
  const Tensor x = ids({1, 2, 3});
  EXPECT_TRUE(holds(x + x, {2, 4, 6}));
  EXPECT_TRUE(holds(x - 1.0, {0, 1, 2}));
  EXPECT_TRUE(holds(2.0 * x, {2, 4, 6}));
  EXPECT_TRUE(holds(x.sum(), {6}));
  EXPECT_EQ((x + x).dtype(), int64);
}

TEST(DTypes, WhatIsDifferentiatedRefusesIntegersAndBooleans) {
  std::vector<std::string> said;
  for (const Tensor& x : {ids({1, 2}), mask({true, false})}) {
    SCOPED_TRACE(name(x.dtype()));
    said.push_back(message_of(ErrorId::dtype_mismatch, [&] { x / x; }));
    message_of(ErrorId::dtype_mismatch, [&] { x.pow(2); });
    message_of(ErrorId::dtype_mismatch, [&] { x.exp(); });
    message_of(ErrorId::dtype_mismatch, [&] { x.mean(); });
    message_of(ErrorId::dtype_mismatch, [&] { x.softmax(0); });
    message_of(ErrorId::not_differentiable, [&] { x.requires_grad_(); });
    EXPECT_FALSE(x.requires_grad());
  }
  message_of(ErrorId::dtype_mismatch, [] { mask({true}) + mask({true}); });
  message_of(ErrorId::dtype_mismatch, [] { -mask({true}); });
  EXPECT_TRUE(fixtures::says("autograd_tensor", said));
}

// ---- sizes of zero ----------------------------------------------------------------------------------------

TEST(EmptyTensors, BroadcastLikeAnySize) {
  EXPECT_TRUE(has_shape(zeros({0}) + zeros({1}), {0}));
  EXPECT_TRUE(has_shape(zeros({2, 0}) * zeros({2, 1}), {2, 0}));
  EXPECT_TRUE(has_shape(zeros({3, 1, 0}) - tensor(1.0), {3, 1, 0}));
  EXPECT_TRUE(has_shape(zeros({0, 3}) < zeros({3}), {0, 3}));
  message_of(ErrorId::shape_mismatch, [] { zeros({0}) + zeros({2}); });
}

TEST(EmptyTensors, GiveGradientsOfTheInputsShape) {
  const Tensor nothing = zeros({0, 3}).requires_grad_();
  const Tensor row = ones({1, 3}).requires_grad_();
  (nothing * row + 1.0).sum().backward();
  EXPECT_TRUE(has_shape(nothing.grad(), {0, 3}));
  EXPECT_TRUE(has_shape(row.grad(), {1, 3}));
  EXPECT_TRUE(holds(row.grad(), {0, 0, 0}));
}

TEST(EmptyTensors, MultiplyToZeros) {
  EXPECT_TRUE(holds(zeros({2, 0}).matmul(zeros({0, 3})), {0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(has_shape(zeros({0, 2}).matmul(zeros({2, 3})), {0, 3}));
  EXPECT_TRUE(has_shape(zeros({4, 2, 0}).matmul(zeros({0, 5})), {4, 2, 5}));
  EXPECT_TRUE(has_shape(zeros({4, 0, 2}).matmul(zeros({2, 5})), {4, 0, 5}));
  EXPECT_TRUE(has_shape(zeros({4, 2, 3}).matmul(zeros({3, 0})), {4, 2, 0}));
  EXPECT_TRUE(holds(zeros({2, 0}).t().t().sum(), {0}));
  EXPECT_TRUE(holds(linear(zeros({2, 0}), zeros({3, 0}), tensor({1, 2, 3})), {1, 2, 3, 1, 2, 3}));
}

// ---- sizes beyond memory ----------------------------------------------------------------------------------

TEST(HugeSizes, OfNewTensorsAreOutOfMemory) {
  const std::int64_t huge = std::int64_t{1} << 40;
  const std::string message = message_of(ErrorId::out_of_memory, [&] { zeros({huge, huge}); });
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message}));
  message_of(ErrorId::out_of_memory, [&] { empty({huge, huge, huge, huge}); });
  message_of(ErrorId::out_of_memory, [&] { empty({std::numeric_limits<std::int64_t>::max()}); });
  message_of(ErrorId::out_of_memory, [&] { empty({huge, 8}, float64); });
  message_of(ErrorId::out_of_memory, [&] { eye(huge); });
}

// 0 * 2^40 * 2^40 is 0, but the strides of such a shape cannot be computed.
TEST(HugeSizes, BesideAZeroAreOutOfMemoryToo) {
  const std::int64_t huge = std::int64_t{1} << 40;
  message_of(ErrorId::out_of_memory, [&] { zeros({0, huge, huge}); });
  message_of(ErrorId::out_of_memory, [&] { zeros({huge, huge, 0}); });
}

TEST(HugeSizes, OfResultsAreOutOfMemory) {
  const std::int64_t huge = std::int64_t{1} << 40;
  const Tensor column = zeros({1, 1}).expand({huge, 1});
  const Tensor row = zeros({1}).expand(huge);
  message_of(ErrorId::out_of_memory, [&] { column + row; });
  message_of(ErrorId::out_of_memory, [&] { column == row; });
  message_of(ErrorId::out_of_memory, [&] { where(mask({true}), column, row); });
  message_of(ErrorId::out_of_memory, [&] { column.matmul(column.t()); });
  message_of(ErrorId::out_of_memory, [&] { row.clone(); });
  message_of(ErrorId::out_of_memory, [&] { row.exp(); });
}

// 2^62 elements of 4 bytes are 2^64 bytes, which overflow to none.
TEST(HugeSizes, OfViewsAreOutOfMemory) {
  const std::int64_t huge = std::int64_t{1} << 62;
  message_of(ErrorId::out_of_memory, [&] { zeros({1}).expand(huge); });
  message_of(ErrorId::out_of_memory, [&] { zeros({1, 1}).expand({huge, huge}); });
}

// 2^32 * 2^32 overflows to 0, as many elements as there are.
TEST(HugeSizes, DoNotFitIntoAReshape) {
  const std::int64_t large = std::int64_t{1} << 32;
  message_of(ErrorId::out_of_memory, [&] { zeros({0}).reshape({large, large}); });
  message_of(ErrorId::out_of_memory, [&] { zeros({0}).view({large, large}); });
  message_of(ErrorId::out_of_memory, [&] { zeros({2}).reshape({large, -1, large}); });
}

TEST(NegativeSizes, AreBadArguments) {
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message_of(ErrorId::bad_argument, [] { zeros({2, -1}); })}));
  message_of(ErrorId::bad_argument, [] { arange(-1); });
  message_of(ErrorId::bad_argument, [] { zeros({1}).expand({-2}); });
  message_of(ErrorId::bad_argument, [] { zeros({1}).reshape({-2}); });
}

}  // namespace tensor_test
