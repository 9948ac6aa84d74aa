#include "nn/safetensors_header.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace nn {
namespace {

using Json = nlohmann::json;

constexpr std::string_view metadata_key = "__metadata__";

constexpr std::array<StoredDType, 6> stored_dtypes{{{"F32", 4, DType::float32},
                                                    {"F64", 8, DType::float64},
                                                    {"I64", 8, DType::int64},
                                                    {"BOOL", 1, DType::boolean},
                                                    {"F16", 2, DType::float32},
                                                    {"BF16", 2, DType::float32}}};

[[noreturn]] void fail_entry(const std::string& name, const std::string& what) {
  throw HeaderProblem(fmt::format("the entry {} {}", quoted(name), what));
}

}  // namespace

std::string quoted(const std::string& name) {
  constexpr std::size_t longest = 200;
  const std::string whole = Json(name).dump(-1, ' ', true, Json::error_handler_t::replace);
  return whole.size() <= longest ? whole : whole.substr(0, longest) + "...\"";
}

const StoredDType* find_stored_dtype(std::string_view name) {
  for (const StoredDType& stored : stored_dtypes) {
    if (stored.name == name) return &stored;
  }
  return nullptr;
}

// The first of the table that is loaded as `dtype` is the dtype itself.
const StoredDType& stored_dtype(DType dtype) {
  std::size_t i = 0;
  while (stored_dtypes[i].loaded_as != dtype) ++i;
  return stored_dtypes[i];
}

// ---- JSON ----------------------------------------------------------------------------------------------------

namespace {

// Refuses, while the text is read, what the parser would accept: a key that comes twice, of which it would keep the
// last, and nesting deeper than the format's own.
class Strictness {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    constexpr int deepest = 3;  // header, entry, shape
    if (depth > deepest) throw HeaderProblem("the header is nested too deeply");
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) check_new(value.get_ref<const std::string&>());
    return true;
  }

 private:
  void check_new(const std::string& key) {
    if (keys_.back().insert(key).second) return;
    throw HeaderProblem(fmt::format("the header has the key {} twice", quoted(key)));
  }
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

Json parse_object(std::string_view text) {
  Json json;
  try {
    Strictness strictness;
    json = Json::parse(
        text, [&](int depth, Json::parse_event_t event, const Json& value) { return strictness(depth, event, value); });
  } catch (const Json::exception& error) {
    throw HeaderProblem(fmt::format("the header is not valid JSON in UTF-8: {}", error.what()));
  }
  if (!json.is_object()) throw HeaderProblem(fmt::format("the header is a JSON {}, not an object", json.type_name()));
  return json;
}

Metadata parse_metadata(const Json& json) {
  if (!json.is_object()) throw HeaderProblem("__metadata__ is not an object");
  Metadata metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string())
      throw HeaderProblem(fmt::format("the value of {} in __metadata__ is not a text", quoted(key)));
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// ---- one entry -----------------------------------------------------------------------------------------------

const Json& field(const std::string& name, const Json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end()) fail_entry(name, fmt::format("has no {}", key));
  return *found;
}

// A whole number from 0 to the largest int64.
std::int64_t parse_size(const std::string& name, const char* what, const Json& json) {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool is_size = json.is_number_unsigned() && json.get<std::uint64_t>() <= largest;
  if (!is_size)
    fail_entry(name, fmt::format("has {} in its {}, not a whole number from 0 on", quoted(json.dump()), what));
  return json.get<std::int64_t>();
}

StoredDType parse_dtype(const std::string& name, const Json& json) {
  if (!json.is_string()) fail_entry(name, "has a dtype that is not a text");
  const StoredDType* stored = find_stored_dtype(json.get_ref<const std::string&>());
  if (stored) return *stored;
  fail_entry(name, fmt::format("has the dtype {}; F32, F64, I64, BOOL, F16 and BF16 can be read", quoted(json)));
}

Shape parse_shape(const std::string& name, const Json& json) {
  if (!json.is_array()) fail_entry(name, "has a shape that is not a list");
  if (json.size() > autograd::max_dims) {
    fail_entry(name, fmt::format("has {} dims; a tensor has at most {}", json.size(), autograd::max_dims));
  }
  Shape shape;
  for (const Json& size : json) shape.push_back(parse_size(name, "shape", size));
  return shape;
}

// The bytes of all elements. Multiplies so that nothing overflows.
std::int64_t bytes_of(const SafetensorsEntry& entry) {
  std::int64_t bytes = entry.dtype.bytes;
  for (const std::int64_t size : entry.shape) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) {
      fail_entry(entry.name,
                 fmt::format("has the shape {}, more than any memory holds", autograd::to_string(entry.shape)));
    }
  }
  return bytes;
}

void parse_offsets(SafetensorsEntry& entry, const Json& json, std::int64_t data_bytes) {
  if (!json.is_array() || json.size() != 2)
    fail_entry(entry.name, "has data_offsets that are not a list of two numbers");
  entry.begin = parse_size(entry.name, "data_offsets", json[0]);
  entry.end = parse_size(entry.name, "data_offsets", json[1]);
  if (entry.begin > entry.end || entry.end > data_bytes) {
    fail_entry(entry.name,
               fmt::format("lies at bytes {} to {} of {} bytes of data", entry.begin, entry.end, data_bytes));
  }
  const std::int64_t bytes = bytes_of(entry);
  if (entry.end - entry.begin != bytes) {
    fail_entry(entry.name, fmt::format("has {} bytes of data, but {} {} takes {}", entry.end - entry.begin,
                                       entry.dtype.name, autograd::to_string(entry.shape), bytes));
  }
}

SafetensorsEntry parse_entry(const std::string& name, const Json& json, std::int64_t data_bytes) {
  if (!json.is_object()) fail_entry(name, "is not an object");
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype = parse_dtype(name, field(name, json, "dtype"));
  entry.shape = parse_shape(name, field(name, json, "shape"));
  parse_offsets(entry, field(name, json, "data_offsets"), data_bytes);
  if (json.size() != 3) fail_entry(name, "has more than dtype, shape and data_offsets");
  return entry;
}

bool comes_before(const SafetensorsEntry& a, const SafetensorsEntry& b) {
  return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
}

// One tensor after the other, none on another, no byte left over. `entries` are in the order of the data.
void check_filled(const std::vector<SafetensorsEntry>& entries, std::int64_t data_bytes) {
  std::int64_t position = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin < position) fail_entry(entry.name, "overlaps the one before it");
    if (entry.begin > position) {
      fail_entry(entry.name, fmt::format("begins after a gap of {} bytes", entry.begin - position));
    }
    position = entry.end;
  }
  if (position == data_bytes) return;
  throw HeaderProblem(fmt::format("{} bytes at the end belong to no tensor", data_bytes - position));
}

}  // namespace

// ---- the whole header ----------------------------------------------------------------------------------------

SafetensorsHeader parse_safetensors_header(std::string_view text, std::int64_t data_bytes) {
  const Json json = parse_object(text);
  SafetensorsHeader header;
  for (const auto& [name, value] : json.items()) {
    if (name == metadata_key) {
      header.metadata = parse_metadata(value);
    } else {
      header.entries.push_back(parse_entry(name, value, data_bytes));
    }
  }
  std::sort(header.entries.begin(), header.entries.end(), comes_before);
  check_filled(header.entries, data_bytes);
  return header;
}

std::string write_safetensors_header(const SafetensorsHeader& header) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) json[std::string(metadata_key)] = header.metadata;
  for (const SafetensorsEntry& entry : header.entries) {
    if (entry.name == metadata_key) throw HeaderProblem("a tensor cannot be called __metadata__");
    json[entry.name] = {{"dtype", entry.dtype.name},
                        {"shape", std::vector<std::int64_t>(entry.shape.begin(), entry.shape.end())},
                        {"data_offsets", {entry.begin, entry.end}}};
  }
  std::string text;
  try {
    text = json.dump();
  } catch (const Json::exception& error) {
    throw HeaderProblem(fmt::format("a name is not UTF-8: {}", error.what()));
  }
  while (text.size() % 8 != 0) text += ' ';
  return text;
}

}  // namespace nn
