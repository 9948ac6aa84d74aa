#include <nn/translation/translation_model.h>

#include "tests/nn/nn_fixtures.h"

namespace nn_translation_model_test {

using autograd::Tensor;

Tensor numbered(const autograd::Shape& shape) {
  return autograd::arange(shape.numel(), autograd::float64).reshape(shape);
}

TEST(NnDecoderState, SelectTakesTheRowsOfEveryMember) {
  nn::DecoderState state;
  state.source.keys = numbered({3, 4, 2});
  state.source.values = numbered({3, 4, 5});
  state.source.mask = autograd::length_mask({4, 1, 2});
  state.source.segments = autograd::length_mask({4, 1, 2}).unsqueeze(1);
  state.memory.step = 7;
  state.memory.coverage = numbered({3, 4});
  state.recurrent.hidden = numbered({3, 6});
  state.recurrent.cell = numbered({3, 6}) + 100.0;
  state.context = numbered({3, 5});
  state.caches = {numbered({3, 2, 2}), numbered({3, 1})};

  state.members = {state};
  state.members[0].members = {state};  // an ensemble in an ensemble

  const Tensor rows = autograd::ids({2, 0, 2, 2});
  const nn::DecoderState chosen = state.select(rows);
  const auto expect_rows = [&](const Tensor& actual, const Tensor& all) {
    EXPECT_EQ(actual.dtype(), all.dtype());
    EXPECT_EQ(actual.size(0), 4);
    EXPECT_EQ(actual.select(0, 0).to_vector(), all.select(0, 2).to_vector());
    EXPECT_EQ(actual.select(0, 1).to_vector(), all.select(0, 0).to_vector());
    EXPECT_EQ(actual.select(0, 3).to_vector(), all.select(0, 2).to_vector());
  };
  expect_rows(chosen.source.keys, state.source.keys);
  expect_rows(chosen.source.values, state.source.values);
  expect_rows(chosen.source.mask, state.source.mask);
  expect_rows(chosen.source.segments, state.source.segments);
  EXPECT_EQ(chosen.memory.step, 7);
  expect_rows(chosen.memory.coverage, state.memory.coverage);
  expect_rows(chosen.recurrent.hidden, state.recurrent.hidden);
  expect_rows(chosen.recurrent.cell, state.recurrent.cell);
  expect_rows(chosen.context, state.context);
  ASSERT_EQ(chosen.caches.size(), 2u);
  expect_rows(chosen.caches[0], state.caches[0]);
  expect_rows(chosen.caches[1], state.caches[1]);
  expect_rows(chosen.members.at(0).source.keys, state.source.keys);
  expect_rows(chosen.members.at(0).members.at(0).source.keys, state.source.keys);
  expect_rows(chosen.members.at(0).members.at(0).caches.at(1), state.caches[1]);
  const nn::DecoderState within = state.select_within_sentences(rows);
  EXPECT_TRUE(within.members.at(0).source.keys.is_same(state.source.keys));
  expect_rows(within.members.at(0).recurrent.hidden, state.recurrent.hidden);
}

TEST(NnDecoderState, SelectLeavesUndefinedWhatIsUndefined) {
  nn::DecoderState state;
  state.recurrent.hidden = numbered({3, 6});
  const nn::DecoderState chosen = state.select(autograd::ids({1}));
  EXPECT_EQ(chosen.recurrent.hidden.to_vector(), (std::vector<double>{6, 7, 8, 9, 10, 11}));
  EXPECT_FALSE(chosen.recurrent.cell.defined());
  EXPECT_FALSE(chosen.context.defined());
  EXPECT_FALSE(chosen.source.keys.defined());
  EXPECT_FALSE(chosen.source.mask.defined());
  EXPECT_FALSE(chosen.memory.coverage.defined());
  EXPECT_TRUE(chosen.caches.empty());
}

}  // namespace nn_translation_model_test
