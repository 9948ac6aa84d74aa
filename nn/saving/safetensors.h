// The safetensors format (https://github.com/huggingface/safetensors, README): tensors by name in one file, which
// PyTorch and most other frameworks read and write.
//
//   8 bytes    N, the length of the header, as an unsigned little-endian number
//   N bytes    the header, JSON in UTF-8, padded with spaces:
//              {"__metadata__": {"key": "text"},
//               "fc.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
//   the rest   the elements, row-major, little-endian, one tensor after the other without gaps
//
//   nn::save_safetensors("model.safetensors", model.state_dict());
//   model.load_state_dict(nn::load_safetensors("model.safetensors").tensors);
//
// In Python:  safetensors.torch.load_file("model.safetensors")
#pragma once

#include <autograd/autograd.h>

#include <map>
#include <string>

#include "nn/saving/state_dict.h"

namespace nn {

using Metadata = std::map<std::string, std::string>;

struct Safetensors {
  StateDict tensors;
  Metadata metadata;
};

// Writes the file completely or not at all (atomic_file.h). float32, float64, int64 and boolean become F32, F64,
// I64 and BOOL. Throws bad-file if it cannot be written, and bad-argument for a name that is not UTF-8 or is
// "__metadata__".
void save_safetensors(const std::string& path, const StateDict& tensors, const Metadata& metadata = {},
                      Where where = Where::current());

// Reads F32, F64, I64 and BOOL as they are, F16 and BF16 as float32. Throws bad-file if the file cannot be read, and
// bad-safetensors, which says what is wrong, if it is damaged, hostile or of another dtype. Nothing is allocated
// because the header alone says so: all sizes are first compared with that of the file.
Safetensors load_safetensors(const std::string& path, Where where = Where::current());

}  // namespace nn
