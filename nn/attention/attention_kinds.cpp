#include "nn/attention/attention_kinds.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "nn/attention/additive_attention.h"
#include "nn/attention/coverage_attention.h"
#include "nn/attention/hierarchical_attention.h"
#include "nn/attention/local_attention.h"
#include "nn/attention/multi_head_attention.h"
#include "nn/attention/score_functions.h"
#include "nn/layers/checks.h"

namespace nn {
namespace {

using Mechanism = std::unique_ptr<AttentionMechanism>;

struct Kind {
  std::string name;
  Mechanism (*make)(const AttentionOptions& options, Where where);
};

template <class Own> Mechanism make(const AttentionOptions& options, Where where) {
  return std::make_unique<Own>(options, where);
}

Mechanism make_additive(const AttentionOptions& options, Where where) {
  return std::make_unique<AdditiveAttention>(additive_options(options), where);
}

template <bool scaled> Mechanism make_dot(const AttentionOptions& options, Where where) {
  const bool sizes_differ = options.decoder_dim != options.encoder_dim;
  return std::make_unique<DotAttention>(options, DotAttentionOptions{.scaled = scaled, .project_keys = sizes_differ},
                                        where);
}

template <bool predictive> Mechanism make_local(const AttentionOptions& options, Where where) {
  return std::make_unique<LocalAttention>(options, LocalAttentionOptions{.predictive = predictive}, where);
}

// The first of these numbers that divides the size.
Int heads_for(std::int64_t embed_dim) {
  for (const std::int64_t heads : {8, 4, 2}) {
    if (embed_dim % heads == 0) return heads;
  }
  return 1;
}

Mechanism make_multi_head(const AttentionOptions& given, Where where) {
  const AttentionOptions options = checked_options("MultiHeadAttention", given, where);
  return std::make_unique<MultiHeadAttention>(MultiHeadAttentionOptions{.embed_dim = options.encoder_dim,
                                                                        .num_heads = heads_for(options.encoder_dim),
                                                                        .dropout = options.dropout,
                                                                        .qdim = options.decoder_dim,
                                                                        .dtype = options.dtype},
                                              where);
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"additive", make_additive},
      {"concat", make<ConcatAttention>},
      {"dot", make_dot<false>},
      {"scaled_dot", make_dot<true>},
      {"general", make<GeneralAttention>},
      {"local_monotonic", make_local<false>},
      {"local_predictive", make_local<true>},
      {"coverage", make<CoverageAttention>},
      {"hierarchical", make<HierarchicalAttention>},
      {"multi_head", make_multi_head},
  };
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Kind& kind : kinds()) result.push_back(kind.name);
  return result;
}

}  // namespace

const std::vector<std::string>& attention_kinds() {
  static const std::vector<std::string> all = names();
  return all;
}

Mechanism make_attention(const std::string& wanted, const AttentionOptions& options, Where where) {
  for (const Kind& kind : kinds()) {
    if (kind.name == wanted) return kind.make(options, where);
  }
  autograd::fail(ErrorId::bad_argument, "make_attention", where, fmt::format("there is no attention \"{}\"", wanted),
                 fmt::format("choose one of {}", fmt::join(attention_kinds(), ", ")));
}

}  // namespace nn
