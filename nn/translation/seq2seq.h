// An encoder and a decoder with additive attention, for translation (Bahdanau, Cho and Bengio 2015, section 3):
//
//   h      = [GRU forwards; GRU backwards] over the embedded source       the encoder
//   s_0    = tanh(fc [last h forwards; last h backwards])
//   c_t    = attention(s_{t-1}, h)                                        the decoder, step by step
//   s_t    = GRU([embedding of y_{t-1}; c_t], s_{t-1})
//   logits = fc_out [s_t; c_t; embedding of y_{t-1}]
//
// The steps are those of every recurrent decoder (translation/decoder_steps.h); this is an interface to them with the
// sizes and names that course texts use. RecurrentTranslator (translation/recurrent_translator.h) has all variants.
//
// Where the paper differs: s_0 = tanh(W_s h_1) from the backward direction alone, and the logits come from a maxout
// layer over s_{t-1} (appendix A.2.2).
//
// Sizes: B batch, S source positions, T target positions, H hidden_dim, V target vocabulary.
#pragma once

#include <optional>
#include <vector>

#include "nn/attention/additive_attention.h"
#include "nn/layers/dropout.h"
#include "nn/layers/embedding.h"
#include "nn/layers/gru.h"
#include "nn/layers/linear.h"
#include "nn/translation/decoder_steps.h"
#include "nn/translation/recurrent_encoder.h"

namespace nn {

using BahdanauEncoderOptions = RecurrentEncoderOptions;

// The encoder of all recurrent translators (recurrent_encoder.h), with two of its three results.
class BahdanauEncoder : public RecurrentEncoder {
 public:
  using RecurrentEncoder::RecurrentEncoder;

  struct Output {
    Tensor outputs;  // [B, S, 2 H], zero beyond a sentence's length
    Tensor hidden;   // [B, H], the decoder's initial state
  };
  // src [B, S], int64 ids. lengths: one per sentence, from 1 to S; without them all reach to S.
  // Throws token-out-of-range and bad-length.
  Output operator()(const Tensor& src, const std::vector<std::int64_t>& lengths = {},
                    Where where = Where::current()) const;
};

struct BahdanauDecoderOptions {
  Int vocab_size = 0;     // V; required
  Int embed_dim = 0;      // required
  Int hidden_dim = 0;     // H; required
  Int encoder_dim = 0;    // of the encoder's outputs; 2 * hidden_dim unless given
  Int attention_dim = 0;  // hidden_dim unless given
  double dropout = 0.0;   // on the embedded words, in training
  std::optional<Int> padding_idx = std::nullopt;
  DType dtype = autograd::float32;
};

class BahdanauDecoder : public Module {
 public:
  explicit BahdanauDecoder(const BahdanauDecoderOptions& options, Where where = Where::current());

  struct Output {
    Tensor prediction;  // [B, V] logits
    Tensor hidden;      // [B, H], for the next step
    Tensor weights;     // [B, S] of the attention
  };
  // One step: input_token [B] ids, hidden [B, H], encoder_outputs [B, S, encoder_dim], mask [B, S] or none.
  Output operator()(const Tensor& input_token, const Tensor& hidden, const Tensor& encoder_outputs,
                    const Tensor& mask = Tensor(), Where where = Where::current()) const;
  // The same with what precompute() gave, for loops.
  Output operator()(const Tensor& input_token, const Tensor& hidden, const ProjectedKeys& source,
                    const Tensor& mask = Tensor(), Where where = Where::current()) const;

  // What all steps share; see ProjectedKeys (attention_mechanism.h).
  ProjectedKeys precompute(const Tensor& encoder_outputs, Where where = Where::current()) const;
  // With a mask, what the padding holds does not matter, even if it is NaN.
  ProjectedKeys precompute(const Tensor& encoder_outputs, const Tensor& mask, Where where = Where::current()) const;

  struct Sequence {
    Tensor logits;   // [B, T, V]
    Tensor weights;  // [B, T, S]
  };
  // All steps with the right words as inputs, tgt_in [B, T] (teacher forcing; Williams and Zipser 1989). Embeds all
  // words and computes all logits at once, which the steps do not depend on.
  Sequence teacher_forced(const Tensor& tgt_in, const Tensor& hidden, const ProjectedKeys& source,
                          const Tensor& mask = Tensor(), Where where = Where::current()) const;

  // Both by the interface of every decoder (translation/recurrent_decoder.h).
  TranslationModel::Step step(const Tensor& words, const DecoderState& state, Where where = Where::current()) const;
  TranslationModel::Output all_steps(const Tensor& tgt_in, const DecoderState& state,
                                     Where where = Where::current()) const;

  const BahdanauDecoderOptions options;
  Embedding embedding;
  AdditiveAttention attention;
  GRU rnn;
  Linear fc_out;  // H + encoder_dim + embed_dim -> V
  Dropout dropout;

 private:
  DecoderSteps steps() const;
};

struct Seq2SeqOptions {
  BahdanauEncoderOptions encoder = {};
  BahdanauDecoderOptions decoder = {};
};

struct GreedyOptions {
  Int bos = 1;  // the id that every sentence starts with
  Int eos = 2;  // the id that ends one
  Int max_length = 60;
};

class Seq2Seq : public Module {
 public:
  // Throws bad-argument unless the decoder's hidden_dim and encoder_dim fit the encoder's hidden_dim.
  explicit Seq2Seq(const Seq2SeqOptions& options, Where where = Where::current());

  using Output = BahdanauDecoder::Sequence;
  // Teacher forcing: src [B, S], its lengths, tgt_in [B, T] -> logits [B, T, V], weights [B, T, S]. Compare with the
  // target one word later:  cross_entropy(logits.flatten(0, 1), tgt_out.flatten(), {.ignore_index = padding})
  Output operator()(const Tensor& src, const std::vector<std::int64_t>& lengths, const Tensor& tgt_in,
                    Where where = Where::current()) const;

  struct Translation {
    std::vector<std::vector<std::int64_t>> tokens;  // per sentence, without bos and eos
    Tensor weights;                                 // [B, T, S]; 0 after a sentence's eos
  };
  // greedy_search (translation/search.h): the most probable word at each step, until every sentence has its eos or
  // max_length words. Records no graph. Call eval() before, or dropout acts.
  Translation greedy(const Tensor& src, const std::vector<std::int64_t>& lengths, const GreedyOptions& options = {},
                     Where where = Where::current()) const;

  BahdanauEncoder encoder;
  BahdanauDecoder decoder;

 private:
  DecoderState read(const Tensor& src, const std::vector<std::int64_t>& lengths) const;
};

}  // namespace nn
