#include "nn/safetensors_header.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
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

[[noreturn]] void fail_entry(const std::string& name, const std::string& what,
                             HeaderProblem::Kind kind = HeaderProblem::Kind::damaged) {
  throw HeaderProblem(fmt::format("the entry {} {}", quoted(name), what), kind);
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

// A JSON value of a header. (Not nlohmann::json: its destructor allocates, which ends the program when memory has run
// out.)
struct Value {
  std::string_view type;                   // "object", "array", "string", "number", "boolean" or "null"
  std::string text = {};                   // what it says, unless it is an object or an array
  std::optional<std::uint64_t> size = {};  // of a whole number from 0 on
  std::vector<std::string> keys = {};      // of an object
  std::vector<Value> items = {};           // of an object or an array

  bool is(std::string_view wanted) const { return type == wanted; }
  const Value* find(std::string_view key) const {
    const auto found = std::find(keys.begin(), keys.end(), key);
    return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
  }
};

// nlohmann's parser calls these. Refuses what it would accept: a key that comes twice, and nesting deeper than the
// format's own.
class Builder {
 public:
  explicit Builder(Value& root) : root_(root) {}

  bool null() { return add({.type = "null", .text = "null"}); }
  bool boolean(bool value) { return add({.type = "boolean", .text = value ? "true" : "false"}); }
  bool number_integer(std::int64_t value) { return add({.type = "number", .text = std::to_string(value)}); }
  bool number_unsigned(std::uint64_t value) {
    return add({.type = "number", .text = std::to_string(value), .size = value});
  }
  bool number_float(double, const std::string& text) { return add({.type = "number", .text = text}); }
  bool string(std::string& text) { return add({.type = "string", .text = text}); }
  bool binary(Json::binary_t&) { return false; }  // not in a text
  bool start_object(std::size_t) { return open("object"); }
  bool start_array(std::size_t) { return open("array"); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& text) {
    Open& object = open_.back();
    if (!object.keys.insert(text).second) {
      throw HeaderProblem(fmt::format("the header has the key {} twice", nn::quoted(text)));
    }
    object.value->keys.push_back(text);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) {
    throw HeaderProblem(fmt::format("the header is not valid JSON in UTF-8: {}", error.what()));
  }

 private:
  struct Open {
    Value* value;
    std::set<std::string> keys;
  };

  bool add(Value value) {
    place(std::move(value));
    return true;
  }
  bool open(std::string_view type) {
    constexpr std::size_t deepest = 3;  // header, entry, shape
    if (open_.size() == deepest) throw HeaderProblem("the header is nested too deeply");
    open_.push_back({&place({.type = type}), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  // What is open stays where it is: only the innermost gets more items.
  Value& place(Value value) {
    if (open_.empty()) return root_ = std::move(value);
    return open_.back().value->items.emplace_back(std::move(value));
  }

  Value& root_;
  std::vector<Open> open_;
};

Value parse_object(std::string_view text) {
  if (!text.starts_with('{')) throw HeaderProblem("the header does not begin with {");
  Value root;
  Builder builder(root);
  Json::sax_parse(text, &builder);
  return root;
}

Metadata parse_metadata(const Value& json) {
  if (!json.is("object")) throw HeaderProblem("__metadata__ is not an object");
  Metadata metadata;
  for (std::size_t i = 0; i < json.keys.size(); ++i) {
    if (!json.items[i].is("string")) {
      throw HeaderProblem(fmt::format("the value of {} in __metadata__ is not a text", quoted(json.keys[i])));
    }
    metadata[json.keys[i]] = json.items[i].text;
  }
  return metadata;
}

// ---- one entry -----------------------------------------------------------------------------------------------

const Value& field(const std::string& name, const Value& entry, const char* key) {
  if (const Value* found = entry.find(key)) return *found;
  fail_entry(name, fmt::format("has no {}", key));
}

// A whole number from 0 to the largest int64.
std::int64_t parse_size(const std::string& name, const char* what, const Value& json) {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json.size && *json.size <= largest) return static_cast<std::int64_t>(*json.size);
  fail_entry(name, fmt::format("has {} in its {}, not a whole number from 0 on", quoted(json.text), what));
}

StoredDType parse_dtype(const std::string& name, const Value& json) {
  if (!json.is("string")) fail_entry(name, "has a dtype that is not a text");
  const StoredDType* stored = find_stored_dtype(json.text);
  if (stored) return *stored;
  fail_entry(name, fmt::format("has the dtype {}; F32, F64, I64, BOOL, F16 and BF16 can be read", quoted(json.text)),
             HeaderProblem::Kind::not_supported);
}

Shape parse_shape(const std::string& name, const Value& json) {
  if (!json.is("array")) fail_entry(name, "has a shape that is not a list");
  if (json.items.size() > autograd::max_dims) {
    fail_entry(name, fmt::format("has {} dims; a tensor has at most {}", json.items.size(), autograd::max_dims),
               HeaderProblem::Kind::not_supported);
  }
  Shape shape;
  for (const Value& size : json.items) shape.push_back(parse_size(name, "shape", size));
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

void parse_offsets(SafetensorsEntry& entry, const Value& json, std::int64_t data_bytes) {
  if (!json.is("array") || json.items.size() != 2)
    fail_entry(entry.name, "has data_offsets that are not a list of two numbers");
  entry.begin = parse_size(entry.name, "data_offsets", json.items[0]);
  entry.end = parse_size(entry.name, "data_offsets", json.items[1]);
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

SafetensorsEntry parse_entry(const std::string& name, const Value& json, std::int64_t data_bytes) {
  if (!json.is("object")) fail_entry(name, "is not an object");
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype = parse_dtype(name, field(name, json, "dtype"));
  entry.shape = parse_shape(name, field(name, json, "shape"));
  parse_offsets(entry, field(name, json, "data_offsets"), data_bytes);
  if (json.items.size() != 3) fail_entry(name, "has more than dtype, shape and data_offsets");
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
  const Value json = parse_object(text);
  SafetensorsHeader header;
  for (std::size_t i = 0; i < json.keys.size(); ++i) {
    if (json.keys[i] == metadata_key) {
      header.metadata = parse_metadata(json.items[i]);
    } else {
      header.entries.push_back(parse_entry(json.keys[i], json.items[i], data_bytes));
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
