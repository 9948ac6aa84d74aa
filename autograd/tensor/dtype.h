// DType: what a tensor's elements are. There is no implicit promotion: float32 and float64 never
// mix, token ids are int64 and masks are boolean.
#pragma once

#include <cstdint>
#include <string_view>

namespace autograd {

enum class DType : std::uint8_t { float32, float64, int64, boolean };

inline constexpr DType float32 = DType::float32;
inline constexpr DType float64 = DType::float64;
inline constexpr DType int64 = DType::int64;
inline constexpr DType boolean = DType::boolean;

// In bytes.
constexpr std::int64_t element_size(DType dtype) {
  constexpr std::int64_t sizes[] = {4, 8, 8, 1};
  return sizes[static_cast<int>(dtype)];
}
constexpr std::string_view name(DType dtype) {
  constexpr std::string_view names[] = {"float32", "float64", "int64", "boolean"};
  return names[static_cast<int>(dtype)];
}
inline bool is_floating(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64;
}

template <class T> inline constexpr DType dtype_of = DType::float32;
template <> inline constexpr DType dtype_of<double> = DType::float64;
template <> inline constexpr DType dtype_of<std::int64_t> = DType::int64;
template <> inline constexpr DType dtype_of<bool> = DType::boolean;

}  // namespace autograd
