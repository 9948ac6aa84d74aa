// The modules of nn: made with any options, called with any tensors. These are only called.
#include <nn/nn.h>

#include "words.h"

namespace random_programs {
namespace {

using namespace autograd;

Result attend(const std::string& kind, In x) {
  const auto attention = nn::make_attention(
      kind,
      {.decoder_dim = x.n(0), .encoder_dim = x.n(1), .attention_dim = x.n(2), .dropout = 0.0, .dtype = x.dtype(3)});
  const nn::AttentionSource source = attention->read_source(x[0], x[1]);
  nn::AttentionMemory memory;
  const auto found = (*attention)(x[2], source, memory);
  return std::vector{found.context, found.weights};
}

nn::RecurrentOptions recurrent(In x) {
  return {.input_size = x.n(0),
          .hidden_size = x.n(1),
          .num_layers = x.n(2),
          .bias = x.flag(3),
          .batch_first = false,
          .dropout = x.real(),
          .bidirectional = false,
          .dtype = x.dtype(4)};
}

Result gru(In x) {
  const auto found = nn::GRU(recurrent(x))(x[0], Tensor(), x.flag(5) ? x.list() : std::vector<std::int64_t>());
  return std::vector{found.output, found.state};
}

Result lstm(In x) {
  const auto found = nn::LSTM(recurrent(x))(x[0]);
  return std::vector{found.output, found.state, found.cell};
}

Result lstm_cell(In x) {
  const nn::LSTMCell module({x.n(0), x.n(1), x.flag(2), x.dtype(3)});
  const auto found = module(x[0], {x[1], x[2]});
  return std::vector{found.hidden, found.cell};
}

Result layer_norm(In x) {
  const nn::LayerNorm module({.normalized_shape = x.shape(),
                              .eps = x.real(),
                              .elementwise_affine = x.flag(0),
                              .bias = x.flag(1),
                              .dtype = x.dtype(2)});
  return module(x[0]);
}

Result attend_additively(In x) {
  const nn::AdditiveAttention module(
      {.decoder_dim = x.n(0), .encoder_dim = x.n(1), .attention_dim = x.n(2), .bias = x.flag(3), .dtype = x.dtype(4)});
  const auto found = module(x[0], x[1], x[2]);
  return std::vector{found.context, found.weights};
}

Result multi_head_attention(In x) {
  const nn::MultiHeadAttention module(
      {.embed_dim = x.n(0), .num_heads = x.n(1), .bias = x.flag(2), .dtype = x.dtype(3)});
  const auto found = module(x[0], x[1], x[1], {.mask = x[2], .causal = x.flag(4)});
  return std::vector{found.output, found.weights};
}

}  // namespace

Words module_words() {
  using enum Kind;
  using enum Expect;
  Words words = {
      {"Linear", "size(i) size(o) flag floating [bi]",
       [](In x) {
         return nn::Linear({x.n(0), x.n(1), x.flag(2), x.dtype(3)})(x[0]);
       }},
      {"Embedding", "size(v) size(n) indices[bt]<v",
       [](In x) { return nn::Embedding({.num_embeddings = x.n(0), .embedding_dim = x.n(1)})(x[0]); }},
      {"LayerNorm", "shape[n] real(0,0.1) flag flag floating [bn]", layer_norm, any_values},
      {"Dropout", "real(-0.1,1.1) value", [](In x) { return nn::Dropout({.p = x.real()})(x[0]); }},
      {"GRU", "size(i) size(h) int(1,2) flag real(0,1) floating [tbi] flag list(1,3)", gru},
      {"LSTM", "size(i) size(h) int(1,2) flag real(0,1) floating [tbi]", lstm},
      {"GRUCell", "size(i) size(h) flag floating [bi] [bh]?",
       [](In x) {
         return nn::GRUCell({x.n(0), x.n(1), x.flag(2), x.dtype(3)})(x[0], x[1]);
       }},
      {"LSTMCell", "size(i) size(h) flag floating [bi] [bh]? [bh]?", lstm_cell},
      {"AdditiveAttention", "size(d) size(e) size(o) flag floating [btd] [bse] mask[bs]?", attend_additively},
      {"MultiHeadAttention", "size(e) int(1,2) flag floating [bte] [bse] mask[bs]? flag", multi_head_attention},
      {"coverage_loss", "[bs] [bs]?", [](In x) { return nn::coverage_loss(x[0], x[1]); }},
      {"coverage_loss_of_steps", "[bts]", [](In x) { return nn::coverage_loss_of_steps(x[0]); }},
  };
  for (const std::string& kind : nn::attention_kinds()) {
    words.push_back({"attend_" + kind, "size(d) size(e) size(o) floating [bse] mask[bs]? [bd]",
                     [kind](In x) { return attend(kind, x); }});
  }
  return words;
}

}  // namespace random_programs
