// Sequential: layers one after the other, each fed with what the one before returns. Names are PyTorch's: "0.weight",
// "2.weight", ..; a function has a number too, so that weights of nn.Sequential(Linear, Tanh, Linear) fit.
//
//   nn::Sequential model;
//   model.emplace_back<nn::Linear>({.in_features = 8, .out_features = 16});
//   model.push_back(autograd::tanh);
//   model.emplace_back<nn::Linear>({.in_features = 16, .out_features = 3});
//   const Tensor y = model(x);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/layers/module.h"

namespace nn {

class Sequential : public Module {
 public:
  // A layer is a module that is called with one tensor, and returns one.
  template <class Layer> Layer& emplace_back(decltype(Layer::options)& options, Where where = Where::current()) {
    return add(std::make_unique<Layer>(options, where), where);
  }
  // One without options: Layer(arguments ..).
  template <class Layer, class... Arguments> Layer& emplace_back(Arguments&&... arguments) {
    return add(std::make_unique<Layer>(std::forward<Arguments>(arguments)...), Where::current());
  }
  // A function: autograd::relu, or [](const Tensor& x) { return autograd::leaky_relu(x, 0.2); }.
  void push_back(Tensor (*function)(const Tensor& x, Where where));
  void push_back(std::function<Tensor(const Tensor& x)> function, Where where = Where::current());

  std::size_t size() const { return calls_.size(); }

  Tensor operator()(const Tensor& x, Where where = Where::current()) const;

 private:
  using Call = std::function<Tensor(const Tensor& x, Where where)>;

  template <class Layer> Layer& add(std::unique_ptr<Layer> layer, Where where) {
    Layer& result = *layer;
    register_module(std::to_string(calls_.size()), result, where);
    calls_.push_back([&result](const Tensor& x, Where at) { return result(x, at); });
    layers_.push_back(std::move(layer));
    return result;
  }

  std::vector<Call> calls_;
  std::vector<std::unique_ptr<Module>> layers_;
};

}  // namespace nn
