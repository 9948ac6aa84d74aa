// ModuleList: layers of one type under the names "0", "1", .., as PyTorch's nn.ModuleList.
//
//   nn::ModuleList<nn::Linear> layers;
//   for (int i = 0; i < 3; ++i) layers.emplace_back({.in_features = 8, .out_features = 8});
//   for (const nn::Linear& layer : layers) x = layer(x).relu();
#pragma once

#include <fmt/core.h>

#include <deque>
#include <string>

#include "nn/layers/module.h"

namespace nn {

template <class Layer> class ModuleList : public Module {
 public:
  using Options = decltype(Layer::options);

  // Makes one more layer, with these options.
  Layer& emplace_back(Options& options, Where where = Where::current()) {
    layers_.emplace_back(options, where);
    register_module(std::to_string(layers_.size() - 1), layers_.back(), where);
    return layers_.back();
  }

  std::size_t size() const { return layers_.size(); }
  // Throws index-out-of-range.
  const Layer& operator[](std::size_t i) const {
    if (i < layers_.size()) return layers_[i];
    autograd::fail(autograd::ErrorId::index_out_of_range, "ModuleList", {},
                   fmt::format("layer {} of {} was asked for", i, layers_.size()), "count the layers from 0");
  }
  auto begin() const { return layers_.begin(); }
  auto end() const { return layers_.end(); }

 private:
  std::deque<Layer> layers_;  // does not move what it holds
};

}  // namespace nn
