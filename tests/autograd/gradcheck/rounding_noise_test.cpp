// How much the roundings inside of a function change it: found where they are, and nowhere else.

#include <autograd/autograd.h>
#include <autograd/gradcheck/rounding_noise.h>
#include <gtest/gtest.h>

#include <functional>

namespace rounding_noise_test {

using namespace autograd;

double noise_of(const std::function<Tensor(const Tensor& x)>& f, const Tensor& x, const Tensor& cotangent) {
  const checker::Probe probe([&] { return std::vector<Tensor>{f(x)}; }, {cotangent});
  const std::vector<double> before = x.to_vector();
  const double noise = checker::rounding_noise(probe, *x.data_ptr<double>());
  EXPECT_EQ(x.to_vector(), before) << "put back";
  return noise;
}

double noise_of(const std::function<Tensor(const Tensor& x)>& f, double x) {
  return noise_of(f, tensor(x, float64), tensor(1.0, float64));
}

TEST(RoundingNoise, IsThatOfTheTermsThatCancel) {
  const auto sum_of_centred = [](const Tensor& x) { return (x - x.mean()).sum(); };
  const double noise = noise_of(sum_of_centred, tensor({0.3, 1.7, -2.2, 0.9, 3.1}, float64), tensor(1.0, float64));
  EXPECT_GT(noise, 1e-17);
  EXPECT_LT(noise, 1e-15);
  const auto thousandfold = [&](const Tensor& x) { return 1000.0 * sum_of_centred(x); };
  const double larger = noise_of(thousandfold, tensor({0.3, 1.7, -2.2, 0.9, 3.1}, float64), tensor(1.0, float64));
  EXPECT_NEAR(larger / noise, 1000.0, 1.0);
}

// Uniform rounding to steps of 2^-33 has a standard deviation of that over sqrt(12), 3.4e-11.
TEST(RoundingNoise, IsThatOfALargeOffset) {
  const double noise = noise_of([](const Tensor& x) { return (x + 1e6) - 1e6; }, 0.3);
  EXPECT_GT(noise, 1e-11);
  EXPECT_LT(noise, 1e-10);
}

TEST(RoundingNoise, IsSmallOfASmoothFunction) {
  EXPECT_LT(noise_of([](const Tensor& x) { return tanh(x); }, 0.3), 1e-15);
  EXPECT_LT(noise_of([](const Tensor& x) { return exp(x * x); }, 1.5), 1e-14);
  EXPECT_LT(noise_of([](const Tensor& x) { return sin(30.0 * x); }, 0.7), 1e-14);
  EXPECT_LT(noise_of([](const Tensor& x) { return 1.0 / x; }, 1e-3), 1e-11);
  EXPECT_EQ(noise_of([](const Tensor& x) { return 0.0 * x; }, 0.3), 0.0);
}

TEST(RoundingNoise, IsNotAKinkOrAJump) {
  EXPECT_LT(noise_of([](const Tensor& x) { return abs(x); }, 0.0), 1e-24);
  EXPECT_LT(noise_of([](const Tensor& x) { return 5.0 * relu(x); }, 0.0), 1e-24);
  EXPECT_EQ(noise_of([](const Tensor& x) { return sign(x); }, 0.0), 0.0);
}

TEST(RoundingNoise, IsNotTheEdgeOfTheDomain) {
  EXPECT_LT(noise_of([](const Tensor& x) { return sqrt(x); }, 0.0), 1e-15);
  EXPECT_LT(noise_of([](const Tensor& x) { return log(x); }, 1e-12), 1e-3) << "not a number to the left";
}

}  // namespace rounding_noise_test
