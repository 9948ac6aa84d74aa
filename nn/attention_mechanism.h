// AttentionMechanism: the face that all kinds of attention share, so that a translator can be built with any of them.
//
//   const nn::AttentionSource source = attention.read_source(encoder_outputs, mask);    once per batch of sentences
//   nn::AttentionMemory memory;                                                        once per decoding
//   auto [context, weights] = attention(decoder_state, source, memory);                at each step
//
// A mechanism says how well a decoder state fits each source position (the scores), and what is made of the scores
// (the weights): most take their softmax. The rest is the same for all:
//
//   weights  = of the scores, over the positions where the mask is true; 0 at the others
//   context  = sum_i weights_i values_i
//
// Sizes: B batch, S source positions, D decoder_dim, E encoder_dim.
#pragma once

#include <memory>
#include <string_view>

#include "nn/module.h"

namespace nn {

// What attention needs to know of the source; the same for every step. A value in the caller's hands, as
// ProjectedKeys is (attention.h says why).
struct AttentionSource {
  Tensor keys;      // what the scores are computed from, as the mechanism made it of the encoder's outputs: [B, S, ..]
  Tensor values;    // [B, S, E]
  Tensor mask;      // [B, S], boolean, true where there is a token; undefined: everywhere
  Tensor segments;  // [B, N, S], boolean, which positions belong to which of N parts; hierarchical attention only

  // The sentences at these positions of the batch, rows [R] int64 -> a source of R sentences.
  AttentionSource select(const Tensor& rows) const;
};

// What a mechanism remembers of the steps before, for one decoding of one batch. A fresh one at the first step.
struct AttentionMemory {
  std::int64_t step = 0;  // how many steps there have been
  Tensor coverage;        // [B, S], the sum of the weights so far; undefined at the first step

  AttentionMemory select(const Tensor& rows) const;
};

struct AttentionOptions {
  std::int64_t decoder_dim = 0;    // D; to be given
  std::int64_t encoder_dim = 0;    // E; to be given
  std::int64_t attention_dim = 0;  // of the hidden layer of scores that have one; decoder_dim unless given
  double dropout = 0.0;            // on the weights, in training; they are not scaled back to the sum 1
  DType dtype = autograd::float32;
};

class AttentionMechanism : public Module {
 public:
  struct Output {
    Tensor context;  // [B, E]
    Tensor weights;  // [B, S], before dropout
  };

  // encoder_outputs [B, S, E], mask [B, S] or undefined. Throws shape-mismatch, dtype-mismatch.
  AttentionSource read_source(const Tensor& encoder_outputs, const Tensor& mask = Tensor(),
                              Where where = Where::current()) const;
  // One step: query [B, D]. `memory` is brought up to date.
  Output operator()(const Tensor& query, const AttentionSource& source, AttentionMemory& memory,
                    Where where = Where::current()) const;

  const AttentionOptions options;

 protected:
  AttentionMechanism(std::string_view type, const AttentionOptions& options, Where where);

 private:
  // The source's side of the scores: encoder_outputs [B, S, E] -> keys.
  virtual Tensor project_keys(const Tensor& encoder_outputs) const = 0;
  // query [B, D] -> scores [B, S], before masking.
  virtual Tensor scores(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const = 0;
  // scores [B, S] -> weights [B, S]; softmax over the mask unless overridden.
  virtual Tensor weights(const Tensor& query, const Tensor& scores, const AttentionSource& source,
                         const AttentionMemory& memory) const;
};

}  // namespace nn
