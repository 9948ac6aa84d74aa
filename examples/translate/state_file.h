// A file that holds tensors and texts by name and notices damage: safetensors (nn/safetensors.h), whose metadata also
// say what kind of file it is and carry a fingerprint of all the rest. The format alone would not notice a flipped bit
// in a weight.
//
// It is written completely or not at all (nn/atomic_file.h): whatever happens meanwhile, a full disk, a crash or kill
// -9, the file of before is still there, whole.
#pragma once

#include <autograd/tensor/random.h>
#include <nn/safetensors.h>

#include <string>

namespace translate {

struct StateFile {
  nn::StateDict tensors;
  nn::Metadata texts;  // the names "kind" and "fingerprint" are taken
};

// Throws bad-file if it cannot be written.
void save_state_file(const std::string& path, const std::string& kind, const StateFile& content);

// Throws bad-file if it cannot be read, and bad-safetensors, saying what is wrong, if it is damaged or of another kind.
StateFile load_state_file(const std::string& path, const std::string& kind);

// The tensor of this name. Throws bad-file, saying what has to be done again, if there is none.
autograd::Tensor entry(const nn::StateDict& tensors, const std::string& name);

// The state of a random generator as a tensor [6] of int64, for such files.
autograd::Tensor to_tensor(const autograd::Generator::State& state);
// Throws bad-file for a tensor that is no such state.
autograd::Generator::State generator_state(const autograd::Tensor& tensor);

}  // namespace translate
