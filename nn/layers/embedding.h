// Embedding: a table with one learned vector per token id.
#pragma once

#include <optional>

#include "nn/layers/module.h"

namespace nn {

struct EmbeddingOptions {
  Int num_embeddings = 0;  // the size of the vocabulary; required
  Int embedding_dim = 0;   // required
  // The id of padding, if any: its vector starts at zero and never gets a gradient. Negative: from the end.
  std::optional<Int> padding_idx = std::nullopt;
  DType dtype = autograd::float32;
};

class Embedding : public Module {
 public:
  // The table starts with standard normal numbers, as in PyTorch.
  // Throws bad-argument for sizes below 1 and index-out-of-range for a padding_idx outside the vocabulary.
  explicit Embedding(const EmbeddingOptions& options, Where where = Where::current());

  // ids [..], int64, -> [.., embedding_dim]. Throws token-out-of-range.
  Tensor operator()(const Tensor& ids, Where where = Where::current()) const;

  const EmbeddingOptions options;
  Tensor weight;  // [num_embeddings, embedding_dim]
};

}  // namespace nn
