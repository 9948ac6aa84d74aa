#include "nn/attention/multi_head_mechanism.h"

namespace nn {
namespace {

std::int64_t heads_for(std::int64_t embed_dim) {
  for (const std::int64_t heads : {8, 4, 2}) {
    if (embed_dim % heads == 0) return heads;
  }
  return 1;
}

}  // namespace

MultiHeadMechanism::MultiHeadMechanism(const AttentionOptions& given, const MultiHeadMechanismOptions& heads,
                                       Where where)
    : AttentionMechanism("MultiHeadMechanism", given, where),
      multi_head({.embed_dim = options.encoder_dim,
                  .num_heads = heads.num_heads == 0 ? Int(heads_for(options.encoder_dim)) : heads.num_heads,
                  .dropout = options.dropout,
                  .qdim = options.decoder_dim,
                  .dtype = options.dtype},
                 where) {
  register_module("multi_head", multi_head);
}

ProjectedKeys MultiHeadMechanism::project(const Tensor& encoder_outputs) const {
  return multi_head.precompute(encoder_outputs, encoder_outputs);
}

AttentionMechanism::Output MultiHeadMechanism::attend(const Tensor& query, const AttentionSource& source,
                                                      const AttentionMemory&) const {
  const Tensor one_query = query.unsqueeze(1);  // [B, 1, D]
  const auto [output, weights] = multi_head(one_query, {source.keys, source.values}, {.mask = source.mask});
  return {output.squeeze(1), weights.squeeze(1)};
}

}  // namespace nn
