// DecoderSteps: the steps of a recurrent decoder, one by one or all of a sentence, with a GRU or LSTM and any
// attention, or none. In four orders, y the embedding of the last word, c the context, s the state:
//
//   Bahdanau     c_t = attention(s_{t-1}),  s_t = RNN([y_{t-1}; c_t], s_{t-1})       (Bahdanau et al. 2015, A.2.2)
//   Luong        s_t = RNN([y_{t-1}; f_{t-1}], s_{t-1}),  c_t = attention(s_t)       (Luong et al. 2015, section 3.3)
//                f, what the step before feeds in ("input feeding"), is its h~ if the output layer is
//                attentional, as in the paper, otherwise its context; f_0 = 0
//   conditional  s'_t = RNN(y_{t-1}, s_{t-1}),  c_t = attention(s'_t),  s_t = RNN'(c_t, s'_t)
//                two transitions with attention between, the conditional GRU (Sennrich et al. 2017, section 2)
//   no attention c fixed, s_t = RNN([y_{t-1}; c], s_{t-1})                           (Cho et al. 2014)
//
// and then logits_t = output(s_t, c_t, y_{t-1}), see output_layer.h. One exception, the paper's: maxout in Bahdanau's
// order reads s_{t-1}, the state that c_t was found with.
//
// Sizes: B batch, S source positions, T target positions, H hidden_dim, E context_dim, M embed_dim, V vocab_size.
// Private to translation.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/layers/dropout.h"
#include "nn/layers/embedding.h"
#include "nn/translation/output_layer.h"
#include "nn/translation/recurrent_kind.h"
#include "nn/translation/translation_model.h"

namespace nn {

enum class DecoderOrder { bahdanau, luong, conditional };

// Is it h~ that a step feeds into the next one?
inline bool feeds_attentional_vector(DecoderOrder order, OutputKind output, bool has_attention) {
  return has_attention && order == DecoderOrder::luong && output == OutputKind::attentional;
}

class DecoderSteps {
 public:
  // What the decoder is made of. It opens the scope of its name before each call.
  struct Parts {
    std::string_view type;  // what errors call it
    const Embedding& embedding;
    const AttentionMechanism* attention;  // nullptr: none
    const Recurrent& rnn;
    const Dropout& dropout;
    std::function<Tensor(const Tensor& state, const Tensor& context, const Tensor& embedded)> features;
    std::function<Tensor(const Tensor& features)> logits;
    DecoderOrder order = DecoderOrder::bahdanau;
    OutputKind output = OutputKind::linear;
    const Recurrent* rnn_context = nullptr;  // RNN', of the conditional order only
  };
  explicit DecoderSteps(Parts parts) : parts_(std::move(parts)) {}

  // See RecurrentDecoder::step() and all_steps().
  TranslationModel::Step one(const Tensor& words, const DecoderState& state, Where where) const;
  TranslationModel::Output all(const Tensor& tgt_in, const DecoderState& state, const TeacherForcing& teacher_forcing,
                               Where where) const;

 private:
  // One step, up to the output layer.
  struct Advance {
    Tensor embedded = Tensor();           // [B, M], the word that it was told
    Tensor read = Tensor();               // [B, H], the state that the output layer reads
    Tensor context = Tensor();            // [B, E]
    Tensor weights = Tensor();            // [B, S]
    DecoderState state = DecoderState();  // afterwards
  };
  Advance advance(const Tensor& embedded, const DecoderState& state) const;
  Advance attend_then_update(const Tensor& embedded, const DecoderState& state) const;  // Bahdanau
  Advance update_then_attend(const Tensor& embedded, const DecoderState& state) const;  // Luong
  Advance attend_between(const Tensor& embedded, const DecoderState& state) const;      // conditional
  Advance update(const Tensor& embedded, const DecoderState& state) const;              // no attention
  RecurrentState next_state(const Tensor& embedded, const Tensor& context, const RecurrentState& before) const;

  TranslationModel::Output step_by_step(const Tensor& tgt_in, const DecoderState& state,
                                        const TeacherForcing& teacher_forcing) const;
  TranslationModel::Output without_attention(const Tensor& tgt_in, const DecoderState& state,
                                             const Tensor& positions) const;
  Tensor features_of(const Advance& step) const;
  Tensor features_of_all(const std::vector<Advance>& steps, const Tensor& embedded) const;
  Tensor embed_best_word(const Advance& step) const;
  bool feeds_vector() const {
    return feeds_attentional_vector(parts_.order, parts_.output, parts_.attention != nullptr);
  }

  Parts parts_;
};

}  // namespace nn
