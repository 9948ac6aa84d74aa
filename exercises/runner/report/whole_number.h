// Whole numbers in JSON. nlohmann/json itself makes an int of anything: of 1e300 with undefined behaviour, of
// 3000000000 a negative one.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace learn {

template <class Integer> bool is_whole_number(const nlohmann::json& value) {
  if (value.is_number_unsigned()) return std::in_range<Integer>(value.get<std::uint64_t>());
  return value.is_number_integer() && std::in_range<Integer>(value.get<std::int64_t>());
}

// Throws std::runtime_error for anything else.
template <class Integer> Integer whole_number(const nlohmann::json& value) {
  if (!is_whole_number<Integer>(value)) throw std::runtime_error("no whole number, or one too large");
  return value.get<Integer>();
}

}  // namespace learn
