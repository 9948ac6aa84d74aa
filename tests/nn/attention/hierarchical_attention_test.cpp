#include <nn/attention/hierarchical_attention.h>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"

namespace nn_hierarchical_attention_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

nn::AttentionOptions small() {
  return {.decoder_dim = 2, .encoder_dim = 6, .attention_dim = 7, .dtype = float64};
}

// Separators so that the segments are those of the case: 0 1 | 2 3 4, 0, and 0 | 1 2.
Tensor segments_of_the_case() {
  const Tensor ids = autograd::ids({{5, 9, 5, 5, 5}, {5, 0, 0, 0, 0}, {9, 5, 5, 0, 0}});
  return nn::segments_of(ids, 9, autograd::length_mask({5, 1, 3}));
}

TEST(NnHierarchicalAttention, EqualsPyTorch) {
  fixtures::expect_equals_pytorch("hierarchical", nn::HierarchicalAttention(small()), segments_of_the_case());
  fixtures::expect_equals_pytorch("hierarchical_one", nn::HierarchicalAttention(small()));
}

TEST(NnHierarchicalAttention, GradientsWithSegmentsOfDifferentNumberAndLength) {
  const nn::HierarchicalAttention attention(small());
  EXPECT_TRUE(fixtures::check_steps(attention, autograd::randn({3, 2, 2}, float64), autograd::randn({3, 5, 6}, float64),
                                    autograd::length_mask({5, 1, 3}), segments_of_the_case()));
}

// A segment's share is beta_n, its words' shares of it alpha_ni: computed here level by level.
TEST(NnHierarchicalAttention, WeightsAreWordWeightsTimesSegmentWeights) {
  const nn::HierarchicalAttention attention(small());
  const Tensor query = autograd::randn({1, 2}, float64);
  const Tensor outputs = autograd::randn({1, 5, 6}, float64);
  nn::AttentionSource source = attention.read_source(outputs);
  source.segments = autograd::stack(
      {autograd::mask({{true, true, false, false, false}}), autograd::mask({{false, false, true, true, true}})}, 1);
  nn::AttentionMemory memory;
  const auto found = attention(query, source, memory);
  const auto first = attention.word(query, outputs.narrow(1, 0, 2));
  const auto second = attention.word(query, outputs.narrow(1, 2, 3));
  const auto top = attention.sentence(query, autograd::stack({first.context, second.context}, 1));
  EXPECT_TRUE(fixtures::near(found.context, top.context));
  EXPECT_TRUE(fixtures::near(found.weights.narrow(1, 0, 2), first.weights * top.weights.narrow(1, 0, 1)));
  EXPECT_TRUE(fixtures::near(found.weights.narrow(1, 2, 3), second.weights * top.weights.narrow(1, 1, 1)));
}

TEST(NnHierarchicalAttention, WithoutSegmentsItIsAdditiveAttentionOverTheWords) {
  const nn::HierarchicalAttention attention(small());
  const Tensor query = autograd::randn({2, 2}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  const Tensor mask = autograd::length_mask({4, 3});
  nn::AttentionMemory memory;
  const auto found = attention(query, attention.read_source(outputs, mask), memory);
  const auto expected = attention.word(query, outputs, mask);
  EXPECT_TRUE(fixtures::near(found.context, expected.context));
  EXPECT_TRUE(fixtures::near(found.weights, expected.weights));
}

// Segments without words, and words that are in no segment.
TEST(NnHierarchicalAttention, EmptySegmentsGetNothing) {
  const nn::HierarchicalAttention attention(small());
  const Tensor query = autograd::randn({1, 2}, float64);
  const Tensor outputs = autograd::randn({1, 3, 6}, float64);
  nn::AttentionSource source = attention.read_source(outputs);
  source.segments = autograd::mask({{false, false, false}, {false, true, true}}).unsqueeze(0);
  nn::AttentionMemory memory;
  const auto found = attention(query, source, memory);
  EXPECT_EQ(found.weights.at({0, 0}), 0.0);
  const auto expected = attention.word(query, outputs.narrow(1, 1, 2));
  EXPECT_TRUE(fixtures::near(found.weights.narrow(1, 1, 2), expected.weights));
  EXPECT_TRUE(fixtures::near(found.context, expected.context));
}

// ---- segments --------------------------------------------------------------------------------------------------

TEST(NnSegmentsOf, ASeparatorEndsItsSegment) {
  const Tensor ids = autograd::ids({{4, 9, 5, 9, 6}, {4, 5, 6, 7, 9}});
  const Tensor segments = nn::segments_of(ids, 9);
  EXPECT_TRUE(fixtures::has_shape(segments, {2, 3, 5}));
  EXPECT_TRUE(fixtures::holds(segments[0], {1, 1, 0, 0, 0, /**/ 0, 0, 1, 1, 0, /**/ 0, 0, 0, 0, 1}));
  EXPECT_TRUE(fixtures::holds(segments[1], {1, 1, 1, 1, 1, /**/ 0, 0, 0, 0, 0, /**/ 0, 0, 0, 0, 0}));
}

TEST(NnSegmentsOf, PaddingIsInNoneAndMakesNone) {
  const Tensor ids = autograd::ids({{4, 9, 0, 0}, {9, 9, 4, 0}});
  const Tensor segments = nn::segments_of(ids, 9, autograd::length_mask({2, 3}, 4));
  EXPECT_TRUE(fixtures::has_shape(segments, {2, 3, 4}));
  EXPECT_TRUE(fixtures::holds(segments[0], {1, 1, 0, 0, /**/ 0, 0, 0, 0, /**/ 0, 0, 0, 0}));
  EXPECT_TRUE(fixtures::holds(segments[1], {1, 0, 0, 0, /**/ 0, 1, 0, 0, /**/ 0, 0, 1, 0}));
  const Tensor only = nn::segments_of(autograd::ids({{4, 9, 0, 0}}), 9, autograd::length_mask({2}, 4));
  EXPECT_TRUE(fixtures::has_shape(only, {1, 1, 4}));
}

TEST(NnSegmentsOf, ErrorsAreClear) {
  std::vector<std::string> said;
  said.push_back(fixtures::message_of(ErrorId::dtype_mismatch, [] { nn::segments_of(autograd::ones({2, 3}), 9); }));
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [] { nn::segments_of(autograd::ids({1, 2}), 9); }));
  EXPECT_TRUE(fixtures::says("nn_attention", said));
}

}  // namespace nn_hierarchical_attention_test
