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
  switch (dtype) {
    case DType::float32: return 4;
    case DType::float64:
    case DType::int64: return 8;
    case DType::boolean: return 1;
  }
  return 0;
}
std::string_view name(DType dtype);  // "float32", ...
inline bool is_floating(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64;
}

template <class T> inline constexpr DType dtype_of = DType::float32;
template <> inline constexpr DType dtype_of<double> = DType::float64;
template <> inline constexpr DType dtype_of<std::int64_t> = DType::int64;
template <> inline constexpr DType dtype_of<bool> = DType::boolean;

}  // namespace autograd
