// The header of a safetensors file (safetensors.h): reads and writes its text. Private to nn.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "nn/saving/safetensors.h"

namespace nn {

// How the elements of one tensor are stored.
struct StoredDType {
  std::string_view name;  // "F32"
  std::int64_t bytes;     // per element
  DType loaded_as;
};
const StoredDType* find_stored_dtype(std::string_view name);  // nullptr for one that is not read
const StoredDType& stored_dtype(DType dtype);

struct SafetensorsEntry {
  std::string name;
  StoredDType dtype;
  Shape shape;
  std::int64_t begin = 0;  // in bytes, from the end of the header
  std::int64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // in the order of the data
  Metadata metadata;
};

// A name as it can be printed: in quotes, strange characters escaped, cut off if it is very long.
std::string quoted(const std::string& name);

// What is wrong with a header, in one sentence.
struct HeaderProblem : std::runtime_error {
  enum class Kind { damaged, not_supported };  // what is not supported is read in Python, and converted there
  explicit HeaderProblem(const std::string& found, Kind what = Kind::damaged) : std::runtime_error(found), kind(what) {}
  Kind kind;
};

// The header that the text says, every tensor of it within `data_bytes` and all of them together filling it.
// Throws HeaderProblem.
SafetensorsHeader parse_safetensors_header(std::string_view text, std::int64_t data_bytes);

// The text, padded with spaces to a multiple of eight bytes. Throws HeaderProblem for names that are not UTF-8.
std::string write_safetensors_header(const SafetensorsHeader& header);

}  // namespace nn
