#include <nn/optim/clip_grad.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/nn/nn_fixtures.h"

namespace nn_clip_grad_test {

using autograd::ErrorId;
using autograd::Tensor;

class NnClipGrad : public testing::TestWithParam<std::string> {};

TEST_P(NnClipGrad, EqualsPyTorch) {
  const fixtures::Json& one = fixtures::find("optimizers.json", GetParam());
  const fixtures::Call call = fixtures::parse_call(one["note"]);
  std::vector<Tensor> parameters;
  for (const fixtures::Json& gradient : one["gradients"]) {
    const Tensor value = fixtures::tensor(gradient);
    const autograd::Shape shape = value.defined() ? value.shape() : autograd::Shape{2};
    parameters.push_back(autograd::zeros(shape, autograd::float64).requires_grad_());
    if (value.defined()) parameters.back().set_grad(value);
  }
  const double norm = nn::clip_grad_norm_(parameters, std::stod(call.positional.at(1)), call.number("norm_type", 2.0));
  EXPECT_NEAR(norm, one["total_norm"].get<double>(), 1e-9);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_TRUE(fixtures::near(parameters[i].grad(), one["clipped"][i])) << "parameter " << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnClipGrad, testing::ValuesIn(fixtures::ids("optimizers.json", "clip_grad_norm/")),
                         fixtures::test_name);

TEST(NnClipGrad, NotANumberIsNotHidden) {
  const Tensor x = autograd::zeros({2}).requires_grad_();
  const Tensor y = autograd::zeros({1}).requires_grad_();
  x.set_grad(autograd::tensor({1.0, std::nan("")}));
  y.set_grad(autograd::tensor({1.0}));
  EXPECT_TRUE(std::isnan(nn::clip_grad_norm_({x, y}, 1.0)));
  EXPECT_TRUE(std::isnan(y.grad().item()));  // as in PyTorch
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(nn::clip_grad_norm_({x, y}, 1.0, infinity)));
}

// Whichever gradient it is in.
TEST(NnClipGrad, NotANumberIsNotHiddenByANumberBehindIt) {
  for (const double p : {1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()}) {
    for (const std::size_t place : {0, 1, 2}) {
      std::vector<Tensor> parameters;
      for (std::size_t i = 0; i < 3; ++i) {
        parameters.push_back(autograd::zeros({2}).requires_grad_());
        parameters.back().set_grad(autograd::tensor({2.0, i == place ? std::nan("") : 1.0}));
      }
      EXPECT_TRUE(std::isnan(nn::clip_grad_norm_(parameters, 1.0, p))) << p << " at " << place;
    }
  }
}

TEST(NnClipGrad, OfGradientsWhoseSquaresLeaveTheRange) {
  const auto norm = [](const Tensor& gradient, double p) {
    const Tensor x = autograd::zeros(gradient.shape(), gradient.dtype()).requires_grad_();
    x.set_grad(gradient);
    return nn::clip_grad_norm_({x}, std::numeric_limits<double>::infinity(), p);
  };
  for (const double p : {1.5, 2.0, 3.0}) {
    const double ones = std::pow(600.0, 1.0 / p);
    EXPECT_NEAR(norm(autograd::full({600}, 1e20), p) / 1e20, ones, 1e-5) << p;
    EXPECT_NEAR(norm(autograd::full({600}, 1e-25), p) / 1e-25, ones, 1e-5) << p;
    EXPECT_NEAR(norm(autograd::full({600}, 1e200, autograd::float64), p) / 1e200, ones, 1e-11) << p;
    EXPECT_NEAR(norm(autograd::full({600}, 1e-200, autograd::float64), p) / 1e-200, ones, 1e-11) << p;
  }
}

// The second gradient cannot be scaled: neither is the first.
TEST(NnClipGrad, IsDoneToAllOrToNone) {
  const Tensor good = autograd::zeros({2}).requires_grad_();
  const Tensor bad = autograd::zeros({2}).requires_grad_();
  good.set_grad(autograd::tensor({3.0, 4.0}));
  bad.set_grad(autograd::ones({2}));
  bad.impl()->meta->gradient = autograd::ones({1}).expand({2});  // set_grad() may make a copy of it
  for (int time = 0; time < 2; ++time) {
    fixtures::message_of(ErrorId::in_place_on_view, [&] { nn::clip_grad_norm_({good, bad}, 1.0); });
    EXPECT_EQ(good.grad().to_vector(), (std::vector<double>{3.0, 4.0}));
  }
  bad.zero_grad();
  EXPECT_EQ(nn::clip_grad_norm_({good, bad}, 1.0), 5.0);
  EXPECT_NEAR(good.grad().at({0}), 0.6, 1e-6);
}

TEST(NnClipGrad, TakesAGradientOfAnyLayout) {
  const Tensor x = autograd::zeros({2, 2}).requires_grad_();
  x.set_grad(autograd::zeros({2, 2}));
  x.impl()->meta->gradient = autograd::tensor({{3.0, 0.0}, {4.0, 0.0}}).t();
  EXPECT_EQ(nn::clip_grad_norm_({x}, 1.0), 5.0);
  EXPECT_NEAR(x.grad().at({0, 0}), 0.6, 1e-6);
  EXPECT_NEAR(x.grad().at({0, 1}), 0.8, 1e-6);
}

TEST(NnClipGrad, NothingToClipIsFine) {
  EXPECT_EQ(nn::clip_grad_norm_({}, 1.0), 0.0);
  EXPECT_EQ(nn::clip_grad_norm_({autograd::zeros({2}).requires_grad_()}, 1.0), 0.0);
}

TEST(NnClipGrad, RefusesANormThatIsNone) {
  fixtures::message_of(ErrorId::bad_argument, [] { nn::clip_grad_norm_({}, 1.0, 0.0); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::clip_grad_norm_({}, 1.0, std::nan("")); });
}

}  // namespace nn_clip_grad_test
