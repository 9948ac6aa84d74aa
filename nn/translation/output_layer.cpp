#include "nn/translation/output_layer.h"

#include <algorithm>

#include "nn/layers/checks.h"

namespace nn {
namespace {

OutputLayerOptions with_defaults(OutputLayerOptions options, Where where) {
  check_size("OutputLayer", "state_dim", options.state_dim, where);
  check_size("OutputLayer", "context_dim", options.context_dim, where);
  check_size("OutputLayer", "embed_dim", options.embed_dim, where);
  if (options.maxout_dim == 0) options.maxout_dim = std::max<std::int64_t>(1, options.state_dim / 2);
  check_size("OutputLayer", "maxout_dim", options.maxout_dim, where);
  return options;
}

std::int64_t count_features(const OutputLayerOptions& options) {
  const std::int64_t state_and_context = options.state_dim + options.context_dim;
  switch (options.kind) {
    case OutputKind::linear: return state_and_context + options.embed_dim;
    case OutputKind::state_and_context: return state_and_context;
    case OutputKind::maxout: return options.maxout_dim;
    case OutputKind::attentional: return options.state_dim;
    case OutputKind::deep: return options.embed_dim;
  }
  return 0;
}

// The layer below fc_out; nothing for the forms without one.
std::unique_ptr<Linear> make_hidden(const OutputLayerOptions& options, Where where) {
  const std::int64_t state_and_context = options.state_dim + options.context_dim;
  LinearOptions layer;
  layer.dtype = options.dtype;
  if (options.kind == OutputKind::maxout) {
    layer.in_features = state_and_context + options.embed_dim;
    layer.out_features = 2 * options.maxout_dim;
  } else if (options.kind == OutputKind::attentional) {
    layer.in_features = state_and_context;
    layer.out_features = options.state_dim;
    layer.bias = false;
  } else if (options.kind == OutputKind::deep) {
    layer.in_features = state_and_context + options.embed_dim;
    layer.out_features = options.embed_dim;
  } else {
    return nullptr;
  }
  return std::make_unique<Linear>(layer, where);
}

// [.., 2 l] -> [.., l]: of each pair of neighbours the larger one.
Tensor max_of_pairs(const Tensor& x) {
  const Tensor first = autograd::slice(x, -1, {.start = 0, .step = 2});
  const Tensor second = autograd::slice(x, -1, {.start = 1, .step = 2});
  return autograd::maximum(first, second);
}

}  // namespace

OutputLayer::OutputLayer(const OutputLayerOptions& given, Where where)
    : options(with_defaults(given, where)),
      features_dim(count_features(options)),
      hidden(make_hidden(options, where)),
      fc_out({.in_features = features_dim, .out_features = options.vocab_size, .dtype = options.dtype}, where) {
  if (hidden) register_module("hidden", *hidden);
  register_module("fc_out", fc_out);
}

Tensor OutputLayer::features(const Tensor& state, const Tensor& context, const Tensor& embedded, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  switch (options.kind) {
    case OutputKind::linear: return autograd::cat({state, context, embedded}, -1);
    case OutputKind::state_and_context: return autograd::cat({state, context}, -1);
    case OutputKind::maxout: return max_of_pairs((*hidden)(autograd::cat({state, context, embedded}, -1)));
    case OutputKind::attentional: return autograd::tanh((*hidden)(autograd::cat({context, state}, -1)));
    case OutputKind::deep: return autograd::tanh((*hidden)(autograd::cat({state, context, embedded}, -1)));
  }
  return Tensor();
}

Tensor OutputLayer::logits(const Tensor& features_of_words, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return fc_out(features_of_words);
}

}  // namespace nn
