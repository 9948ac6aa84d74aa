#include <nn/layers/embedding.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_embedding_test {

using autograd::ErrorId;
using autograd::Tensor;

class NnEmbedding : public testing::TestWithParam<std::string> {};

TEST_P(NnEmbedding, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  nn::EmbeddingOptions options{.num_embeddings = one.call().at(0), .embedding_dim = one.call().at(1)};
  options.dtype = autograd::float64;
  if (one.call().has("padding_idx")) options.padding_idx = one.call().integer("padding_idx", 0);
  const nn::Embedding embedding(options);
  one.load(embedding);
  one.check(embedding, {{"y", embedding(one.input("index"))}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnEmbedding, testing::ValuesIn(fixtures::ids("modules.json", "embedding/")),
                         fixtures::test_name);

TEST(NnEmbeddingInit, IsStandardNormalWithZeroPadding) {
  autograd::manual_seed(1);
  const nn::Embedding embedding({.num_embeddings = 300, .embedding_dim = 40, .padding_idx = -1});
  EXPECT_EQ(*embedding.options.padding_idx, 299);
  EXPECT_EQ(embedding.weight.select(0, 299).abs().amax().item(), 0.0);
  const Tensor others = embedding.weight.narrow(0, 0, 299);
  EXPECT_NEAR(others.mean().item(), 0.0, 0.05);
  EXPECT_NEAR((others * others).mean().item(), 1.0, 0.05);
}

TEST(NnEmbeddingErrors, AreClear) {
  std::vector<std::string> said;
  said.push_back(fixtures::message_of(
      ErrorId::index_out_of_range, [] { nn::Embedding({.num_embeddings = 5, .embedding_dim = 2, .padding_idx = 5}); }));
  const nn::Embedding embedding({.num_embeddings = 5, .embedding_dim = 2});
  said.push_back(fixtures::message_of(ErrorId::token_out_of_range, [&] { embedding(autograd::ids({1, 5})); }));
  fixtures::message_of(ErrorId::dtype_mismatch, [&] { embedding(autograd::tensor({1.0, 2.0})); });
  EXPECT_TRUE(fixtures::says("nn", said));
}

}  // namespace nn_embedding_test
