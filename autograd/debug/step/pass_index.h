// PassIndex: the names of a pass, and gradients as they were after each of their contributions. Conditions and watches
// ask for both at every position, so nothing is looked for, or added up, from the beginning each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autograd/debug/recording.h"
#include "autograd/debug/step/pick.h"

namespace autograd::debug {

class PassIndex {
 public:
  PassIndex() = default;
  explicit PassIndex(const PassRecord& pass);

  // By the name that the program gave; several nodes may have the same.
  const std::vector<const Node*>& named(const std::string& name) const;
  // All names, in the order of the pass.
  const std::vector<std::string>& names() const { return names_; }
  // The first recorded node whose output is called so, part of the pass or not; nullptr if there is none.
  const Node* recorded(const std::string& name) const;
  // The first input of an op that is called so, such as a mask or the targets; undefined if there is none.
  Tensor input(const std::string& name) const;
  // The sum of the first `count` contributions to the picked elements of the node's gradient, added in the order of
  // their arrival, so that the bits are the engine's. Undefined if `count` is 0.
  Tensor sum(const Node& node, const std::vector<Pick>& picks, std::size_t count) const;

 private:
  // All sums of one block, and the sum with which each block starts: few tensors are kept, and few added, whichever
  // way one goes.
  struct Sums {
    std::vector<Tensor> starts = {Tensor()};
    std::size_t block = 0;
    std::vector<Tensor> of_block;
  };

  void read_recorded() const;
  void fill(Sums& sums, std::size_t block, std::size_t count, const Node& node, const std::vector<Pick>& picks) const;

  const PassRecord* pass_ = nullptr;
  std::unordered_map<std::string, std::vector<const Node*>> named_;
  std::vector<std::string> names_;
  mutable bool has_read_ = false;
  // By Node::number, since a call is forgotten with its node.
  mutable std::unordered_map<std::string, std::uint64_t> recorded_;
  mutable std::unordered_map<std::string, std::pair<std::uint64_t, std::size_t>> inputs_;
  mutable std::map<std::pair<const Node*, std::string>, Sums> sums_;
};

}  // namespace autograd::debug
