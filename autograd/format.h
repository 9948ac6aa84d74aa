// Printing tensors: fmt::print("{:.3f}\n", x). The format after the colon is applied to every element.
//
//   [[ 0.100,  0.200],
//    [-1.000,  0.000]]
//
// More than a thousand elements are shortened to the first and last three along each dim.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "autograd/tensor.h"

namespace autograd {

// `element_format` is a format for one double, such as "{:.3f}"; "" picks one that suits the values.
std::string to_string(const Tensor& tensor, std::string_view element_format = "");

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
    return fmt::format_to(context.out(), "{}", autograd::to_string(tensor, element));
  }

 private:
  std::string_view spec_;
};

template <> struct fmt::formatter<autograd::Shape> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context> auto format(const autograd::Shape& shape, Context& context) const {
    return fmt::format_to(context.out(), "{}", autograd::to_string(shape));
  }
};

template <> struct fmt::formatter<autograd::DType> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context> auto format(autograd::DType dtype, Context& context) const {
    return fmt::format_to(context.out(), "{}", autograd::name(dtype));
  }
};
