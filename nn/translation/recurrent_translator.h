// RecurrentTranslator: the sequence-to-sequence models of 2014 and 2015, an encoder that reads from both ends
// (recurrent_encoder.h) and a decoder with attention, or with a fixed context (recurrent_decoder.h).
//
//   nn::RecurrentTranslator model({.source_vocab = 5898, .target_vocab = 7882});                 Bahdanau et al. 2015
//   nn::RecurrentTranslator model({.., .attention = "none"});                                    Cho et al. 2014
//   nn::RecurrentTranslator model({.., .cell = nn::RecurrentKind::lstm, .attention = "general",  Luong et al. 2015
//                                  .order = nn::DecoderOrder::luong, .output = nn::OutputKind::attentional});
//   nn::RecurrentTranslator model({.., .order = nn::DecoderOrder::conditional,                   Sennrich et al. 2017
//                                  .output = nn::OutputKind::deep, .tying = nn::WeightTying::target});
//
//   const auto [logits, weights, coverage_loss] = model(src, lengths, tgt_in);                   in training
//   const auto translations = nn::greedy_search(model, src, lengths);                            in use (search.h)
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "nn/translation/recurrent_decoder.h"
#include "nn/translation/recurrent_encoder.h"
#include "nn/translation/translation_model.h"

namespace nn {

struct RecurrentTranslatorOptions {
  Int source_vocab = 0;        // required
  Int target_vocab = 0;        // required
  Int embed_dim = 256;         // of the words of both languages
  Int hidden_dim = 256;        // of the decoder
  Int encoder_hidden_dim = 0;  // of each direction; hidden_dim unless given. Half of it makes contexts of the
                               // state's size, so that "dot" attention needs no layer in between
  Int attention_dim = 0;       // hidden_dim unless given
  Int n_layers = 1;            // of the encoder
  RecurrentKind cell = RecurrentKind::gru;
  std::string attention = "additive";  // one of attention_kinds() (attention_kinds.h), or "none"
  // The id that ends each segment of the source, such as a full stop; for "hierarchical" attention, which without it
  // takes each source as one segment.
  std::optional<Int> separator = std::nullopt;
  DecoderOrder order = DecoderOrder::bahdanau;
  OutputKind output = OutputKind::linear;
  Int maxout_dim = 0;                     // hidden_dim / 2 unless given
  double dropout = 0.0;                   // on the embedded words of both languages and between layers, in training
  double attention_dropout = 0.0;         // on the weights of the attention, in training
  double context_dropout = 0.0;           // on the encoder's outputs, in training
  double output_dropout = 0.0;            // on what is multiplied with the output layer's matrix, in training
  WeightTying tying = WeightTying::none;  // needs an output layer whose features have the size embed_dim, as deep's
  std::optional<Int> padding_idx = 0;
  double embedding_std = 0.1;  // the embeddings start normal with this standard deviation, the rest as in PyTorch
  DType dtype = autograd::float32;
};

class RecurrentTranslator : public TranslationModel {
 public:
  // Throws bad-argument for sizes below 1, for an attention that does not exist, and for tying that makes one
  // matrix of two of different sizes.
  explicit RecurrentTranslator(const RecurrentTranslatorOptions& options, Where where = Where::current());
  // With an attention of one's own, of decoder_dim hidden_dim and encoder_dim 2 * encoder_hidden_dim; nullptr for none.
  // options.attention, attention_dim and attention_dropout mean nothing then.
  RecurrentTranslator(const RecurrentTranslatorOptions& options, std::unique_ptr<AttentionMechanism> attention,
                      Where where = Where::current());

  // Throws token-out-of-range, bad-length, shape-mismatch, and bad-argument for a ratio outside [0, 1].
  Output operator()(const Tensor& src, const std::vector<std::int64_t>& lengths, const Tensor& tgt_in,
                    const TeacherForcing& teacher_forcing = {}, Where where = Where::current()) const override;
  DecoderState start(const Tensor& src, const std::vector<std::int64_t>& lengths,
                     Where where = Where::current()) const override;
  Step step(const Tensor& words, const DecoderState& state, Where where = Where::current()) const override;

  const RecurrentTranslatorOptions options;
  RecurrentEncoder encoder;
  RecurrentDecoder decoder;

 private:
  void tie_weights(Where where);
  DecoderState read(const Tensor& src, const std::vector<std::int64_t>& lengths) const;
};

}  // namespace nn
