// RecentWeights: the weights of a model at the ends of its last epochs, and their mean, which often translates better
// than each of them (Popel and Bojar 2018, section 4.10: "checkpoint averaging").
#pragma once

#include <nn/saving/state_dict.h>

#include <cstddef>
#include <deque>

namespace translate {

class RecentWeights {
 public:
  explicit RecentWeights(std::size_t most) : most_(most) {}

  // Adds weights, and forgets the oldest if there are more than `most`.
  void add(const nn::StateDict& weights);
  // The mean of each tensor. There must be some weights.
  nn::StateDict mean() const;

  void add_to(nn::StateDict& checkpoint) const;
  void take_from(const nn::StateDict& checkpoint);

 private:
  std::size_t most_;
  std::deque<nn::StateDict> weights_;  // the oldest first
};

}  // namespace translate
