// TransformerTranslator: a translator without recurrence (Vaswani et al. 2017), the modern counterpart of Bahdanau's:
//
//   memory = encoder(dropout(sqrt(M) embedding(src) + PE))               each word sees all words of the source
//   y      = decoder(dropout(sqrt(M) embedding(tgt_in) + PE), memory)    each word sees those before it and the memory
//   logits = fc_out y
//
// PE is that of positional_encoding.h. Training does all target positions at once; search goes word by word, and keeps
// the keys and values of the words so far, so that step t costs one word and not t words.
//
// The weights of attention are those of the last decoder layer's cross-attention, the mean over its heads.
//
// Weights start as PyTorch's nn.Transformer does it (xavier_uniform_ for every matrix); embeddings normal with the
// standard deviation 1 / sqrt(M), so that sqrt(M) embedding is of the size of PE. With PyTorch's default for
// embeddings, 1, it would be sqrt(M) times as large, and PE small beside it.
#pragma once

#include <optional>
#include <vector>

#include "nn/layers/embedding.h"
#include "nn/translation/positional_encoding.h"
#include "nn/translation/transformer.h"
#include "nn/translation/translation_model.h"

namespace nn {

struct TransformerTranslatorOptions {
  Int source_vocab = 0;  // required
  Int target_vocab = 0;  // V; required
  Int d_model = 256;     // M
  Int nhead = 8;         // divides d_model
  Int num_encoder_layers = 3;
  Int num_decoder_layers = 3;
  Int dim_feedforward = 512;
  double dropout = 0.1;     // see TransformerLayerOptions; on the embedded words too
  Flag norm_first = false;  // pre-norm, with one more LayerNorm after each stack
  WeightTying tying = WeightTying::none;
  std::optional<Int> padding_idx = 0;  // of both vocabularies; a tied row is trained by the output layer still
  DType dtype = autograd::float32;
};

class TransformerTranslator : public TranslationModel {
 public:
  // Throws bad-argument for sizes below 1, an nhead that does not divide d_model, a dropout outside [0, 1], and for
  // WeightTying::all with vocabularies of different sizes.
  explicit TransformerTranslator(const TransformerTranslatorOptions& options, Where where = Where::current());

  // See TranslationModel. A teacher that is not always right (ratio < 1) goes word by word, which takes longer.
  // Throws shape-mismatch, bad-length, token-out-of-range.
  Output operator()(const Tensor& src, const std::vector<std::int64_t>& lengths, const Tensor& tgt_in,
                    const TeacherForcing& teacher_forcing = {}, Where where = Where::current()) const override;

  // The state holds four caches per decoder layer, [B, .., M] each: source keys, source values, words' keys, words'
  // values (TransformerDecoderCache).
  DecoderState start(const Tensor& src, const std::vector<std::int64_t>& lengths,
                     Where where = Where::current()) const override;
  Step step(const Tensor& words, const DecoderState& state, Where where = Where::current()) const override;

  const TransformerTranslatorOptions options;
  Embedding src_embedding;
  Embedding tgt_embedding;
  PositionalEncoding positional_encoding;
  TransformerEncoder encoder;
  TransformerDecoder decoder;
  Linear fc_out;  // M -> V

 private:
  void start_weights();
  DecoderState read(const Tensor& src, const std::vector<std::int64_t>& lengths, Where where) const;
  Step next(const Tensor& words, const DecoderState& state) const;
  Tensor embed(const Embedding& embedding, const Tensor& ids, std::int64_t first) const;
  Output all_at_once(const DecoderState& start, const Tensor& tgt_in, const Tensor& positions) const;
  Output word_by_word(const DecoderState& start, const Tensor& tgt_in, const TeacherForcing& teacher_forcing) const;
};

}  // namespace nn
