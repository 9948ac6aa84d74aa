// CheckedFunction: wraps the kinds of functions that gradcheck() accepts in one type.
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

// Made from any of these:
//   [](const std::vector<Tensor>& x) { return x[0] * x[1]; }
//   [](const Tensor& x, const Tensor& w) { return x * w; }     // up to six tensors, as in PyTorch
//   [&] { return x * w; }                                      // uses the inputs by capture
// It returns a Tensor, a std::vector<Tensor>, or a pair or tuple of Tensors.
class CheckedFunction {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, CheckedFunction>) CheckedFunction(F function) {
    if constexpr (std::is_invocable_v<F&>) {
      parameters_ = 0;
      call_ = [function](const Tensors&) mutable { return as_list(function()); };
    } else if constexpr (std::is_invocable_v<F&, const Tensors&>) {
      call_ = [function](const Tensors& x) mutable { return as_list(function(x)); };
    } else {
      constexpr std::size_t count = parameter_count<F>();
      static_assert(count <= most_parameters, "a function of tensors, of a std::vector<Tensor>, or of nothing");
      parameters_ = static_cast<int>(count);
      call_ = [function](const Tensors& x) mutable { return spread(function, x, std::make_index_sequence<count>()); };
    }
  }

  // Returns the outputs. `inputs` must have as many tensors as the function has parameters.
  std::vector<Tensor> operator()(const std::vector<Tensor>& inputs) const { return call_(inputs); }

  // Does the function use its inputs by capture?
  bool captures() const { return parameters_ == 0; }
  bool accepts(std::size_t inputs) const { return parameters_ <= 0 || static_cast<std::size_t>(parameters_) == inputs; }
  int parameters() const { return parameters_; }

 private:
  using Tensors = std::vector<Tensor>;
  static constexpr std::size_t most_parameters = 6;

  static Tensors as_list(Tensor output) { return {std::move(output)}; }
  static Tensors as_list(Tensors outputs) { return outputs; }
  template <class... T> static Tensors as_list(std::tuple<T...> outputs) {
    return std::apply([](auto&... output) { return Tensors{output...}; }, outputs);
  }
  static Tensors as_list(std::pair<Tensor, Tensor> outputs) { return {outputs.first, outputs.second}; }

  template <std::size_t> using OneTensor = const Tensor&;

  template <class F, std::size_t... I> static constexpr bool invocable_with(std::index_sequence<I...>) {
    return std::is_invocable_v<F&, OneTensor<I>...>;
  }
  template <class F, std::size_t count = 1> static constexpr std::size_t parameter_count() {
    if constexpr (count > most_parameters || invocable_with<F>(std::make_index_sequence<count>())) {
      return count;
    } else {
      return parameter_count<F, count + 1>();
    }
  }
  template <class F, std::size_t... I> static Tensors spread(F& function, const Tensors& x, std::index_sequence<I...>) {
    return as_list(function(x[I]...));
  }

  int parameters_ = -1;  // -1: a list of any length
  std::function<Tensors(const Tensors&)> call_;
};

}  // namespace autograd
