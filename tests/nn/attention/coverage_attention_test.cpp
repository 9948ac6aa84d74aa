#include <nn/attention/additive_attention.h>
#include <nn/attention/coverage_attention.h>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"

namespace nn_coverage_attention_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

nn::AttentionOptions small() {
  return {.decoder_dim = 2, .encoder_dim = 6, .attention_dim = 7, .dtype = float64};
}

TEST(NnCoverageAttention, EqualsPyTorch) {
  fixtures::expect_equals_pytorch("coverage", nn::CoverageAttention(small()));
}

TEST(NnCoverageAttention, CoverageIsTheSumOfTheWeightsSoFar) {
  const nn::CoverageAttention attention(small());
  const nn::AttentionSource source = attention.read_source(autograd::randn({2, 4, 6}, float64));
  nn::AttentionMemory memory;
  Tensor sum = autograd::zeros({2, 4}, float64);
  for (int t = 0; t < 3; ++t) {
    sum = sum + attention(autograd::randn({2, 2}, float64), source, memory).weights;
    EXPECT_TRUE(fixtures::near(memory.coverage, sum));
  }
}

TEST(NnCoverageAttention, IsAdditiveAttentionAtTheFirstStepAndWithoutW_c) {
  const nn::CoverageAttention coverage(small());
  const nn::AdditiveAttention additive({.decoder_dim = 2, .encoder_dim = 6, .attention_dim = 7, .dtype = float64});
  additive.load_state_dict(coverage.state_dict(), false);
  const Tensor queries = autograd::randn({2, 3, 2}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  const Tensor expected = fixtures::run_steps(additive, queries, additive.read_source(outputs)).weights;
  const Tensor with = fixtures::run_steps(coverage, queries, coverage.read_source(outputs)).weights;
  EXPECT_TRUE(fixtures::near(with.select(1, 0), expected.select(1, 0)));
  EXPECT_FALSE(fixtures::near(with.select(1, 1), expected.select(1, 1)));
  nn::init::zeros_(coverage.W_c.weight);
  const Tensor without = fixtures::run_steps(coverage, queries, coverage.read_source(outputs)).weights;
  EXPECT_TRUE(fixtures::near(without, expected));
}

TEST(NnCoverageAttention, W_cStartsAsSmallAsTheOtherTerms) {
  const nn::CoverageAttention attention({.decoder_dim = 3, .encoder_dim = 4, .attention_dim = 100});
  EXPECT_TRUE(fixtures::has_shape(attention.W_c.weight, {100, 1}));
  EXPECT_LE(attention.W_c.weight.abs().amax().item(), 0.1);
  EXPECT_GT(attention.W_c.weight.abs().amax().item(), 0.07);
}

// ---- the loss --------------------------------------------------------------------------------------------------

TEST(NnCoverageLoss, ByHand) {
  const Tensor weights = autograd::tensor({{{0.5, 0.5, 0.0}, {0.2, 0.7, 0.1}, {0.9, 0.0, 0.1}}}, float64);
  // Coverage before each step: 0 0 0; 0.5 0.5 0; 0.7 1.2 0.1.
  const Tensor expected = autograd::tensor({{0.0, 0.2 + 0.5, 0.7 + 0.1}}, float64);
  EXPECT_TRUE(fixtures::near(nn::coverage_loss_of_steps(weights), expected));
  const Tensor coverage = autograd::tensor({{0.7, 1.2, 0.1}}, float64);
  EXPECT_TRUE(fixtures::near(nn::coverage_loss(weights.select(1, 2), coverage), autograd::tensor({0.8}, float64)));
  EXPECT_TRUE(fixtures::holds(nn::coverage_loss(weights.select(1, 0), Tensor()), {0.0}));
}

TEST(NnCoverageLoss, OfStepsEqualsThatOfEachStep) {
  const Tensor weights = autograd::randn({2, 4, 3}, float64).softmax(-1);
  const Tensor all = nn::coverage_loss_of_steps(weights);
  Tensor coverage;
  for (std::int64_t t = 0; t < 4; ++t) {
    const Tensor now = weights.select(1, t);
    EXPECT_TRUE(fixtures::near(all.select(1, t), nn::coverage_loss(now, coverage)));
    coverage = coverage.defined() ? coverage + now : now;
  }
}

TEST(NnCoverageLoss, Gradients) {
  const Tensor weights = autograd::rand({2, 4, 3}, float64).requires_grad_();
  const Tensor coverage = autograd::rand({2, 3}, float64).requires_grad_();
  EXPECT_TRUE(autograd::gradcheck([](const Tensor& x) { return nn::coverage_loss_of_steps(x); }, {weights}));
  EXPECT_TRUE(autograd::gradcheck([](const Tensor& x, const Tensor& c) { return nn::coverage_loss(x, c); },
                                  {weights.select(1, 0).detach(), coverage}));
}

// Over steps that were really made, so that the loss of a step reaches the parameters through those before too.
TEST(NnCoverageLoss, GradientsThroughTheSteps) {
  const nn::CoverageAttention attention(small());
  const Tensor queries = autograd::randn({2, 3, 2}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  const auto run = [&] {
    return fixtures::run_steps(attention, queries, attention.read_source(outputs)).coverage_loss;
  };
  EXPECT_TRUE(nn::gradcheck(attention, run, {queries, outputs}, {.second_order = true}));
}

TEST(NnCoverageLoss, ErrorsAreClear) {
  std::vector<std::string> said;
  const auto shape_error = [](auto f) { return fixtures::message_of(ErrorId::shape_mismatch, f); };
  said.push_back(shape_error([] { nn::coverage_loss(autograd::ones({2, 3}), autograd::ones({2, 4})); }));
  said.push_back(shape_error([] { nn::coverage_loss_of_steps(autograd::ones({2, 3})); }));
  EXPECT_TRUE(fixtures::says("nn_attention", said));
}

}  // namespace nn_coverage_attention_test
