// AttentionMechanism: the interface of all kinds of attention, so that a translator can be built with any of them.
//
//   const nn::AttentionSource source = attention.read_source(encoder_outputs, mask);    once per batch of sentences
//   nn::AttentionMemory memory;                                                        once per decoding
//   auto [context, weights] = attention(decoder_state, source, memory);                at each step
//
// Most kinds are a ScoredAttention: they only score how well a decoder state fits each source position. Then
//
//   weights_i = softmax of the scores, over the positions where the mask is true; 0 at the others
//   context   = sum_i weights_i values_i
//
// A row whose mask is false everywhere has the weights 0 and the context 0 (multi_head: the bias of its output), and no
// gradient flows from it. The encoder's outputs have no influence where the mask is false, not even a NaN.
//
// attention_kinds.h lists the kinds.
//
// Sizes: B batch, S source positions, D decoder_dim, E encoder_dim.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "nn/layers/linear.h"
#include "nn/layers/module.h"

namespace nn {

// The part of attention that depends on the source only. It is the same for every decoder step, so it is computed once
// per batch and passed to each call: a step then takes A (D + S) multiplications instead of A (D + E S).
//
// It is a value that the caller holds, not a cache inside the module. A cache goes stale unnoticed: one from the last
// batch would give attention over the wrong sentences, and one from before the optimiser's step would give gradients of
// weights that no longer exist. A value of the next batch is another variable, and is freed at the end of its scope.
struct ProjectedKeys {
  Tensor keys;    // of additive attention W_enc h: [B, S, A]
  Tensor values;  // [B, S, any]
};

// The source for every step of a decoder: its projected keys, and where there are tokens.
struct AttentionSource {
  Tensor keys;      // from which scores are computed; the mechanism makes them from the encoder's outputs: [B, S, ..]
  Tensor values;    // of which the context is a sum: the encoder's outputs, 0 at the padding; [B, S, E]
  Tensor mask;      // [B, S], boolean, true where there is a token; undefined: everywhere
  Tensor segments;  // [B, N, S], boolean, which positions belong to which of N parts; hierarchical attention only

  // Picks the sentences at these positions of the batch, rows [R] int64 -> a source of R sentences.
  AttentionSource select(const Tensor& rows) const;
};

// What a mechanism remembers of the steps before, for one decoding of one batch. Each decoding starts with a new one.
struct AttentionMemory {
  std::int64_t step = 0;  // how many steps there have been
  Tensor coverage;        // [B, S], the sum of the weights so far; undefined at the first step, and in mechanisms that
                          // do not keep it

  AttentionMemory select(const Tensor& rows) const;
};

struct AttentionOptions {
  Int decoder_dim = 0;    // D; required
  Int encoder_dim = 0;    // E; required
  Int attention_dim = 0;  // A, of the hidden layer of scores that have one; decoder_dim unless given
  double dropout = 0.0;   // on the weights, in training; they are not scaled back to the sum 1
  DType dtype = autograd::float32;
};

// With the default of attention_dim. Throws bad-argument for sizes below 1 and dropout outside [0, 1].
AttentionOptions checked_options(std::string_view type, AttentionOptions options, Where where);

class AttentionMechanism : public Module {
 public:
  struct Output {
    Tensor context;  // [B, E], or [B, T, E] of all steps
    Tensor weights;  // [B, S] or [B, T, S], before dropout
  };

  // encoder_outputs [B, S, E], mask [B, S] or undefined. Throws shape-mismatch, dtype-mismatch.
  AttentionSource read_source(const Tensor& encoder_outputs, const Tensor& mask = Tensor(),
                              Where where = Where::current()) const;
  // One step: query [B, D]. Updates `memory`.
  Output operator()(const Tensor& query, const AttentionSource& source, AttentionMemory& memory,
                    Where where = Where::current()) const;

  // Does the mechanism add up its weights in memory.coverage?
  virtual bool keeps_coverage() const { return false; }

  const AttentionOptions options;

 protected:
  // `type` is what errors call it. Throws as checked_options() does.
  AttentionMechanism(std::string_view type, const AttentionOptions& options, Where where);

  // sum_i weights_i values_i, with dropout on the weights: [B, S] and [B, S, E] -> [B, E].
  Tensor context_of(const Tensor& weights, const Tensor& values) const;

  // A layer of a score.
  static LinearOptions layer(std::int64_t in, std::int64_t out, const AttentionOptions& options, Flag bias = false) {
    return {.in_features = in, .out_features = out, .bias = bias, .dtype = options.dtype};
  }

  const std::string& type() const { return type_; }

 private:
  // The source's side, once per batch: encoder_outputs [B, S, E], 0 at the padding -> keys and values.
  virtual ProjectedKeys project(const Tensor& encoder_outputs) const = 0;
  // One step; the arguments have been checked.
  virtual Output attend(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const = 0;

  void check_step(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory, Where where) const;
  void check_segments(const AttentionSource& source, std::int64_t batch, std::int64_t positions, Where where) const;

  std::string type_;
};

// Attention whose weights are computed from one score per position.
class ScoredAttention : public AttentionMechanism {
 protected:
  using AttentionMechanism::AttentionMechanism;

 private:
  // query [B, D] -> scores [B, S], before masking.
  virtual Tensor scores(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const = 0;
  // scores [B, S] -> weights [B, S]; softmax over the mask unless overridden.
  virtual Tensor weights(const Tensor& query, const Tensor& scores, const AttentionSource& source,
                         const AttentionMemory& memory) const;

  Output attend(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const final;
};

}  // namespace nn
