// TranslationModel: the interface of all translators (recurrent ones with any attention or none, the Transformer,
// ensembles), so that training, search and measuring are written once.
//
//   const nn::TranslationModel::Output out = model(src, lengths, tgt_in);     all steps at once, in training
//
//   nn::DecoderState state = model.start(src, lengths);                       one step at a time, in search (search.h)
//   const nn::TranslationModel::Step step = model.step(words, state);
//
// Sizes: B batch, S source positions, T target positions, V target vocabulary, H hidden_dim.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/attention/attention_mechanism.h"
#include "nn/layers/recurrent.h"

namespace nn {

// All that a decoder knows of the source and of the words so far. Which members are defined depends on the model.
// A step returns the state for the next one.
struct DecoderState {
  AttentionSource source;  // undefined members without attention
  AttentionMemory memory;
  RecurrentState recurrent;    // [B, H], of a recurrent decoder
  Tensor context;              // [B, E] fixed, without attention; with input feeding that of the step before, or
                               // its attentional vector [B, H] (recurrent_decoder.h)
  std::vector<Tensor> caches;  // [B, .., ..] each, of a Transformer: what its layers keep of the words so far
  // Of an ensemble: the state of each model (ensemble.h).
  std::vector<DecoderState> members;

  // Picks the sentences at these positions of the batch, rows [R] int64, which may repeat. Beam search uses this to go
  // on with the best hypotheses.
  DecoderState select(const Tensor& rows) const;
  // The same if every row stays with its sentence, so that `source` does not change. (`source` has one row per
  // hypothesis.)
  DecoderState select_within_sentences(const Tensor& rows) const;
};

// Which matrices of a translator are one and the same (Press and Wolf 2017; Vaswani et al. 2017, section 3.4).
enum class WeightTying {
  none,
  target,  // the target's embedding and the output layer
  all,     // these two and the source's embedding; the vocabularies have the same words
};

struct TeacherForcing {
  double ratio = 1.0;  // the probability, drawn at each step for the whole batch, of the right word as input and not
                       // the model's own best one (Bengio et al. 2015: scheduled sampling)
  // [N] int64, positions in tgt_in.flatten(): the output layer, which is most of the work, is applied to these only.
  // Padding, which has no next word, can so be left out. Undefined: to all.
  Tensor positions = Tensor();
};

// What the output layer is applied to: features [B, T, F] -> [N, F], those at `positions`; all, as they are, if these
// are undefined.
Tensor features_at(const Tensor& features, const Tensor& positions);

class TranslationModel : public Module {
 public:
  struct Output {
    Tensor logits;         // [B, T, V], or [N, V] with TeacherForcing::positions
    Tensor weights;        // [B, T, S] of the attention; undefined without attention
    Tensor coverage_loss;  // [B, T]: sum_i min(weight_ti, coverage_ti) (See, Liu and Manning 2017, eq. 12); undefined
                           // unless the attention keeps count of its coverage
  };
  struct Step {
    Tensor logits;   // [B, V]
    Tensor weights;  // [B, S]; undefined without attention
    DecoderState state;
  };

  // src [B, S] int64 ids, lengths one per sentence (empty: all reach to S), tgt_in [B, T]: bos and the words before.
  virtual Output operator()(const Tensor& src, const std::vector<std::int64_t>& lengths, const Tensor& tgt_in,
                            const TeacherForcing& teacher_forcing = {}, Where where = Where::current()) const = 0;

  virtual DecoderState start(const Tensor& src, const std::vector<std::int64_t>& lengths,
                             Where where = Where::current()) const = 0;
  // words [B], the last word of each sentence so far: bos at first.
  virtual Step step(const Tensor& words, const DecoderState& state, Where where = Where::current()) const = 0;
};

}  // namespace nn
