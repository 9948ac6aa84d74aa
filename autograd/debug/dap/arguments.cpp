#include "autograd/debug/dap/arguments.h"

#include <fmt/core.h>

#include <cstdint>
#include <utility>

#include "autograd/debug/step/refused.h"

namespace autograd::debug {

Arguments::Arguments(const Json& json, std::string title) : json_(json), title_(std::move(title)) {
  if (!json_.is_object() && !json_.is_null()) {
    throw Refused(fmt::format("{} is {} {}", title_, json_.is_array() ? "an" : "a", json_.type_name()), "an object");
  }
}

// The member, or nullptr if it is missing or null.
const Json* Arguments::find(const char* name) const {
  if (!json_.is_object()) return nullptr;
  const auto place = json_.find(name);
  return place == json_.end() || place->is_null() ? nullptr : &*place;
}

const Json& Arguments::get(const char* name, bool is_right, const char* expected) const {
  const Json* member = find(name);
  if (member && is_right) return *member;
  const std::string found = member ? std::string("of type ") + member->type_name() : "missing";
  throw Refused(fmt::format("'{}' of {} is {}", name, title_, found), expected);
}

bool Arguments::has(const char* name) const {
  return find(name) != nullptr;
}

std::string Arguments::text(const char* name) const {
  return get(name, has(name) && find(name)->is_string(), "a string").get<std::string>();
}

std::string Arguments::text_or(const char* name, const std::string& otherwise) const {
  return has(name) ? text(name) : otherwise;
}

std::int64_t Arguments::whole(const char* name) const {
  const Json* member = find(name);
  const bool fits = member && member->is_number_integer() &&
                    (!member->is_number_unsigned() || member->get<std::uint64_t>() <= INT64_MAX);
  return get(name, fits, "a whole number").get<std::int64_t>();
}

std::int64_t Arguments::whole_or(const char* name, std::int64_t otherwise) const {
  return has(name) ? whole(name) : otherwise;
}

bool Arguments::flag_or(const char* name, bool otherwise) const {
  return has(name) ? get(name, find(name)->is_boolean(), "true or false").get<bool>() : otherwise;
}

Arguments Arguments::object(const char* name) const {
  return {get(name, has(name) && find(name)->is_object(), "an object"), fmt::format("{} of {}", name, title_)};
}

std::vector<Arguments> Arguments::objects(const char* name) const {
  std::vector<Arguments> all;
  if (!has(name)) return all;
  for (const Json& each : get(name, find(name)->is_array(), "an array")) {
    all.emplace_back(each, fmt::format("{} of {}", name, title_));
  }
  return all;
}

std::vector<std::string> Arguments::texts(const char* name) const {
  std::vector<std::string> all;
  if (!has(name)) return all;
  for (const Json& each : get(name, find(name)->is_array(), "an array")) {
    if (!each.is_string()) throw Refused(fmt::format("'{}' of {} has a {}", name, title_, each.type_name()), "strings");
    all.push_back(each.get<std::string>());
  }
  return all;
}

}  // namespace autograd::debug
