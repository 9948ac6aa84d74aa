#include <nn/layers/gru.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_gru_test {

using autograd::ErrorId;
using autograd::Tensor;

class NnGruCell : public testing::TestWithParam<std::string> {};

TEST_P(NnGruCell, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::GRUCell cell({.input_size = one.call().at(0),
                          .hidden_size = one.call().at(1),
                          .bias = one.call().flag("bias", true),
                          .dtype = autograd::float64});
  one.load(cell);
  one.check(cell, {{"h_1", cell(one.input("x"), one.input("h_0"))}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnGruCell, testing::ValuesIn(fixtures::ids("modules.json", "gru_cell/")),
                         fixtures::test_name);

class NnGru : public testing::TestWithParam<std::string> {};

TEST_P(NnGru, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::GRU gru(fixtures::recurrent_options(one.call()));
  one.load(gru);
  const auto [output, state] = gru(one.input("x"), one.input("h_0"), one.lengths("lengths"));
  one.check(gru, {{"output", output}, {"h_n", state}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnGru, testing::ValuesIn(fixtures::ids("modules.json", "gru/")),
                         fixtures::test_name);

TEST(NnGruCell, IsOneStepOfTheGru) {
  const nn::GRU gru({.input_size = 3, .hidden_size = 4, .dtype = autograd::float64});
  const nn::GRUCell cell({.input_size = 3, .hidden_size = 4, .dtype = autograd::float64});
  cell.weights.weight_ih.detach().copy_(gru.weights[0].weight_ih.detach());
  cell.weights.weight_hh.detach().copy_(gru.weights[0].weight_hh.detach());
  cell.weights.bias_ih.detach().copy_(gru.weights[0].bias_ih.detach());
  cell.weights.bias_hh.detach().copy_(gru.weights[0].bias_hh.detach());
  const Tensor x = autograd::randn({5, 2, 3}, autograd::float64);
  Tensor hidden;
  for (std::int64_t t = 0; t < 5; ++t) hidden = cell(x.select(0, t), hidden);
  EXPECT_TRUE(fixtures::near(gru(x).state.select(0, 0), hidden));
}

TEST(NnGruErrors, AreClear) {
  std::vector<std::string> said;
  fixtures::message_of(ErrorId::bad_argument, [] { nn::GRUCell({.input_size = 3}); });
  const nn::GRUCell cell({.input_size = 3, .hidden_size = 4});
  const std::string wrong_x = fixtures::message_of(ErrorId::shape_mismatch, [&] { cell(autograd::zeros({2, 5})); });
  said.push_back(wrong_x);
  const std::string wrong_state = fixtures::message_of(ErrorId::shape_mismatch, [&] {
    cell(autograd::zeros({2, 3}), autograd::zeros({3, 4}));
  });
  said.push_back(wrong_state);
  EXPECT_TRUE(fixtures::says("nn", said));
}

}  // namespace nn_gru_test
