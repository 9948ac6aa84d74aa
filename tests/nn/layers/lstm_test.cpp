#include <nn/layers/lstm.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_lstm_test {

using autograd::ErrorId;
using autograd::Tensor;

class NnLstmCell : public testing::TestWithParam<std::string> {};

TEST_P(NnLstmCell, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::LSTMCell cell({.input_size = one.call().at(0),
                           .hidden_size = one.call().at(1),
                           .bias = one.call().flag("bias", true),
                           .dtype = autograd::float64});
  one.load(cell);
  const auto [hidden, state] = cell(one.input("x"), {one.input("h_0"), one.input("c_0")});
  one.check(cell, {{"h_1", hidden}, {"c_1", state}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnLstmCell, testing::ValuesIn(fixtures::ids("modules.json", "lstm_cell/")),
                         fixtures::test_name);

class NnLstm : public testing::TestWithParam<std::string> {};

TEST_P(NnLstm, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::LSTM lstm(fixtures::recurrent_options(one.call()));
  one.load(lstm);
  const nn::LSTMState initial{one.input("h_0"), one.input("c_0")};
  const auto [output, state, cell] = lstm(one.input("x"), initial, one.lengths("lengths"));
  one.check(lstm, {{"output", output}, {"h_n", state}, {"c_n", cell}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnLstm, testing::ValuesIn(fixtures::ids("modules.json", "lstm/")),
                         fixtures::test_name);

TEST(NnLstmErrors, AreClear) {
  const nn::LSTM lstm({.input_size = 3, .hidden_size = 4});
  const Tensor x = autograd::zeros({5, 2, 3});
  const std::string message = fixtures::message_of(ErrorId::shape_mismatch, [&] {
    lstm(x, {{}, autograd::zeros({1, 3, 4})});
  });
  EXPECT_TRUE(fixtures::says("nn", {message}));
}

}  // namespace nn_lstm_test
