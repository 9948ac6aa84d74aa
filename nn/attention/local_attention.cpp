#include "nn/attention/local_attention.h"

#include "nn/attention/attention_mask.h"
#include "nn/layers/checks.h"

namespace nn {

LocalAttention::LocalAttention(const AttentionOptions& given, const LocalAttentionOptions& given_local, Where where)
    : GeneralAttention("LocalAttention", given, where), local(given_local) {
  check_positive("LocalAttention", "window", local.window, where);
  if (!local.predictive) return;
  W_p = std::make_unique<Linear>(layer(options.decoder_dim, options.attention_dim, options), where);
  v_p = std::make_unique<Linear>(layer(options.attention_dim, 1, options), where);
  register_module("W_p", *W_p);
  register_module("v_p", *v_p);
}

namespace {

// [B, 1]: how many tokens each sentence has.
Tensor sentence_lengths(const AttentionSource& source, DType dtype) {
  const std::int64_t batch = source.values.size(0);
  if (!source.mask.defined()) return autograd::full({batch, 1}, double(source.values.size(1)), dtype);
  return source.mask.to(dtype).sum(1, true);
}

}  // namespace

Tensor LocalAttention::centre(const Tensor& query, const Tensor& lengths, std::int64_t step) const {
  if (!local.predictive) return autograd::full(lengths.shape(), double(step), lengths.dtype());
  const Tensor share = autograd::sigmoid((*v_p)(autograd::tanh((*W_p)(query))));  // [B, 1], how far along
  return lengths * share;
}

Tensor LocalAttention::weights(const Tensor& query, const Tensor& scores, const AttentionSource& source,
                               const AttentionMemory& memory) const {
  const Tensor lengths = sentence_lengths(source, query.dtype());
  const Tensor positions = autograd::arange(scores.size(1), query.dtype());  // [S]
  const Tensor distance = positions - centre(query, lengths, memory.step);   // [B, S]
  const Tensor in_window = autograd::abs(distance) <= double(local.window);
  const Tensor visible = source.mask.defined() ? autograd::logical_and(in_window, source.mask) : in_window;
  const Tensor align = softmax_over(scores, visible);
  if (!local.predictive) return align;
  const double sigma = double(local.window) / 2.0;
  const Tensor gaussian = autograd::exp(distance * distance * (-1.0 / (2.0 * sigma * sigma)));
  return align * gaussian;
}

}  // namespace nn
