// RecurrentEncoder: reads a sentence from both ends (Bahdanau, Cho and Bengio 2015, section 3.2), with GRUs or LSTMs:
//
//   h_i      = [RNN forwards; RNN backwards]_i over the embedded words      last layer
//   summary  = [h forwards at the last word; h backwards at the first one]
//   s_0      = tanh(fc summary)                                            the decoder's first state
//   c_0      = tanh(fc_cell [cells likewise])                              LSTM: its first cell, by a layer of its own
//
// In the paper s_0 = tanh(W_s h_1), from the backward direction alone. No paper says how an LSTM's cell should
// start; zeros would be possible too, but the encoder's cells hold what it found worth remembering.
//
// Sizes: B batch, S source positions, H hidden_dim, D decoder_dim.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "nn/layers/dropout.h"
#include "nn/layers/embedding.h"
#include "nn/layers/linear.h"
#include "nn/translation/recurrent_kind.h"

namespace nn {

struct RecurrentEncoderOptions {
  Int vocab_size = 0;   // required
  Int embed_dim = 0;    // required
  Int hidden_dim = 0;   // H, of each direction; required
  Int decoder_dim = 0;  // D; hidden_dim unless given
  Int n_layers = 1;
  RecurrentKind cell = RecurrentKind::gru;
  double dropout = 0.0;          // on the embedded words and between the layers, in training
  double context_dropout = 0.0;  // on the outputs, in training
  std::optional<Int> padding_idx = std::nullopt;
  double embedding_std = 1.0;  // the embeddings start normal with this standard deviation
  DType dtype = autograd::float32;
};

class RecurrentEncoder : public Module {
 public:
  // Throws bad-argument for sizes below 1.
  explicit RecurrentEncoder(const RecurrentEncoderOptions& options, Where where = Where::current());

  struct Output {
    Tensor outputs;          // h: [B, S, 2 H], zero beyond a sentence's length
    Tensor summary;          // [B, 2 H]
    RecurrentState initial;  // s_0, and c_0 of an LSTM: [B, D] each
  };
  // src [B, S], int64 ids. lengths: one per sentence, from 1 to S; without them all reach to S.
  // Throws token-out-of-range and bad-length.
  Output operator()(const Tensor& src, const std::vector<std::int64_t>& lengths = {},
                    Where where = Where::current()) const;

  const RecurrentEncoderOptions options;
  Embedding embedding;
  std::unique_ptr<Recurrent> rnn;   // bidirectional
  Linear fc;                        // 2 H -> D
  std::unique_ptr<Linear> fc_cell;  // 2 H -> D; of an LSTM only
  Dropout dropout;
  Dropout context_dropout;
};

}  // namespace nn
