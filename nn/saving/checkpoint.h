// Checkpoint: a file of named tensors and texts that notices damage. It is a safetensors file (safetensors.h) whose
// metadata also say what kind of file it is, and hold a fingerprint of everything else: the format alone would not
// notice a flipped bit in a weight. For training that will be resumed, and for models with all that their use takes:
//
//   nn::Checkpoint checkpoint{model.state_dict(), {{"dim", "256"}}};
//   checkpoint.tensors["generator"] = nn::to_tensor(autograd::default_generator().state());
//   nn::save_checkpoint("run/checkpoint.safetensors", "my training", checkpoint);
//
// It is written completely or not at all (atomic_file.h): after a full disk, a crash or kill -9, the previous file is
// still there, whole.
#pragma once

#include <autograd/tensor/random.h>

#include <string>

#include "nn/saving/safetensors.h"

namespace nn {

struct Checkpoint {
  StateDict tensors;
  Metadata texts;  // the names "kind" and "fingerprint" are taken
};

// Throws bad-file if it cannot be written.
void save_checkpoint(const std::string& path, const std::string& kind, const Checkpoint& checkpoint,
                     Where where = Where::current());

// Throws bad-file if it cannot be read, and bad-safetensors, saying what is wrong, if it is damaged or of another kind.
Checkpoint load_checkpoint(const std::string& path, const std::string& kind, Where where = Where::current());

// The state of a random generator as a tensor [6] of int64.
Tensor to_tensor(const autograd::Generator::State& state);
// The way back. Throws bad-file for any other tensor.
autograd::Generator::State generator_state(const Tensor& tensor, Where where = Where::current());

}  // namespace nn
