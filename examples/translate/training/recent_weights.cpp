#include "examples/translate/training/recent_weights.h"

#include <fmt/core.h>

#include <utility>

namespace translate {

void RecentWeights::add(const nn::StateDict& weights) {
  weights_.push_back(weights);
  if (weights_.size() > most_) weights_.pop_front();
}

nn::StateDict RecentWeights::mean() const {
  const autograd::NoGradGuard no_grad;
  nn::StateDict mean = weights_.back();
  if (weights_.size() == 1) return mean;
  for (auto& [name, tensor] : mean) {
    autograd::Tensor sum = autograd::zeros_like(tensor);
    for (const nn::StateDict& weights : weights_) sum = sum + weights.at(name);
    tensor = sum / static_cast<double>(weights_.size());
  }
  return mean;
}

void RecentWeights::add_to(nn::StateDict& checkpoint) const {
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    nn::add_with_prefix(checkpoint, fmt::format("recent.{}.", i), weights_[i]);
  }
}

void RecentWeights::take_from(const nn::StateDict& checkpoint) {
  weights_.clear();
  while (true) {
    nn::StateDict next = nn::with_prefix(checkpoint, fmt::format("recent.{}.", weights_.size()));
    if (next.empty()) return;
    weights_.push_back(std::move(next));
  }
}

}  // namespace translate
