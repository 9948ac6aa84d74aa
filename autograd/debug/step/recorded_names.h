// RecordedNames: finds a recorded tensor that is not part of the pass by its name, without a search through all calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "autograd/debug/recording.h"

namespace autograd::debug {

class RecordedNames {
 public:
  // The first node whose output is called so; nullptr if there is none.
  const Node* node(const std::string& name, const Recording& recording);
  // The first input of an op that is called so, such as a mask or the targets; undefined if there is none.
  Tensor input(const std::string& name, const Recording& recording);

 private:
  void read_new_calls(const Recording& recording);
  void read_again(const Recording& recording);

  // By Node::number, since a call is forgotten with its node.
  std::unordered_map<std::string, std::uint64_t> nodes_;
  std::unordered_map<std::string, std::pair<std::uint64_t, std::size_t>> inputs_;
  std::uint64_t read_until_ = 0;
};

}  // namespace autograd::debug
