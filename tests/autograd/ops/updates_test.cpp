// Changes of several tensors at once: their formulas, in one pass and op by op, and all of them or none.

#include "autograd/ops/updates.h"

#include <gtest/gtest.h>

#include "autograd/autograd.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace updates_test {

using namespace autograd;
using fixtures::message_of;

// ---- Adam ----------------------------------------------------------------------------------------------------------

TEST(Adam, EqualsItsFormula) {
  for (const bool amsgrad : {false, true}) {
    for (const std::int64_t size : {1, 5, 16, 1000}) {
      const Tensor p = randn({size}, float64);
      const Tensor g = randn({size}, float64);
      const Tensor m = randn({size}, float64);
      const Tensor v = rand({size}, float64);
      const Tensor largest = rand({size}, float64);
      const AdamStep step{.beta1 = 0.8,
                          .beta2 = 0.95,
                          .eps = 1e-3,
                          .step_size = 0.1,
                          .root_scale = 1.5,
                          .weight_decay = 0.2,
                          .keep = 0.9};
      const Tensor decayed = g + step.weight_decay * p;
      const Tensor m_after = step.beta1 * m + (1.0 - step.beta1) * decayed;
      const Tensor v_after = step.beta2 * v + (1.0 - step.beta2) * decayed * decayed;
      const Tensor largest_after = amsgrad ? maximum(largest, v_after) : v_after;
      const Tensor p_after =
          step.keep * p - step.step_size * m_after / (step.root_scale * largest_after.sqrt() + step.eps);
      adam_step_({{p, g, m, v, step, amsgrad ? largest : Tensor()}});
      EXPECT_TRUE(allclose(m, m_after, 1e-14, 1e-15));
      EXPECT_TRUE(allclose(v, v_after, 1e-14, 1e-15));
      EXPECT_TRUE(allclose(p, p_after, 1e-13, 1e-15));
      EXPECT_TRUE(!amsgrad || allclose(largest, largest_after, 1e-14, 1e-15));
    }
  }
}

// 0 times infinity would be NaN.
TEST(Adam, WithoutDecayGoesByTheGradientAlone) {
  const Tensor p = full({1}, INFINITY);
  const Tensor m = zeros({1});
  adam_step_({{p, ones({1}), m, zeros({1}), {.beta1 = 0.5}}});
  EXPECT_EQ(m.item(), 0.5);
}

TEST(Adam, TakesAnyLayout) {
  const Tensor p = randn({3, 2}, float64);
  const Tensor g = randn({3, 2}, float64);
  const Tensor expected = p.clone();
  adam_step_({{expected, g, zeros({3, 2}, float64), zeros({3, 2}, float64), {}}});
  const Tensor turned = p.t().clone().t();
  adam_step_({{turned, g, zeros({2, 3}, float64).t(), zeros({3, 2}, float64), {}}});
  EXPECT_TRUE(allclose(turned, expected, 1e-14, 1e-15));
}

TEST(Adam, CountsAsAChange) {
  const Tensor x = ones({2}).requires_grad_();
  const Tensor y = (x * x).sum();
  {
    const NoGradGuard no_grad;
    adam_step_({{x, ones({2}), zeros({2}), zeros({2}), {}}});
  }
  EXPECT_TRUE(fixtures::says("autograd_ops", {message_of(ErrorId::in_place_clobber, [&] { y.backward(); })}));
}

TEST(Adam, RefusesWhatDoesNotFit) {
  const Tensor x = ones({2});
  message_of(ErrorId::shape_mismatch, [&] { adam_step_({{x, ones({1}), ones({2}), ones({2}), {}}}); });
  message_of(ErrorId::dtype_mismatch, [&] { adam_step_({{x, ones({2}, float64), ones({2}), ones({2}), {}}}); });
  message_of(ErrorId::in_place_on_view, [&] { adam_step_({{ones({1}).expand({2}), x, x, x, {}}}); });
  message_of(ErrorId::bad_argument, [&] {
    adam_step_({{ones({2}).requires_grad_(), ones({2}), ones({2}), ones({2}), {}}});
  });
  message_of(ErrorId::undefined_tensor, [&] { adam_step_({{x, Tensor(), ones({2}), ones({2}), {}}}); });
}

// The second one does not fit: the first has not moved.
TEST(Adam, ChangesAllOrNone) {
  const Tensor x = ones({2});
  const Tensor average = zeros({2});
  message_of(ErrorId::in_place_on_view, [&] {
    adam_step_({{x, ones({2}), average, zeros({2}), {}}, {ones({1}).expand({2}), x, x, x, {}}});
  });
  EXPECT_TRUE(fixtures::holds(x, {1, 1}));
  EXPECT_TRUE(fixtures::holds(average, {0, 0}));
}

// ---- several at once -----------------------------------------------------------------------------------------------

TEST(ScaleAll, ChangesAllOrNone) {
  const Tensor x = ones({2});
  message_of(ErrorId::in_place_on_view, [&] { scale_all_({x, ones({1}).expand({2})}, 3.0); });
  EXPECT_TRUE(fixtures::holds(x, {1, 1}));
  scale_all_({x, x.narrow(0, 0, 0)}, 3.0);
  EXPECT_TRUE(fixtures::holds(x, {3, 3}));
}

TEST(SumOfSquares, EqualsTheSumOfTheSquares) {
  for (const std::int64_t size : {0, 1, 3, 511, 512, 513, 100'000, 200'003}) {
    const Tensor x = randn({size}, float64);
    EXPECT_NEAR(sum_of_squares(x), (x * x).sum().item(), 1e-12 * static_cast<double>(size));
    EXPECT_NEAR(sum_of_squares(x.to(float32)), (x * x).sum().item(), 1e-6 * static_cast<double>(size));
  }
  const Tensor matrix = randn({3, 4}, float64);
  EXPECT_NEAR(sum_of_squares(matrix.t()), sum_of_squares(matrix), 1e-13);
}

}  // namespace updates_test
