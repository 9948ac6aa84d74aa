// Printing tensors: fmt::print("{:.3f}\n", x). The format after the colon is applied to every element.
//
//   [[ 0.100,  0.200],
//    [-1.000,  0.000]]
//
// More than a thousand elements are shortened to the first and last three along each dim, and so are as many brackets
// without elements.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "autograd/tensor/tensor.h"

namespace autograd {

// `element_format` is a format for one double, such as "{:.3f}"; "" picks one that suits the values.
std::string to_string(const Tensor& tensor, std::string_view element_format = "");

// A fmt formatter, without options, for types that have a to_string(). It copies the text itself, because
// fmt::format_to would compile all of fmt in every file that includes this one.
template <class T> struct TextFormatter {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context> auto format(const T& value, Context& context) const {
    const std::string text(to_string(value));
    return std::copy(text.begin(), text.end(), context.out());
  }
};

inline std::string_view to_string(DType dtype) {
  return name(dtype);
}
inline std::string to_string(Int value) {
  return std::to_string(std::int64_t{value});
}
inline std::string_view to_string(Flag value) {
  return value ? "true" : "false";
}

}  // namespace autograd

template <> struct fmt::formatter<autograd::Tensor> {
  constexpr auto parse(fmt::format_parse_context& context) {
    auto it = context.begin();
    while (it != context.end() && *it != '}') ++it;
    spec_ = std::string_view(context.begin(), static_cast<std::size_t>(it - context.begin()));
    return it;
  }
  template <class Context> auto format(const autograd::Tensor& tensor, Context& context) const {
    const std::string element = spec_.empty() ? "" : "{:" + std::string(spec_) + "}";
    const std::string text = autograd::to_string(tensor, element);
    return std::copy(text.begin(), text.end(), context.out());
  }

 private:
  std::string_view spec_;
};

template <> struct fmt::formatter<autograd::Shape> : autograd::TextFormatter<autograd::Shape> {};
template <> struct fmt::formatter<autograd::Int> : autograd::TextFormatter<autograd::Int> {};
template <> struct fmt::formatter<autograd::Flag> : autograd::TextFormatter<autograd::Flag> {};
template <> struct fmt::formatter<autograd::DType> : autograd::TextFormatter<autograd::DType> {};
