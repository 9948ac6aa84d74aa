// OpMemory: keeps copies of the inputs and outputs of ops, for instruments that need them when an op's backward runs.
//
// Copies, because the program may overwrite its own tensors. Ops that use the same value share one copy. Copies are
// attached to the op's node and freed with it, so that a long training needs no more memory than a short one.
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
  std::uint32_t version = 0;  // of the output's memory when it was copied
};

class OpMemory {
 public:
  // For Observer::recorded().
  void keep(Node& node, const Inputs& inputs, const Tensor& output);
  // Remembers only that the op ran: find() will return a KeptOp without output.
  void note_left_out(Node& node);
  // nullptr for an op that was not seen.
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
