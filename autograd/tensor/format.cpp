#include "autograd/tensor/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "autograd/tensor/checks.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {
namespace {

constexpr std::int64_t whole_up_to = 1000;  // elements
constexpr std::int64_t shown_at_each_end = 3;
constexpr std::string_view whole_number = "{:.0f}.";

// Formats all elements in one way, and writes them in nested brackets.
class Printer {
 public:
  Printer(const Tensor& tensor, std::string_view element_format)
      : tensor_(tensor), shortened_(tensor.numel() > whole_up_to || tensor.numel() == 0) {
    choose_format(element_format);
    measure(0, 0);
  }

  std::string print() {
    if (tensor_.dim() == 0) return element(0);
    std::string text;
    print_dim(0, 0, text);
    return text;
  }

 private:
  // One format for all elements: whole numbers without a fraction, others with four digits, very large or very
  // small ones with an exponent.
  void choose_format(std::string_view given) {
    format_ = given;
    if (!given.empty() || !is_floating(tensor_.dtype())) return;
    double largest = 0.0;
    double smallest = INFINITY;
    bool whole = true;
    for (const double value : tensor_.to_vector()) {
      if (!std::isfinite(value) || value == 0.0) continue;
      largest = std::max(largest, std::abs(value));
      smallest = std::min(smallest, std::abs(value));
      whole = whole && value == std::round(value);
    }
    if (largest >= 1e6 || (smallest < 1e-4 && largest < 1e-1)) {
      format_ = "{:.4e}";
    } else {
      format_ = whole ? whole_number : "{:.4f}";
    }
  }

  std::string element(std::int64_t position) const {
    std::string text;
    with_type(tensor_.dtype(), [&]<class T>(T) {
      const T value = pointer<T>(tensor_)[position];
      if constexpr (std::is_floating_point_v<T>) {
        const double number = std::isnan(value) ? NAN : static_cast<double>(value);  // a NaN's sign says nothing
        const bool suits = std::isfinite(number) || format_ != whole_number;         // "1." but "inf"
        text = fmt::format(fmt::runtime(suits ? format_ : "{}"), number);
      } else {
        text = fmt::format("{}", value);
      }
    });
    return text;
  }

  // Calls visit(i) for the indices of one dim that are shown, and gap() where some are left out.
  template <class Visit, class Gap> void for_shown(int dim, Visit&& visit, Gap&& gap) const {
    const std::int64_t size = tensor_.shape()[dim];
    for (std::int64_t i = 0; i < size; ++i) {
      if (shortened_ && size > 2 * shown_at_each_end && i == shown_at_each_end) {
        gap();
        i = size - shown_at_each_end;
      }
      visit(i);
    }
  }

  void measure(int dim, std::int64_t position) {
    if (dim == tensor_.dim()) {
      width_ = std::max(width_, element(position).size());
      return;
    }
    for_shown(
        dim, [&](std::int64_t i) { measure(dim + 1, position + i * tensor_.strides()[dim]); }, [] {});
  }

  void print_dim(int dim, std::int64_t position, std::string& text) const {
    const bool innermost = dim + 1 == tensor_.dim();
    // More newlines between blocks of more dims; every line is indented by the brackets that are open.
    const std::string between =
        innermost ? ", " : fmt::format(",{:\n>{}}{:>{}}", "", tensor_.dim() - dim - 1, "", dim + 1);
    bool first = true;
    text += "[";
    for_shown(
        dim,
        [&](std::int64_t i) {
          if (!std::exchange(first, false)) text += between;
          const std::int64_t at = position + i * tensor_.strides()[dim];
          if (innermost) {
            text += fmt::format("{:>{}}", element(at), width_);
          } else {
            print_dim(dim + 1, at, text);
          }
        },
        [&] { text += fmt::format("{}...", between); });
    text += "]";
  }

  Tensor tensor_;
  bool shortened_;
  std::string format_;
  std::size_t width_ = 0;
};

}  // namespace

std::string to_string(const Tensor& tensor, std::string_view element_format) {
  if (!tensor.defined()) return "undefined";
  return Printer(tensor.detach(), element_format).print();
}

}  // namespace autograd
