// OpMemory: what ops were given and what they made, for instruments that look at an op again when its backward runs.
//
// Copies, since the program may overwrite its own tensors (and would be told that it may not, if an instrument held on
// to them). Ops that use the same value share one copy. A copy lives as long as the op's node in the program's graph:
// it hangs on the node itself, so that long trainings need no more memory than short ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "autograd/tape/node.h"

namespace autograd::debug {

struct KeptOp {
  Inputs inputs;              // detached copies that keep their names
  Tensor output;              // undefined if it was not asked for
  std::uint32_t version = 0;  // of the output's memory then
};

class OpMemory {
 public:
  // For Observer::recorded().
  void keep(Node& node, const Inputs& inputs, const Tensor& output);
  // Remembers only that the op ran: find() gives a KeptOp without output.
  void note_left_out(Node& node);
  // Nothing if the op was never seen.
  std::shared_ptr<const KeptOp> find(const Node& node) const;

 private:
  Tensor copy_of_input(const Tensor& input);
  std::shared_ptr<const KeptOp> keep_leaf(const Tensor& leaf);
  void attach(Node& node, std::shared_ptr<KeptOp> kept);

  // By Node::number, which no two nodes share. Empty once the node is gone.
  std::unordered_map<std::uint64_t, std::weak_ptr<const KeptOp>> kept_;
  std::size_t clean_at_ = 1024;
};

}  // namespace autograd::debug
