// The leaves of the program that asked for gradients, for instruments that look for those that got none. They are told
// of by requires_grad_(), from all threads, while an instrument listens; a list, and no owner: they are freed as ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd::debug {

struct KnownLeaf {
  std::uint64_t id = 0;
  std::string name;  // "" if it has none
  Shape shape;
  DType dtype = float32;
  Where marked_at;               // the line of requires_grad_()
  bool frozen = false;           // by a later requires_grad_(false)
  Where frozen_at;               // its line
  bool used = false;             // by an op, recorded or not
  bool reached = false;          // by a gradient, in any pass
  Where reached_by;              // the line that started the last such pass
  std::uint64_t born = 0;        // how many passes of backward() had ended when it was marked
  TensorImpl* tensor = nullptr;  // nullptr once it is freed
  std::uint32_t version = 0;     // of its memory, when it was asked for
};

// Whoever holds one wants to be told of leaves.
class LeafListener {
 public:
  LeafListener();
  ~LeafListener();
  LeafListener(const LeafListener&) = delete;
  LeafListener& operator=(const LeafListener&) = delete;
};

// An op uses the leaf, which becomes known if it was not.
KnownLeaf use_leaf(const Tensor& leaf);
void reach_leaf(const Tensor& leaf, Where pass);
void count_pass();

// All that live, in the order in which they were marked.
std::vector<KnownLeaf> living_leaves();
std::optional<KnownLeaf> known_leaf(std::uint64_t id);
std::optional<KnownLeaf> known_leaf(const Tensor& leaf);
// Those that no gradient has reached though a backward() ended meanwhile, if they have a name, or the user's line: for
// a report at the end. Those that were freed since, too.
std::vector<KnownLeaf> leaves_without_gradient();

}  // namespace autograd::debug
