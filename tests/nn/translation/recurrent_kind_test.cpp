#include <nn/layers/gru.h>
#include <nn/layers/lstm.h>
#include <nn/translation/recurrent_kind.h>

#include "tests/nn/nn_fixtures.h"

namespace nn_recurrent_kind_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using nn::RecurrentKind;

nn::RecurrentOptions small() {
  return {.input_size = 3, .hidden_size = 4, .batch_first = true, .dtype = float64};
}

TEST(NnRecurrentKind, RunIsTheNetworksOwnCall) {
  const nn::GRU gru(small());
  const nn::LSTM lstm(small());
  const Tensor x = autograd::randn({2, 5, 3}, float64);
  const Tensor h = autograd::randn({1, 2, 4}, float64);
  const Tensor c = autograd::randn({1, 2, 4}, float64);
  const nn::RecurrentOutput of_gru = nn::run_recurrent(gru, x, {.hidden = h}, {5, 2});
  EXPECT_TRUE(fixtures::near(of_gru.output, gru(x, h, {5, 2}).output));
  EXPECT_TRUE(fixtures::near(of_gru.state.hidden, gru(x, h, {5, 2}).state));
  EXPECT_FALSE(of_gru.state.cell.defined());
  const nn::RecurrentOutput of_lstm = nn::run_recurrent(lstm, x, {h, c}, {5, 2});
  EXPECT_TRUE(fixtures::near(of_lstm.output, lstm(x, {h, c}, {5, 2}).output));
  EXPECT_TRUE(fixtures::near(of_lstm.state.hidden, lstm(x, {h, c}, {5, 2}).state));
  EXPECT_TRUE(fixtures::near(of_lstm.state.cell, lstm(x, {h, c}, {5, 2}).cell));
}

TEST(NnRecurrentKind, StepsAreThoseOfTheWholeRun) {
  for (const RecurrentKind kind : {RecurrentKind::gru, RecurrentKind::lstm}) {
    const auto network = nn::make_recurrent(kind, small());
    const Tensor x = autograd::randn({2, 5, 3}, float64);
    nn::RecurrentState state{.hidden = autograd::zeros({2, 4}, float64)};
    if (kind == RecurrentKind::lstm) state.cell = autograd::zeros({2, 4}, float64);
    const nn::RecurrentOutput all = nn::run_recurrent(*network, x);
    for (std::int64_t t = 0; t < 5; ++t) {
      state = nn::step_recurrent(*network, x.select(1, t), state);
      EXPECT_TRUE(fixtures::near(state.hidden, all.output.select(1, t)));
    }
    EXPECT_EQ(state.cell.defined(), kind == RecurrentKind::lstm);
    if (state.cell.defined()) {
      EXPECT_TRUE(fixtures::near(state.cell, all.state.cell.select(0, 0)));
    }
  }
}

TEST(NnRecurrentKindErrors, AreClear) {
  nn::RecurrentOptions options = small();
  options.bidirectional = true;
  const auto both_ways = nn::make_recurrent(RecurrentKind::gru, options);
  const Tensor x = autograd::zeros({2, 3}, float64);
  const Tensor h = autograd::zeros({2, 4}, float64);
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::step_recurrent(*both_ways, x, {.hidden = h}); });
  const auto lstm = nn::make_recurrent(RecurrentKind::lstm, small());
  fixtures::message_of(ErrorId::undefined_tensor, [&] { nn::step_recurrent(*lstm, x, {.hidden = h}); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { nn::step_recurrent(*lstm, h, {h, h}); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { nn::step_recurrent(*lstm, x, {x, h}); });
}

}  // namespace nn_recurrent_kind_test
