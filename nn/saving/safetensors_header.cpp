#include "nn/saving/safetensors_header.h"

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

// A value as it can be printed: strange characters escaped, cut off if it is very long.
std::string shown(const Json& value) {
  constexpr std::size_t longest = 200;
  const std::string whole = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return whole.size() <= longest ? whole : whole.substr(0, longest) + "...\"";
}

[[noreturn]] void fail_entry(const std::string& name, const std::string& what,
                             HeaderProblem::Kind kind = HeaderProblem::Kind::damaged) {
  throw HeaderProblem(fmt::format("the entry {} {}", quoted(name), what), kind);
}

}  // namespace

std::string quoted(const std::string& name) {
  return shown(name);
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

// Refuses what nlohmann would accept: a key that comes twice, and nesting deeper than the format's own.
Json parse_object(std::string_view text) {
  if (!text.starts_with('{')) throw HeaderProblem("the header does not begin with {");
  using Event = Json::parse_event_t;
  std::vector<std::set<std::string>> open;  // the keys so far of each object that is open; an array has none
  const auto check = [&open](int, Event event, const Json& parsed) {
    constexpr std::size_t deepest = 3;  // header, entry, shape
    if (event == Event::object_start || event == Event::array_start) {
      if (open.size() == deepest) throw HeaderProblem("the header is nested too deeply");
      open.emplace_back();
    } else if (event == Event::object_end || event == Event::array_end) {
      open.pop_back();
    } else if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second) {
      throw HeaderProblem(fmt::format("the header has the key {} twice", shown(parsed)));
    }
    return true;
  };
  try {
    return Json::parse(text, check);
  } catch (const Json::exception& error) {
    throw HeaderProblem(fmt::format("the header is not valid JSON in UTF-8: {}", error.what()));
  }
}

Metadata parse_metadata(const Json& json) {
  if (!json.is_object()) throw HeaderProblem("__metadata__ is not an object");
  Metadata metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) {
      throw HeaderProblem(fmt::format("the value of {} in __metadata__ is not a text", quoted(key)));
    }
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// ---- one entry -----------------------------------------------------------------------------------------------

const Json& field(const std::string& name, const Json& entry, const char* key) {
  if (const auto found = entry.find(key); found != entry.end()) return *found;
  fail_entry(name, fmt::format("has no {}", key));
}

// A whole number from 0 to the largest int64.
std::int64_t parse_size(const std::string& name, const char* what, const Json& json) {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() <= largest) return json.get<std::int64_t>();
  fail_entry(name, fmt::format("has {} in its {}, not a whole number from 0 on", shown(json), what));
}

StoredDType parse_dtype(const std::string& name, const Json& json) {
  if (!json.is_string()) fail_entry(name, "has a dtype that is not a text");
  const StoredDType* stored = find_stored_dtype(json.get<std::string>());
  if (stored) return *stored;
  fail_entry(name, fmt::format("has the dtype {}; F32, F64, I64, BOOL, F16 and BF16 can be read", shown(json)),
             HeaderProblem::Kind::not_supported);
}

Shape parse_shape(const std::string& name, const Json& json) {
  if (!json.is_array()) fail_entry(name, "has a shape that is not a list");
  if (json.size() > autograd::max_dims) {
    fail_entry(name, fmt::format("has {} dims; a tensor has at most {}", json.size(), autograd::max_dims),
               HeaderProblem::Kind::not_supported);
  }
  Shape shape;
  for (const Json& size : json) shape.push_back(parse_size(name, "shape", size));
  return shape;
}

// The bytes of all elements. A size of 0 is checked as if it were 1: strides are products of the others.
std::int64_t bytes_of(const SafetensorsEntry& entry) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << (sizeof(std::size_t) == 8 ? 48 : 28);
  std::int64_t bytes = entry.dtype.bytes;
  for (const std::int64_t size : entry.shape) {
    const bool overflow = __builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes);
    if (overflow || bytes > most_bytes) {
      fail_entry(entry.name,
                 fmt::format("has the shape {}, more than any memory holds", autograd::to_string(entry.shape)));
    }
  }
  return entry.shape.numel() == 0 ? 0 : bytes;
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
  std::int64_t begin = 0;  // of the one before
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin < position) {
      const bool is_shared = entry.begin == begin;
      fail_entry(entry.name, "overlaps the one before it",
                 is_shared ? HeaderProblem::Kind::not_supported : HeaderProblem::Kind::damaged);
    }
    if (entry.begin > position) {
      fail_entry(entry.name, fmt::format("begins after a gap of {} bytes", entry.begin - position));
    }
    begin = entry.begin;
    position = entry.end;
  }
  if (position == data_bytes) return;
  throw HeaderProblem(fmt::format("{} bytes at the end belong to no tensor", data_bytes - position));
}

}  // namespace

// ---- the whole header ----------------------------------------------------------------------------------------

SafetensorsHeader parse_safetensors_header(std::string_view text, std::int64_t data_bytes) {
  const Json all = parse_object(text);
  SafetensorsHeader header;
  for (const auto& [name, json] : all.items()) {
    if (name == metadata_key) {
      header.metadata = parse_metadata(json);
    } else {
      header.entries.push_back(parse_entry(name, json, data_bytes));
    }
  }
  std::sort(header.entries.begin(), header.entries.end(), comes_before);
  check_filled(header.entries, data_bytes);
  return header;
}

namespace {

// The text in quotes. Throws HeaderProblem.
std::string as_json(const std::string& text) {
  try {
    return Json(text).dump();
  } catch (const Json::exception& error) {
    throw HeaderProblem(fmt::format("a name is not UTF-8: {}", error.what()));
  }
}

// {"name":value,..}, where the values are JSON already.
std::string as_json(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string text = "{";
  for (const auto& [name, value] : members)
    text += fmt::format("{}{}:{}", text.size() > 1 ? "," : "", as_json(name), value);
  return text + "}";
}

std::string as_json(const SafetensorsEntry& entry) {
  std::string shape;
  for (const std::int64_t size : entry.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ",", size);
  return fmt::format(R"({{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", entry.dtype.name, shape, entry.begin,
                     entry.end);
}

}  // namespace

std::string write_safetensors_header(const SafetensorsHeader& header) {
  std::vector<std::pair<std::string, std::string>> metadata;
  for (const auto& [key, value] : header.metadata) metadata.emplace_back(key, as_json(value));
  std::vector<std::pair<std::string, std::string>> members;
  if (!metadata.empty()) members.emplace_back(metadata_key, as_json(metadata));
  for (const SafetensorsEntry& entry : header.entries) {
    if (entry.name == metadata_key) throw HeaderProblem("a tensor cannot be called __metadata__");
    members.emplace_back(entry.name, as_json(entry));
  }
  std::string text = as_json(members);
  while (text.size() % 8 != 0) text += ' ';
  return text;
}

}  // namespace nn
