// vjp, jvp, jacobian and hessian, against derivatives by hand.

#include "autograd/composites/functional.h"

#include <gtest/gtest.h>

#include "autograd/autograd.h"
#include "tests/support/expect.h"
#include "tests/support/fixtures.h"
#include "tests/support/golden.h"

namespace functional_test {

using namespace autograd;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;

const Tensor w = tensor({{1, 2, 3}, {4, 5, 6}}, float64);
const Tensor x = tensor({0.5, -1.0, 2.0}, float64);

Tensor linear_map(const Tensor& at) {
  return matmul(w, at);
}
// y[i] = sum_j w[i][j] x[j]^2, so J[i][j] = 2 w[i][j] x[j]
Tensor curved(const Tensor& at) {
  return matmul(w, at * at);
}
// sum x^3, so H = diag(6 x)
Tensor cubes(const Tensor& at) {
  return at.pow(3).sum();
}

TEST(Vjp, IsVTimesTheJacobian) {
  const auto [output, product] = vjp(curved, x, tensor({1, -1}, float64));
  EXPECT_TRUE(holds(output, curved(x).to_vector()));
  EXPECT_TRUE(holds(product, {-3, 6, -12}));  // 2 (w[0] - w[1]) x
  EXPECT_FALSE(output.requires_grad() || product.requires_grad());
}

TEST(Vjp, OfOneNumberIsTheGradient) {
  EXPECT_TRUE(holds(vjp(cubes, x).product, {0.75, 3, 12}));
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::not_a_scalar, [] { vjp(curved, x); })}));
}

// f hands on x, or a part of it: a change in place to a result changes no other, nor x or v.
TEST(Results, AreInMemoryOfTheirOwn) {
  using F = Tensor (*)(const Tensor& at);
  const std::vector<F> functions = {
      [](const Tensor& at) { return at; },
      [](const Tensor& at) { return at + 0.0; },
      [](const Tensor& at) { return at.t(); },
      [](const Tensor& at) { return tanh(at); },
      [](const Tensor& at) {
        return at.sum().expand({2, 2});
      },
  };
  const Tensor at = tensor({{1, 2}, {3, 4}}, float64);
  for (const F f : functions) {
    for (const bool create_graph : {false, true}) {
      const Tensor point = create_graph ? at.clone().requires_grad_() : at.clone();
      const Tensor v = tensor({{5, 6}, {7, 8}}, float64);
      for (const auto product : {+vjp, +jvp}) {
        const auto [output, found] = product(f, point, v, create_graph, Where::current());
        const std::vector<double> y = output.to_vector();
        const NoGradGuard no_grad;
        found.mul_(3.0);
        EXPECT_TRUE(holds(output, y));
        if (!create_graph) output.mul_(2.0);
        EXPECT_TRUE(holds(point, {1, 2, 3, 4}));
        EXPECT_TRUE(holds(v, {5, 6, 7, 8}));
      }
    }
  }
}

TEST(Jvp, IsTheJacobianTimesV) {
  const auto [output, product] = jvp(curved, x, tensor({1, 0, -1}, float64));
  EXPECT_TRUE(holds(output, curved(x).to_vector()));
  EXPECT_TRUE(holds(product, {1 - 12, 4 - 24}));
  EXPECT_FALSE(output.requires_grad() || product.requires_grad());
}

TEST(Jacobian, HasTheSizesOfTheOutputThenThoseOfTheInput) {
  EXPECT_TRUE(holds(jacobian(linear_map, x), w.to_vector()));
  EXPECT_TRUE(holds(jacobian(curved, x), {1, -4, 12, 4, -10, 24}));
  EXPECT_TRUE(has_shape(jacobian([](const Tensor& at) { return at.t(); }, w), {3, 2, 2, 3}));
  EXPECT_TRUE(has_shape(jacobian(cubes, x), {3}));
  EXPECT_TRUE(has_shape(jacobian([](const Tensor& at) { return at.narrow(0, 0, 0); }, x), {0, 3}));
  EXPECT_TRUE(has_shape(jacobian([](const Tensor& at) { return at.sum() * ones({2}); }, zeros({0})), {2, 0}));
}

TEST(Jacobian, AgreesWithVjpAndJvp) {
  manual_seed(3);
  const Tensor point = randn({3}, float64);
  const Tensor along = randn({3}, float64);
  const Tensor against = randn({2}, float64);
  const auto f = [](const Tensor& at) { return tanh(matmul(w, at.softmax(0))); };
  const Tensor J = jacobian(f, point);
  EXPECT_TRUE(allclose(jvp(f, point, along).product, matmul(J, along), 1e-12, 1e-14));
  EXPECT_TRUE(allclose(vjp(f, point, against).product, matmul(against, J), 1e-12, 1e-14));
}

TEST(Hessian, IsTheJacobianOfTheGradient) {
  EXPECT_TRUE(holds(hessian(cubes, x), {3, 0, 0, 0, -6, 0, 0, 0, 12}));
  const auto product = [](const Tensor& at) { return at[0] * at[1]; };
  EXPECT_TRUE(holds(hessian(product, tensor({2, 3}, float64)), {0, 1, 1, 0}));
  EXPECT_TRUE(has_shape(hessian([](const Tensor& at) { return at.square().sum(); }, w), {2, 3, 2, 3}));
  message_of(ErrorId::not_a_scalar, [] { hessian(curved, x); });
}

TEST(Functional, GivesZerosWhereNothingDepends) {
  const auto constant = [](const Tensor&) { return ones({2}, float64); };
  EXPECT_TRUE(holds(vjp(constant, x, ones({2}, float64)).product, {0, 0, 0}));
  EXPECT_TRUE(holds(jvp(constant, x, x).product, {0, 0}));
  EXPECT_TRUE(holds(jacobian(constant, x), {0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(holds(hessian([](const Tensor& at) { return at.sum(); }, x), std::vector<double>(9, 0.0)));
  EXPECT_TRUE(holds(hessian([](const Tensor&) { return ones({}, float64); }, x), std::vector<double>(9, 0.0)));
}

TEST(Functional, LeavesGradientsAloneAndRecordsUnderNoGradToo) {
  const Tensor leaf = x.clone().requires_grad_();
  const Tensor weight = w.clone().requires_grad_();
  const NoGradGuard no_grad;
  const auto f = [&](const Tensor& at) { return matmul(weight, at * at); };
  EXPECT_TRUE(holds(jacobian(f, leaf), {1, -4, 12, 4, -10, 24}));
  EXPECT_TRUE(holds(jvp(f, leaf, tensor({1, 0, -1}, float64)).product, {-11, -20}));
  EXPECT_FALSE(leaf.grad().defined() || weight.grad().defined());
  EXPECT_FALSE(grad_enabled());
}

TEST(Functional, CanBeDifferentiatedAgain) {
  const Tensor leaf = x.clone().requires_grad_();
  const Tensor trace = (hessian(cubes, leaf, true) * eye(3, float64)).sum();
  EXPECT_TRUE(holds(grad(trace, {leaf})[0], {6, 6, 6}));
  const Tensor along = ones({3}, float64).requires_grad_();
  const Tensor product = jvp(curved, leaf, along, true).product.sum();
  EXPECT_TRUE(holds(grad(product, {along})[0], {5, -14, 36}));
  EXPECT_TRUE(holds(grad(product, {leaf})[0], {10, 14, 18}));
  const Tensor sum = vjp(cubes, leaf, Tensor(), true).product.sum();
  EXPECT_TRUE(holds(grad(sum, {leaf})[0], {3, -6, 12}));
}

TEST(Functional, Refuses) {
  EXPECT_TRUE(fixtures::says("autograd_ops",
                             {message_of(ErrorId::shape_mismatch, [] { jvp(curved, x, ones({2}, float64)); })}));
  message_of(ErrorId::shape_mismatch, [] { vjp(curved, x, ones({3}, float64)); });
  message_of(ErrorId::dtype_mismatch, [] { jvp(curved, x, ones({3})); });
  message_of(ErrorId::dtype_mismatch, [] { jacobian(curved, arange(3)); });
  message_of(ErrorId::undefined_tensor, [] { jacobian([](const Tensor&) { return Tensor(); }, x); });
}

}  // namespace functional_test
