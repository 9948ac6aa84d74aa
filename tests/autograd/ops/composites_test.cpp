// Composites: what they refuse, and what a table of values does not show. Their values and derivatives are those of
// op_cases_composites.cpp.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "autograd/autograd.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace composites_test {

using namespace autograd;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;

TEST(Masks, AreNegatedByAnOperator) {
  EXPECT_TRUE(holds(!mask({true, false}), {0, 1}));
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::dtype_mismatch, [] { (void)!zeros({2}); })}));
  EXPECT_TRUE((tensor({1, 2}) > 1.0).any());
  EXPECT_FALSE((tensor({1, 2}) > 1.0).all());
}

TEST(Norm, RefusesOtherNegativePowers) {
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::bad_argument, [] { ones({2}).norm(-1.0); })}));
  message_of(ErrorId::bad_argument, [] { ones({2}).norm(std::numeric_limits<double>::quiet_NaN()); });
  message_of(ErrorId::dtype_mismatch, [] { arange(3).norm(); });
}

TEST(Product, OfOneElementIsACopy) {
  const Tensor x = tensor({3.0});
  x.prod(0) *= 2.0;
  EXPECT_TRUE(holds(x, {3}));
}

TEST(Squeeze, WithoutADimDropsAllOfSize1) {
  EXPECT_TRUE(has_shape(zeros({1, 2, 1}).squeeze(), {2}));
  EXPECT_TRUE(has_shape(zeros({1, 1}).squeeze(), {}));
}

TEST(Repeat, Refuses) {
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::shape_mismatch, [] { zeros({2, 3}).repeat(2); })}));
  message_of(ErrorId::bad_argument, [] { zeros({2}).repeat(-1); });
  message_of(ErrorId::out_of_memory, [] { zeros({4}).repeat(std::int64_t{1} << 62); });
}

TEST(Triangles, NeedAMatrix) {
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::bad_dim, [] { zeros({2}).tril(); })}));
  message_of(ErrorId::bad_dim, [] { zeros({2}).triu(); });
}

TEST(Triangles, HideWhateverStoodThere) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(holds(tensor({{1, nan}, {2, 3}}).tril(), {1, 0, 2, 3}));
}

TEST(Pad, Refuses) {
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::bad_argument, [] { pad(zeros({2}), {1}); })}));
  message_of(ErrorId::bad_argument, [] { pad(zeros({2}), {1, 1, 1, 1}); });
  message_of(ErrorId::bad_argument, [] { pad(zeros({2}), {-2, -1}); });
  message_of(ErrorId::bad_argument, [] { pad(zeros({2}), {INT64_MIN, 0}); });
  message_of(ErrorId::dtype_mismatch, [] { pad(arange(2), {1, 1}, 0.5); });
  message_of(ErrorId::out_of_memory, [] { pad(zeros({2}), {INT64_MAX, 0}); });
}

TEST(OneHot, Refuses) {
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::token_out_of_range, [] {
                               one_hot(ids({0, 3}), 3);
                             })}));
  message_of(ErrorId::token_out_of_range, [] { one_hot(ids({0, -1})); });
  message_of(ErrorId::bad_argument, [] { one_hot(arange(0)); });
  message_of(ErrorId::bad_argument, [] { one_hot(ids({0}), -2); });
  message_of(ErrorId::dtype_mismatch, [] { one_hot(zeros({2})); });
}

TEST(Sorting, RefusesAndIsStable) {
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::bad_argument, [] { zeros({2}).topk(3); })}));
  message_of(ErrorId::bad_argument, [] { zeros({2}).topk(-1); });
  message_of(ErrorId::bad_dim, [] { zeros({2}).sort(1); });
  EXPECT_TRUE(holds(tensor({1, 0, 1, 0}).argsort(), {1, 3, 0, 2}));
  EXPECT_TRUE(holds(tensor({1, 0, 1, 0}).argsort(-1, true), {0, 2, 1, 3}));
  EXPECT_TRUE(allclose(zeros({100}).argsort(), arange(100)));
  EXPECT_TRUE(holds(mask({true, false}).sort().values, {0, 1}));
  EXPECT_TRUE(holds(tensor(3.0).topk(1).indices, {0}));
}

TEST(Einsum, Refuses) {
  std::vector<std::string> said;
  const Tensor a = zeros({2, 3});
  const Tensor b = zeros({3, 4});
  for (const char* equation :
       {"ij", "ij,jk,kl->il", "ii,jk->ik", "ij,jk->im", "ij,jk->ii", "...j,jk->k", "ij,jk->i-k"}) {
    said.push_back(message_of(ErrorId::bad_argument, [&] { einsum(equation, a, b); }));
  }
  message_of(ErrorId::shape_mismatch, [&] { einsum("i,jk->ik", a, b); });
  said.push_back(message_of(ErrorId::shape_mismatch, [&] { einsum("ij,ik->jk", a, b); }));
  message_of(ErrorId::dtype_mismatch, [&] { einsum("ij,jk->ik", a, zeros({3, 4}, float64)); });
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

TEST(Activations, Refuse) {
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::bad_argument, [] { gelu(zeros({2}), "erf"); })}));
  message_of(ErrorId::dtype_mismatch, [] { silu(arange(2)); });
}

// The loss of a NaN is NaN, and so is its gradient.
TEST(Activations, DoNotHideANaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using F = Tensor (*)(const Tensor& x);
  for (const F f :
       {F([](const Tensor& x) { return elu(x); }), F([](const Tensor& x) { return softplus(x); }),
        F([](const Tensor& x) { return logsigmoid(x); }), F([](const Tensor& x) { return gelu(x, "tanh"); }),
        F([](const Tensor& x) { return x.norm(std::numeric_limits<double>::infinity()); }),
        F([](const Tensor& x) { return binary_cross_entropy_with_logits(x, ones_like(x)); })}) {
    const Tensor x = tensor({nan, 1.0}).requires_grad_();
    const Tensor y = f(x).sum();
    y.backward();
    EXPECT_TRUE(std::isnan(y.item()));
    EXPECT_TRUE(std::isnan(x.grad().at({0})));
  }
}

// At 0 elu has no second derivative, and so no case in the table.
TEST(Activations, EluHasTheSlopeAlphaAt0) {
  const Tensor x = tensor({0.0}, float64).requires_grad_();
  EXPECT_TRUE(holds(grad(elu(x, 0.5), {x})[0], {0.5}));
}

TEST(Losses, RefusePairsThatDiffer) {
  const Tensor x = zeros({2});
  const Tensor y = zeros({2, 1});
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::shape_mismatch, [&] { l1_loss(x, y); })}));
  message_of(ErrorId::shape_mismatch, [&] { huber_loss(x, y); });
  message_of(ErrorId::shape_mismatch, [&] { kl_div(x, y); });
  message_of(ErrorId::shape_mismatch, [&] { binary_cross_entropy_with_logits(x, y); });
  message_of(ErrorId::bad_argument, [&] { huber_loss(x, x, Reduction::mean, 0.0); });
  message_of(ErrorId::dtype_mismatch, [&] { binary_cross_entropy_with_logits(x, arange(2)); });
}

TEST(ScaledDotProductAttention, Refuses) {
  const auto attend = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    return [=] { scaled_dot_product_attention(q, k, v); };
  };
  const Tensor q = zeros({2, 4});
  EXPECT_TRUE(
      fixtures::says("autograd_ops", {message_of(ErrorId::shape_mismatch, attend(q, zeros({3, 5}), zeros({3, 5})))}));
  message_of(ErrorId::shape_mismatch, attend(q, zeros({3, 4}), zeros({2, 5})));
  message_of(ErrorId::shape_mismatch, attend(zeros({4}), zeros({3, 4}), zeros({3, 4})));
  message_of(ErrorId::bad_argument, [&] { scaled_dot_product_attention(q, q, q, ones({2, 2}, boolean), 0.0, true); });
}

TEST(ScaledDotProductAttention, DropsWeights) {
  manual_seed(1);
  const Tensor q = zeros({1, 2});
  const Tensor kept = scaled_dot_product_attention(q, zeros({1000, 2}), ones({1000, 1}), Tensor(), 0.25);
  EXPECT_NEAR(kept.item(), 1.0, 0.1);
  EXPECT_NE(kept.item(), 1.0);
}

// ---- intermediate results may leave the range, if the result does not ----------------------------------------------

struct Homogeneous {
  const char* name;
  int degree;  // f(c x) = c^degree f(x)
  std::function<Tensor(const Tensor& x)> f;
  std::vector<double> scales_of_float32, scales_of_float64;
};

const std::vector<Homogeneous>& homogeneous() {
  const std::vector<double> far32 = {1e-25, 1e20, 1e37}, far64 = {1e-200, 1e200, 1e307};
  const std::vector<double> near_end32 = {1e38}, near_end64 = {5e307};
  static const std::vector<Homogeneous> all = {
      {"norm", 1, [](const Tensor& x) { return x.norm(); }, far32, far64},
      {"norm, dim", 1, [](const Tensor& x) { return x.norm(2.0, 0); }, far32, far64},
      {"norm, p 3", 1, [](const Tensor& x) { return x.norm(3.0); }, far32, far64},
      {"norm, p 1.5", 1, [](const Tensor& x) { return x.norm(1.5, -1, true); }, far32, far64},
      {"norm, p 0.5", 1, [](const Tensor& x) { return x.norm(0.5, 0) / 4.0; }, {1e-25, 1e20}, far64},
      {"std", 1, [](const Tensor& x) { return x.std(); }, far32, far64},
      {"std, dim", 1, [](const Tensor& x) { return x.std(0, 0, true); }, far32, far64},
      {"layer_norm", 0, [](const Tensor& x) { return layer_norm(x, 3, {}, {}, 0.0); }, far32, far64},
      {"mean", 1, [](const Tensor& x) { return x.mean(); }, near_end32, near_end64},
      {"mean, dim", 1, [](const Tensor& x) { return x.mean(0); }, near_end32, near_end64},
      {"var", 2, [](const Tensor& x) { return x.var() * 0.25; }, {1e19}, {6e153}},
      {"mse_loss", 2, [](const Tensor& x) { return mse_loss(x, zeros_like(x)) * 0.25; }, {8e18}, {5e153}},
  };
  return all;
}

struct Derivatives {
  Tensor y, first, second;
};

Derivatives derivatives(const Homogeneous& one, const Tensor& at) {
  const Tensor x = at.detach().requires_grad_();
  const Tensor y = one.f(x);
  const Tensor weights = linspace(0.5, 1.5, y.numel(), y.dtype()).view(y.shape());
  const Tensor first = grad(y, {x}, {.grad_output = weights, .create_graph = true})[0];
  const Tensor product = (first * linspace(-1.0, 2.0, x.numel(), x.dtype()).view(x.shape())).sum() + (x * 0.0).sum();
  return {y.detach(), first.detach(), grad(product, {x})[0]};
}

bool is_near(const Tensor& found, const Tensor& expected, double factor) {
  const double tolerance = found.dtype() == float32 ? 2e-5 : 1e-12;
  return allclose(found.to(float64) / factor, expected, tolerance, tolerance);
}

TEST(Range, OfIntermediateResultsIsThatOfTheResult) {
  const Tensor x = tensor({{3.0, -1.0, 2.0}, {0.5, 1.75, -2.5}, {2.0, 1.0, -0.25}}, float64);
  for (const Homogeneous& one : homogeneous()) {
    const Derivatives expected = derivatives(one, x);
    for (const DType dtype : {float32, float64}) {
      for (const double scale : dtype == float32 ? one.scales_of_float32 : one.scales_of_float64) {
        SCOPED_TRACE(fmt::format("{} in {} at {}", one.name, dtype, scale));
        const Derivatives found = derivatives(one, (x * scale).to(dtype));
        EXPECT_TRUE(is_near(found.y, expected.y, std::pow(scale, one.degree))) << to_string(found.y);
        EXPECT_TRUE(is_near(found.first, expected.first, std::pow(scale, one.degree - 1))) << to_string(found.first);
        const bool is_denormal = one.degree == 0 && scale > 1e18;  // the second derivative itself, 1 / scale^2
        if (is_denormal || (one.degree == 1 && std::abs(std::log10(scale)) > 36 && dtype == float32)) continue;
        if (one.degree == 0 && scale < 1e-19) continue;
        EXPECT_TRUE(is_near(found.second, expected.second, std::pow(scale, one.degree - 2))) << to_string(found.second);
      }
    }
  }
}

TEST(Range, OfNormsOfLargeAndSmallTogether) {
  const Tensor x = tensor({1e20, 1, 1}).requires_grad_();
  x.norm().backward();
  EXPECT_TRUE(allclose(x.grad() * tensor({1, 1e20, 1e20}), ones(3)));
  EXPECT_TRUE(
      allclose(tensor({{1e20, 1e20}, {1e-25, 0}, {3, 4}}).norm(2, 1) / tensor({1.4142136e20, 1e-25, 5}), ones(3)));
  EXPECT_TRUE(holds(tensor({0, 0}).norm(), {0}));
  EXPECT_TRUE(holds(tensor({1e38, 1e38, 1e38, 1e38}).mean() / 1e38, {1}));
}

TEST(Range, OfProducts) {
  const Tensor x = tensor({1e30, 1e-30, 1e30, 1e-30}).requires_grad_();
  const Tensor y = x.prod();
  y.backward();
  EXPECT_NEAR(y.item(), 1.0, 1e-6);
  EXPECT_TRUE(allclose(x.grad() * x.detach(), ones(4), 1e-5));
}

TEST(Range, OfScoresThatAreScaled) {
  const Tensor query = full({1, 64}, 5e18), key = stack({full({64}, 5e18), full({64}, 4e18)});
  EXPECT_TRUE(holds(scaled_dot_product_attention(query, key, tensor({{1}, {2}})), {1}));
}

TEST(Range, OfGelu) {
  const Tensor x = tensor({-1e20, 1e20}).requires_grad_();
  gelu(x, "tanh").sum().backward();
  EXPECT_TRUE(holds(x.grad(), {0, 1}));
}

// At 0, the slope of t log(t) is -infinity; a constant in its place would make it finite.
TEST(Losses, KlDivIsInfinitelySteepAtATargetOf0) {
  const Tensor input = tensor({-1, -2}).requires_grad_();
  const Tensor target = tensor({0, 1}).requires_grad_();
  const Tensor y = kl_div(input, target, Reduction::sum);
  y.backward();
  EXPECT_EQ(y.item(), 2.0);
  EXPECT_TRUE(holds(target.grad(), {-std::numeric_limits<double>::infinity(), 3}));
  EXPECT_TRUE(holds(input.grad(), {0, -1}));
}

// ---- what is masked is not read ------------------------------------------------------------------------------------

TEST(Attention, DoesNotReadWhatIsMasked) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor query = tensor({{0.5, -1.0}, {1.0, 2.0}}, float64).requires_grad_();
  const auto rows = [](double last) {
    return tensor({{1.0, 0.5}, {-1.0, 2.0}, {last, last}}, float64).requires_grad_();
  };
  for (const double last : {nan, std::numeric_limits<double>::infinity()}) {
    for (const Tensor& mask_ : {mask({true, true, false}), mask({{true, true, false}, {true, true, false}}),
                                mask({{true, false, false}, {true, true, false}})}) {
      const auto run = [&](const Tensor& key, const Tensor& value) {
        const Tensor y = scaled_dot_product_attention(query, key, value, mask_);
        std::vector<Tensor> all = grad((y * y).sum(), {query, key, value});
        all.push_back(y);
        return all;
      };
      const std::vector<Tensor> found = run(rows(last), rows(last)), expected = run(rows(0.0), rows(0.0));
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(allclose(found[i], expected[i], 1e-12, 1e-14)) << i;
    }
  }
}

TEST(Attention, IsCausalWithoutReadingAhead) {
  const Tensor key = tensor({{1.0, 0.5}, {std::nan(""), 2.0}});
  const Tensor y = scaled_dot_product_attention(ones({2, 2}), key, key, {}, 0.0, true);
  EXPECT_TRUE(holds(y[0], {1, 0.5}));
  EXPECT_TRUE(y[1].isnan().all());
}

}  // namespace composites_test
