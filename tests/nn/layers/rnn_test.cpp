#include <nn/layers/rnn.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_rnn_test {

using autograd::ErrorId;
using autograd::Tensor;

class NnRnn : public testing::TestWithParam<std::string> {};

TEST_P(NnRnn, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::RNN rnn(fixtures::recurrent_options(one.call()));
  one.load(rnn);
  const auto [output, state] = rnn(one.input("x"), one.input("h_0"), one.lengths("lengths"));
  one.check(rnn, {{"output", output}, {"h_n", state}});
}

INSTANTIATE_TEST_SUITE_P(Fixtures, NnRnn, testing::ValuesIn(fixtures::ids("modules.json", "rnn/")),
                         fixtures::test_name);

TEST(NnRnnErrors, AreClear) {
  const nn::RNN rnn({.input_size = 3, .hidden_size = 4});
  const std::string wrong = fixtures::message_of(ErrorId::shape_mismatch, [&] { rnn(autograd::zeros({2, 2, 5})); });
  EXPECT_TRUE(fixtures::says("nn", {wrong}));
}

}  // namespace nn_rnn_test
