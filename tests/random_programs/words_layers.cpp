// Matrix products, attention, and the gates and layers of recurrent networks.
#include <nn/nn.h>

#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool matrices(Maker& maker, Step& step) {
  const int a = maker.with_dims(1, 3);
  const Tensor& x = maker[a];
  const std::int64_t inner = x.size(-1);
  Shape other = maker.chance(25) ? Shape{inner} : Shape{inner, maker.size()};
  if (other.dim() == 2 && x.dim() == 3 && maker.chance(50)) other.insert(0, maker.chance(50) ? x.size(0) : 1);
  step.operands = {a, maker.shaped(other)};
  return true;
}

bool layer(Maker& maker, Step& step) {
  const int x = maker.with_dims(1, 3);
  const std::int64_t outputs = maker.size();
  step.operands = {x, maker.shaped({outputs, maker[x].size(-1)}), Step::none};
  if (maker.chance(60)) step.operands[2] = maker.shaped({outputs});
  return true;
}

// Keys, and queries of one step or several.
bool scores(Maker& maker, Step& step) {
  const int keys = maker.with_dims(3, 3);
  const Shape shape = maker[keys].shape();
  const Shape query = maker.chance(50) ? Shape{shape[0], shape[2]} : Shape{shape[0], maker.size(), shape[2]};
  step.operands = {maker.shaped(query), keys, maker.shaped({shape[2]})};
  return true;
}

bool attention(Maker& maker, Step& step) {
  const int outputs = maker.with_dims(3, 3);
  const Shape shape = maker[outputs].shape();
  const std::int64_t query_size = maker.between(1, 4);
  const std::int64_t hidden = maker.between(1, 4);
  const Shape query = maker.chance(50) ? Shape{shape[0], query_size} : Shape{shape[0], maker.size(), query_size};
  step.operands = {maker.shaped(query),
                   outputs,
                   maker.shaped({hidden, query_size}),
                   maker.shaped({hidden, shape[2]}),
                   maker.shaped({1, hidden}),
                   maker.chance(50) ? maker.mask({shape[0], shape[1]}) : Step::none};
  return maker[outputs].numel() > 0;
}

// from_input, the initial states, weight_hh and perhaps bias_hh; the list has the lengths.
template <int gates> bool all_steps(Maker& maker, Step& step) {
  const int state = maker.with_dims(2, 2);
  const Shape shape = maker[state].shape();
  const std::int64_t batch = shape[0];
  const std::int64_t hidden = shape[1];
  const std::int64_t time = maker.between(1, 3);
  if (batch * hidden == 0) return false;
  step.operands = {maker.shaped({time, batch, gates * hidden}), state};
  if (gates == 4) step.operands.push_back(maker.shaped(shape));
  step.operands.push_back(maker.shaped({gates * hidden, hidden}));
  step.operands.push_back(maker.chance(60) ? maker.shaped({gates * hidden}) : Step::none);
  step.numbers = {maker.chance(40)};
  if (maker.chance(40)) {
    for (std::int64_t i = 0; i < batch; ++i) step.list.push_back(maker.between(1, time));
  }
  return true;
}

bool whole_module(Maker& maker, Step& step) {
  return maker.fit(step) && maker[step.operands[0]].numel() > 0 && maker[step.operands[2]].numel() > 0;
}

autograd::RecurrentLayerOptions layer_options(In x) {
  return {.lengths = x.list(), .reverse = x.flag(0)};
}

Tensor additive_attention(In x) {
  nn::AdditiveAttention module({.decoder_dim = x[2].size(1),
                                .encoder_dim = x[3].size(1),
                                .attention_dim = x[2].size(0),
                                .dtype = autograd::float64});
  module.W_dec.weight = x[2];
  module.W_enc.weight = x[3];
  module.v.weight = x[4];
  return module(x[0], x[1], x[5]).context;
}

template <class Layer> Tensor recurrent(In x) {
  Layer module({.input_size = x[1].size(1), .hidden_size = x[2].size(1), .dtype = autograd::float64});
  module.weights[0] = {x[1], x[2], x[3], x[4]};
  return module(x[0]).output;
}

}  // namespace

Words layer_words() {
  using namespace autograd;
  using enum Kind;
  using enum Expect;
  return {
      {"matmul", "[mk] [kn]", [](In x) { return matmul(x[0], x[1]); }, plain, matrices},
      {"matmul_batches", "[bmk] [bkn]", [](In x) { return matmul(x[0], x[1]); }},
      {"matmul_vectors", "[k] [bkn]", [](In x) { return matmul(x[0], x[1]); }},
      {"bmm", "[bmk] [bkn]", [](In x) { return bmm(x[0], x[1]); }, plain},
      {"linear", "[bmk] [nk] [n]?", [](In x) { return linear(x[0], x[1], x[2]); }, plain, layer},
      {"additive_score", "[bn] [bmn] [n]", [](In x) { return additive_score(x[0], x[1], x[2]); }, keeps_out, scores},
      {"additive_score_steps", "[bqn] [bmn] [n]", [](In x) { return additive_score(x[0], x[1], x[2]); }},
      {"additive_attention", "[btd] [bse] [od] [oe] [uo] mask[bs]?", additive_attention, keeps_out, attention},
      {"gru_gates", "[bG] [bG] [bh]", [](In x) { return gru_gates(x[0], x[1], x[2]); }, keeps_out},
      {"lstm_gates", "[bL] [bL] [bh]", [](In x) { return lstm_gates(x[0], x[1], x[2]); }, keeps_out},
      {"gru_layer", "[tbG] [bh] [Gh] [G]? list(0,3) flag",
       [](In x) { return gru_layer(x[0], x[1], x[2], x[3], layer_options(x)); }, keeps_out, all_steps<3>},
      {"gru_layer_whole", "[tbG] [bh] [Gh] [G]?", [](In x) { return gru_layer(x[0], x[1], x[2], x[3]); }},
      {"lstm_layer", "[tbL] [bh] [bh] [Lh] [L]? list(0,3) flag",
       [](In x) { return lstm_layer(x[0], x[1], x[2], x[3], x[4], layer_options(x)); }, keeps_out, all_steps<4>},
      {"lstm_layer_whole", "[tbL] [bh] [bh] [Lh] [L]? flag",
       [](In x) { return lstm_layer(x[0], x[1], x[2], x[3], x[4], {.lengths = {}, .reverse = x.flag(0)}); }},
      {"gru", "[tbi] [Gi] [Gh] [G] [G]", recurrent<nn::GRU>, keeps_out, whole_module},
      {"lstm", "[tbi] [Li] [Lh] [L] [L]", recurrent<nn::LSTM>, keeps_out, whole_module},
  };
}

}  // namespace random_programs
