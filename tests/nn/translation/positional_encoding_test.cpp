#include <nn/translation/positional_encoding.h>

#include <cmath>

#include "tests/nn/nn_fixtures.h"

namespace nn_positional_encoding_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

// ---- the formula ---------------------------------------------------------------------------------------------

// Worked out by hand: with four features the hands turn by 1 and by 1/100 per word.
TEST(NnPositionalEncoding, IsThatOfSection3_5) {
  const Tensor expected = autograd::tensor({{0.0, 1.0, 0.0, 1.0},
                                            {std::sin(1.0), std::cos(1.0), std::sin(0.01), std::cos(0.01)},
                                            {std::sin(2.0), std::cos(2.0), std::sin(0.02), std::cos(0.02)}},
                                           float64);
  EXPECT_TRUE(fixtures::near(nn::sinusoidal_positions(3, 4, 0, float64), expected));
}

TEST(NnPositionalEncoding, AnOddNumberOfFeaturesEndsInASine) {
  const Tensor positions = nn::sinusoidal_positions(2, 3, 0, float64);
  const double slow = std::pow(10000.0, -2.0 / 3.0);
  EXPECT_TRUE(fixtures::near(positions[1], autograd::tensor({std::sin(1.0), std::cos(1.0), std::sin(slow)}, float64)));
}

TEST(NnPositionalEncoding, OneFeatureOneWord) {
  EXPECT_TRUE(fixtures::holds(nn::sinusoidal_positions(1, 1), {0.0}));
}

TEST(NnPositionalEncoding, MayStartAnywhere) {
  const Tensor all = nn::sinusoidal_positions(9, 6, 0, float64);
  EXPECT_TRUE(fixtures::near(nn::sinusoidal_positions(4, 6, 5, float64), all.narrow(0, 5, 4)));
  // There is no longest sentence: each hand is a point of the unit circle at any position.
  const Tensor far = nn::sinusoidal_positions(1, 6, 1000000, float64);
  EXPECT_NEAR((far * far).sum().item(), 3.0, 1e-12);
}

// What the paper says of it: PE(pos + k) is a linear function of PE(pos), for any fixed k the same one.
TEST(NnPositionalEncoding, MovingOnTurnsEachHandByAnAngleOfItsOwn) {
  const std::int64_t steps = 3;
  const Tensor all = nn::sinusoidal_positions(10, 4, 0, float64);  // [10, 4]
  Tensor turn = autograd::zeros({4, 4}, float64);
  for (std::int64_t hand = 0; hand < 2; ++hand) {
    const double angle = static_cast<double>(steps) * (hand == 0 ? 1.0 : 0.01);
    turn.set_({2 * hand, 2 * hand}, std::cos(angle));
    turn.set_({2 * hand, 2 * hand + 1}, std::sin(angle));
    turn.set_({2 * hand + 1, 2 * hand}, -std::sin(angle));
    turn.set_({2 * hand + 1, 2 * hand + 1}, std::cos(angle));
  }
  const Tensor turned = all.narrow(0, 0, 7).matmul(turn.t());
  EXPECT_TRUE(fixtures::near(turned, all.narrow(0, steps, 7)));
}

// ---- the module ----------------------------------------------------------------------------------------------

TEST(NnPositionalEncoding, IsAddedToEverySentence) {
  const nn::PositionalEncoding encoding({.d_model = 6});
  const Tensor x = autograd::randn({2, 3, 6}, float64).requires_grad_();
  const Tensor y = encoding(x, 4);
  for (std::int64_t sentence = 0; sentence < 2; ++sentence) {
    EXPECT_TRUE(fixtures::near(y[sentence] - x[sentence], nn::sinusoidal_positions(3, 6, 4, float64)));
  }
  const Tensor cotangent = autograd::randn({2, 3, 6}, float64);
  y.backward(cotangent);
  EXPECT_TRUE(fixtures::near(x.grad(), cotangent));
  EXPECT_EQ(encoding.num_parameters(), 0);
}

TEST(NnPositionalEncoding, DropoutActsInTrainingOnly) {
  nn::PositionalEncoding encoding({.d_model = 6, .dropout = 0.5});
  const Tensor x = autograd::randn({2, 3, 6});
  EXPECT_FALSE(autograd::allclose(encoding(x), encoding(x)));
  encoding.eval();
  EXPECT_TRUE(autograd::allclose(encoding(x), x + nn::sinusoidal_positions(3, 6)));
}

TEST(NnPositionalEncodingErrors, AreClear) {
  const nn::PositionalEncoding encoding({.d_model = 6});
  fixtures::message_of(ErrorId::shape_mismatch, [&] { encoding(autograd::randn({2, 3, 5})); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::PositionalEncoding({.d_model = 0}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::PositionalEncoding({.d_model = 4, .dropout = 1.5}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::sinusoidal_positions(0, 4); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::sinusoidal_positions(2, 4, -1); });
}

}  // namespace nn_positional_encoding_test
