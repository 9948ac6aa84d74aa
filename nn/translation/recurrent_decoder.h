// RecurrentDecoder: writes a sentence word by word, with a GRU or LSTM and any attention, or none, in one of the orders
// of decoder_steps.h, and with one of the output layers of output_layer.h.
//
// Sizes: B batch, S source positions, T target positions, H hidden_dim, E context_dim, M embed_dim, V vocab_size.
#pragma once

#include <memory>
#include <optional>

#include "nn/layers/dropout.h"
#include "nn/layers/embedding.h"
#include "nn/translation/decoder_steps.h"
#include "nn/translation/output_layer.h"
#include "nn/translation/recurrent_kind.h"
#include "nn/translation/translation_model.h"

namespace nn {

struct RecurrentDecoderOptions {
  Int vocab_size = 0;   // V; required
  Int embed_dim = 0;    // M; required
  Int hidden_dim = 0;   // H; required
  Int context_dim = 0;  // E, the encoder_dim of the attention; required
  RecurrentKind cell = RecurrentKind::gru;
  DecoderOrder order = DecoderOrder::bahdanau;  // means nothing without attention
  OutputKind output = OutputKind::linear;
  Int maxout_dim = 0;           // hidden_dim / 2 unless given
  double dropout = 0.0;         // on the embedded words, in training
  double output_dropout = 0.0;  // on what the output layer multiplies with fc_out, in training
  std::optional<Int> padding_idx = std::nullopt;
  double embedding_std = 1.0;  // the embeddings start normal with this standard deviation
  DType dtype = autograd::float32;
};

class RecurrentDecoder : public Module {
 public:
  // attention: of decoder_dim H and encoder_dim E, or nullptr for none.
  // Throws bad-argument for sizes below 1, for an attention of other sizes, and for the conditional order without one.
  RecurrentDecoder(const RecurrentDecoderOptions& options, std::unique_ptr<AttentionMechanism> attention,
                   Where where = Where::current());

  // Before the first word: outputs [B, S, E] of the encoder, their mask [B, S] or none, summary [B, E], which is the
  // fixed context of a decoder without attention, and the first state, [B, H] each.
  DecoderState start(const Tensor& outputs, const Tensor& mask, const Tensor& summary, const RecurrentState& initial,
                     Where where = Where::current()) const;

  // One word: words [B] ids.
  TranslationModel::Step step(const Tensor& words, const DecoderState& state, Where where = Where::current()) const;

  // All words, tgt_in [B, T], from the first state on. What the steps do not depend on is done for all of them at
  // once: with ratio 1 the embeddings, always the logits, and without attention the RNN too.
  TranslationModel::Output all_steps(const Tensor& tgt_in, const DecoderState& state,
                                     const TeacherForcing& teacher_forcing = {}, Where where = Where::current()) const;

  const RecurrentDecoderOptions options;
  Embedding embedding;
  std::unique_ptr<AttentionMechanism> attention;  // nullptr: none
  std::unique_ptr<Recurrent> rnn;                 // input M + E, or M + H when h~ is fed in; M in the conditional order
  std::unique_ptr<Recurrent> rnn_context;         // input E; of the conditional order only
  OutputLayer output;
  Dropout dropout;
  Dropout output_dropout;

 private:
  DecoderSteps steps() const;
  std::int64_t fed_dim() const;
  void register_attention();

  std::unique_ptr<Module> multi_head_;
};

}  // namespace nn
