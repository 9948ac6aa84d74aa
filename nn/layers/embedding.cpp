#include "nn/layers/embedding.h"

#include <fmt/core.h>

#include "nn/layers/checks.h"
#include "nn/layers/init.h"

namespace nn {
namespace {

// The options with a padding_idx counted from the front.
EmbeddingOptions checked(EmbeddingOptions options, Where where) {
  check_size("Embedding", "num_embeddings", options.num_embeddings, where);
  check_size("Embedding", "embedding_dim", options.embedding_dim, where);
  check_parameter_dtype("Embedding", options.dtype, where);
  if (!options.padding_idx) return options;
  const std::int64_t given = *options.padding_idx;
  const std::int64_t from_front = given < 0 ? given + options.num_embeddings : given;
  if (from_front < 0 || from_front >= options.num_embeddings) {
    autograd::fail(ErrorId::index_out_of_range, "Embedding", where,
                   fmt::format("padding_idx is {} in a vocabulary of {}", given, options.num_embeddings),
                   "give the id of the padding token");
  }
  options.padding_idx = from_front;
  return options;
}

}  // namespace

Embedding::Embedding(const EmbeddingOptions& given, Where where) : options(checked(given, where)) {
  weight = autograd::empty({options.num_embeddings, options.embedding_dim}, options.dtype, where);
  init::normal_(weight);
  if (options.padding_idx) init::zeros_(weight.select(0, *options.padding_idx));
  register_parameter("weight", weight);
}

Tensor Embedding::operator()(const Tensor& ids, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return autograd::embedding(weight, ids, options.padding_idx);
}

}  // namespace nn
