// Two decoders. One makes one step at a time, with its readout; the other goes through all steps of a sentence whose
// words are known, and knows the source by what was computed of it once.
#pragma once

#include "mine/parts.h"

// The inputs of one step, and those of all steps, by their places.
namespace mine::step_input {
enum : std::size_t { word, state, H, mask, W, U, v, weight_ih, weight_hh, bias_ih, bias_hh, readout, readout_bias };
}
namespace mine::decode_input {
enum : std::size_t { words, state, H, mask, W, U, v, weight_ih, weight_hh };
}

namespace mine::decoder {

Step step(const Tensors& inputs);
// -> the states after each step, [batch, steps, state]
Tensor decode(const Tensors& inputs);

struct MemoryStep {
  Tensor state;
  Tensor weights;
};
// weights: W, v, weight_ih, weight_hh
MemoryStep memory_step(const Tensor& word, const Tensor& state, const Tensor& keys, const Tensor& values,
                       const Tensor& mask, const Tensors& weights);

// The logits of every step [batch, steps, vocabulary], each being given its word of `in`.
Tensor teacher_forced(const Stepper& stepper, const Tensor& state, const Tensor& in);
Targets targets(const std::vector<Sentence>& sentences);
Tensor stack_rows(const std::vector<Sentence>& sentences);  // padded: [sentences, longest]

}  // namespace mine::decoder
