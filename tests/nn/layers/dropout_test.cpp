#include <nn/layers/dropout.h>

#include <cmath>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_dropout_test {

using autograd::ErrorId;
using autograd::Tensor;

TEST(NnDropout, ActsInTrainingOnly) {
  autograd::manual_seed(3);
  nn::Dropout dropout({.p = 0.25});
  const Tensor x = autograd::ones({100, 100});
  const Tensor y = dropout(x);
  const double kept = (y != 0.0).to(autograd::float64).mean().item();
  EXPECT_NEAR(kept, 0.75, 0.02);
  EXPECT_NEAR(y.amax().item(), 1.0 / 0.75, 1e-6);  // the others are scaled up
  dropout.eval();
  EXPECT_EQ(dropout(x).to_vector(), x.to_vector());
  dropout.train();
  EXPECT_NE(dropout(x).to_vector(), x.to_vector());
}

TEST(NnDropout, GradientPassesWhereTheValueDid) {
  autograd::manual_seed(3);
  const nn::Dropout dropout({.p = 0.5});
  const Tensor x = autograd::full({50}, 3.0, autograd::float64).requires_grad_();
  const Tensor y = dropout(x);
  y.sum().backward();
  EXPECT_TRUE(fixtures::near(x.grad() * 3.0, y.detach()));
}

TEST(NnDropout, RefusesProbabilitiesOutsideZeroToOne) {
  EXPECT_TRUE(fixtures::says("nn", {fixtures::message_of(ErrorId::bad_argument, [] { nn::Dropout({.p = 1.5}); })}));
  fixtures::message_of(ErrorId::bad_argument, [] { nn::Dropout({.p = -0.1}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::Dropout({.p = std::nan("")}); });
}

}  // namespace nn_dropout_test
