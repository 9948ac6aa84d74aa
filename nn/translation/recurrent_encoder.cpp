#include "nn/translation/recurrent_encoder.h"

#include "nn/layers/checks.h"

namespace nn {
namespace {

RecurrentEncoderOptions with_defaults(RecurrentEncoderOptions options) {
  if (options.decoder_dim == 0) options.decoder_dim = options.hidden_dim;
  return options;
}

RecurrentOptions network(const RecurrentEncoderOptions& options) {
  return {.input_size = options.embed_dim,
          .hidden_size = options.hidden_dim,
          .num_layers = options.n_layers,
          .batch_first = true,
          .dropout = options.dropout,
          .bidirectional = true,
          .dtype = options.dtype};
}

LinearOptions bridge(const RecurrentEncoderOptions& options) {
  return {.in_features = 2 * options.hidden_dim, .out_features = options.decoder_dim, .dtype = options.dtype};
}

// states [layers * 2, B, H] -> those of the last layer's two directions side by side, [B, 2 H]
Tensor last_layer(const Tensor& states) {
  const Tensor forward = states.select(0, -2);
  const Tensor reverse = states.select(0, -1);
  return autograd::cat({forward, reverse}, 1);
}

}  // namespace

RecurrentEncoder::RecurrentEncoder(const RecurrentEncoderOptions& given, Where where)
    : options(with_defaults(given)),
      embedding({.num_embeddings = options.vocab_size,
                 .embedding_dim = options.embed_dim,
                 .padding_idx = options.padding_idx,
                 .dtype = options.dtype},
                where),
      rnn(make_recurrent(options.cell, network(options), where)),
      fc(bridge(options), where),
      dropout({.p = options.dropout}, where),
      context_dropout({.p = options.context_dropout}, where) {
  {
    const autograd::NoGradGuard no_grad;
    embedding.weight.mul_(options.embedding_std);  // from standard normal numbers; a row of zeros stays one
  }
  if (options.cell == RecurrentKind::lstm) fc_cell = std::make_unique<Linear>(bridge(options), where);
  register_module("embedding", embedding);
  register_module("rnn", *rnn);
  register_module("fc", fc);
  if (fc_cell) register_module("fc_cell", *fc_cell);
  register_module("dropout", dropout);
  register_module("context_dropout", context_dropout);
}

RecurrentEncoder::Output RecurrentEncoder::operator()(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                                      Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("RecurrentEncoder", "src", src, {-1, -1}, "[batch, source]", where);
  const Tensor embedded = dropout(embedding(src));                            // [B, S, embed]
  const auto [outputs, states] = run_recurrent(*rnn, embedded, {}, lengths);  // [B, S, 2 H], [2 * layers, B, H]
  Output result;
  result.outputs = context_dropout(outputs);
  result.summary = last_layer(states.hidden);
  result.initial.hidden = autograd::tanh(fc(result.summary));
  if (fc_cell) result.initial.cell = autograd::tanh((*fc_cell)(last_layer(states.cell)));
  return result;
}

}  // namespace nn
