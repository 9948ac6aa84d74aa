// Softmax, losses, normalisation, attention, and the gates and layers of recurrent networks.
#include <nn/nn.h>

#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

using autograd::Reduction;

bool along_dim(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  step.operands = {x};
  step.numbers = {maker.dim_of(x)};
  return true;
}

bool under_mask(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  Shape shape = maker[x].shape();
  if (shape.dim() > 1 && maker.chance(40)) shape[0] = 1;
  step.operands = {x, maker.mask(shape)};
  return true;
}

bool normalised(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  const Shape& shape = maker[x].shape();
  const std::int64_t dims = maker.between(1, shape.dim());
  for (std::int64_t i = shape.dim() - dims; i < shape.dim(); ++i) step.list.push_back(shape[i]);
  step.operands = {x};
  for (std::int64_t i = maker.below(3); i > 0; --i) step.operands.push_back(maker.shaped(Shape(step.list)));
  // Nearly equal elements would be blown up.
  return autograd::all(autograd::var(maker[x].detach().flatten(static_cast<int>(shape.dim() - dims)), -1, 0) > 0.05);
}

bool against_target(Maker& maker, Step& step) {
  const int x = maker.some();
  step.operands = {x, maker.shaped(maker[x].shape())};
  step.numbers = {maker.below(3)};
  return true;
}

// Logits, ids, and perhaps the weights of the classes; numbers are the reduction and the id to be ignored. Of no class
// that counts at all the mean would be NaN: there the losses are summed up.
bool against_ids(Maker& maker, Step& step) {
  const int logits = maker.with_dims(2, 3);
  const Tensor& x = maker[logits];
  const std::int64_t classes = x.size(1);
  if (x.numel() == 0) return false;
  Shape targets = x.shape();
  targets.erase(1);
  step.operands = {logits, maker.integers(targets, classes)};
  step.numbers = {maker.below(3), maker.chance(50) ? -100 : maker.below(classes)};
  const Tensor counted = maker[step.operands[1]] != static_cast<double>(step.numbers[1]);
  if (!autograd::any(counted) && step.numbers[0] == 2) step.numbers[0] = 1;
  if (maker.chance(25)) step.factor = 0.1;
  return true;
}

Reduction reduction(std::int64_t number) {
  return number == 0 ? Reduction::none : number == 1 ? Reduction::sum : Reduction::mean;
}

bool scores(Maker& maker, Step& step) {
  const int keys = maker.with_dims(3, 3);
  const Shape shape = maker[keys].shape();
  const Shape query = maker.chance(50) ? Shape{shape[0], shape[2]} : Shape{shape[0], maker.size(), shape[2]};
  step.operands = {maker.shaped(query), keys, maker.shaped({shape[2]})};
  return true;
}

// query, encoder outputs, W_dec, W_enc, v, and perhaps a mask
bool attention(Maker& maker, Step& step) {
  const int outputs = maker.with_dims(3, 3);
  const Shape shape = maker[outputs].shape();
  const std::int64_t query_size = maker.between(1, 4);
  const std::int64_t hidden = maker.between(1, 4);
  const Shape query = maker.chance(50) ? Shape{shape[0], query_size} : Shape{shape[0], maker.size(), query_size};
  step.operands = {maker.shaped(query), outputs, maker.shaped({hidden, query_size}), maker.shaped({hidden, shape[2]}),
                   maker.shaped({1, hidden})};
  if (maker.chance(50)) step.operands.push_back(maker.mask({shape[0], shape[1]}));
  return maker[outputs].numel() > 0;
}

template <int gates, bool has_cell> bool one_step(Maker& maker, Step& step) {
  const int state = maker.with_dims(2, 2);
  const Shape shape = maker[state].shape();
  const int a = maker.shaped({shape[0], gates * shape[1]});
  step.operands = {a, maker.chance(20) ? a : maker.shaped({shape[0], gates * shape[1]}), state};
  return true;
}

// from_input, the initial states, weight_hh and perhaps bias_hh; the list has the lengths.
template <int gates, bool has_cell> bool all_steps(Maker& maker, Step& step) {
  const int state = maker.with_dims(2, 2);
  const Shape shape = maker[state].shape();
  const std::int64_t batch = shape[0];
  const std::int64_t hidden = shape[1];
  const std::int64_t time = maker.between(1, 3);
  if (batch * hidden == 0) return false;
  step.operands = {maker.shaped({time, batch, gates * hidden}), state};
  if (has_cell) step.operands.push_back(maker.shaped(shape));
  step.operands.push_back(maker.shaped({gates * hidden, hidden}));
  if (maker.chance(60)) step.operands.push_back(maker.shaped({gates * hidden}));
  step.numbers = {maker.chance(40)};
  if (maker.chance(40)) {
    for (std::int64_t i = 0; i < batch; ++i) step.list.push_back(maker.between(1, time));
  }
  return true;
}

// x, W_ih, W_hh, b_ih, b_hh of one layer.
template <int gates> bool whole_module(Maker& maker, Step& step) {
  const int x = maker.with_dims(3, 3);
  const Shape shape = maker[x].shape();
  const std::int64_t hidden = maker.between(1, 3);
  if (maker[x].numel() == 0) return false;
  step.operands = {x, maker.shaped({gates * hidden, shape[2]}), maker.shaped({gates * hidden, hidden}),
                   maker.shaped({gates * hidden}), maker.shaped({gates * hidden})};
  return true;
}

bool dropped(Maker& maker, Step& step) {
  step.operands = {maker.some()};
  step.numbers = {maker.seed()};
  step.factor = 0.25;
  return true;
}

autograd::RecurrentLayerOptions layer_options(In x) {
  return {.lengths = x.step.list, .reverse = x.flag(0)};
}

Tensor with_dropout(In x) {
  autograd::manual_seed(static_cast<std::uint64_t>(x.n(0)));
  return autograd::dropout(x[0], x.factor());
}

Tensor additive_attention(In x) {
  nn::AdditiveAttention module({.decoder_dim = x[2].size(1),
                                .encoder_dim = x[3].size(1),
                                .attention_dim = x[2].size(0),
                                .dtype = autograd::float64});
  module.W_dec.weight = x[2];
  module.W_enc.weight = x[3];
  module.v.weight = x[4];
  return module(x[0], x[1], x.optional(5)).context;
}

template <class Layer> Tensor recurrent(In x) {
  Layer module({.input_size = x[1].size(1), .hidden_size = x[2].size(1), .dtype = autograd::float64});
  module.weights[0] = {x[1], x[2], x[3], x[4]};
  return module(x[0]).output;
}

}  // namespace

Words layer_words() {
  using namespace autograd;
  return {
      {"softmax", "softmax({0}, {n0})", "torch.softmax({0}, {n0})", along_dim,
       [](In x) { return softmax(x[0], x.n(0)); }},
      {"log_softmax", "log_softmax({0}, {n0})", "torch.log_softmax({0}, {n0})", along_dim,
       [](In x) { return log_softmax(x[0], x.n(0)); }},
      {"masked_softmax", "masked_softmax({0}, {1})", "masked_softmax({0}, {1})", under_mask,
       [](In x) { return masked_softmax(x[0], x[1]); }},
      {"layer_norm", "layer_norm({0}, {l}{rest})", "F.layer_norm({0}, {l}{rest})", normalised,
       [](In x) { return layer_norm(x[0], x.list(), x.optional(1), x.optional(2)); }},
      {"mse_loss", "mse_loss({0}, {1}, Reduction::{reduction})", "F.mse_loss({0}, {1}, reduction='{reduction}')",
       against_target, [](In x) { return mse_loss(x[0], x[1], reduction(x.n(0))); }},
      {"nll_loss", "nll_loss({0}, {1}, {{.ignore_index = {n1}, .reduction = Reduction::{reduction}}})",
       "F.nll_loss({0}, {1}, ignore_index={n1}, reduction='{reduction}')", against_ids,
       [](In x) { return nll_loss(x[0], x[1], {.ignore_index = x.n(1), .reduction = reduction(x.n(0))}); }},
      {"cross_entropy",
       "cross_entropy({0}, {1}, {{.ignore_index = {n1}, .reduction = Reduction::{reduction}, .label_smoothing = {f}}})",
       "F.cross_entropy({0}, {1}, ignore_index={n1}, reduction='{reduction}', label_smoothing={f})", against_ids,
       [](In x) {
         return cross_entropy(x[0], x[1],
                              {.ignore_index = x.n(1), .reduction = reduction(x.n(0)), .label_smoothing = x.factor()});
       }},
      {"additive_score", "additive_score({0}, {1}, {2})", "additive_score({0}, {1}, {2})", scores,
       [](In x) { return additive_score(x[0], x[1], x[2]); }},
      {"additive_attention", "additive_attention({args})", "additive_attention({args})", attention, additive_attention},
      {"gru_gates", "gru_gates({0}, {1}, {2})", "gru_gates({0}, {1}, {2})", one_step<3, false>,
       [](In x) { return gru_gates(x[0], x[1], x[2]); }},
      {"lstm_gates", "lstm_gates({0}, {1}, {2})", "lstm_gates({0}, {1}, {2})", one_step<4, true>,
       [](In x) { return lstm_gates(x[0], x[1], x[2]); }},
      {"gru_layer", "gru_layer({0}, {1}, {2}, {o3}, {{.lengths = {l}, .reverse = {b0}}})",
       "gru_layer({0}, {1}, {2}, {o3}, {l}, {b0})", all_steps<3, false>,
       [](In x) { return gru_layer(x[0], x[1], x[2], x.optional(3), layer_options(x)); }},
      {"lstm_layer", "lstm_layer({0}, {1}, {2}, {3}, {o4}, {{.lengths = {l}, .reverse = {b0}}})",
       "lstm_layer({0}, {1}, {2}, {3}, {o4}, {l}, {b0})", all_steps<4, true>,
       [](In x) { return lstm_layer(x[0], x[1], x[2], x[3], x.optional(4), layer_options(x)); }},
      {"gru", "gru({args})", "gru({args})", whole_module<3>, recurrent<nn::GRU>},
      {"lstm", "lstm({args})", "lstm({args})", whole_module<4>, recurrent<nn::LSTM>},
      {"dropout", "dropout_of_seed({n0}, {0}, {f})", "", dropped, with_dropout},
  };
}

}  // namespace random_programs
