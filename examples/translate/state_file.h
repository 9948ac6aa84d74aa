// A file that holds tensors and texts by name and notices damage: safetensors (nn/safetensors.h), whose metadata also
// say what kind of file it is and carry a fingerprint of all the rest. The format alone would not notice a flipped bit
// in a weight.
//
// It is written completely or not at all (nn/atomic_file.h): whatever happens meanwhile, a full disk, a crash or kill
// -9, the file of before is still there, whole.
#pragma once

#include <nn/safetensors.h>

#include <string>

namespace translate {

using autograd::Where;

struct StateFile {
  nn::StateDict tensors;
  nn::Metadata texts;  // the names "kind" and "fingerprint" are taken
};

// Throws bad-file if it cannot be written.
void save_state_file(const std::string& path, const std::string& kind, const StateFile& content,
                     Where where = Where::current());

// Throws bad-file if it cannot be read, and bad-safetensors, saying what is wrong, if it is damaged or of another kind.
StateFile load_state_file(const std::string& path, const std::string& kind, Where where = Where::current());

}  // namespace translate
