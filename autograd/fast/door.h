// The one door to speed: what exists for speed alone is in this folder, and the tape and the ops reach it only through
// this file. Other files of the folder fill the slots below. Where these are not compiled (Debug builds and
// -DBACKSTEP_FAST=OFF), the slots stay empty and the formulas run: results are the same, but take longer.
#pragma once

#include <vector>

#include "autograd/tape/grad_mode.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

class Node;
class Observer;
struct AdamParameter;
struct RecurrentLayerOptions;
struct CrossEntropyOptions;
inline constinit thread_local Observer* attached_observer = nullptr;  // tape/observer.h

// While it lives, every op of this thread runs by its formula, and composites are differentiated part by part:
//   const FormulaGuard formulas;
class FormulaGuard {
 public:
  FormulaGuard() { ++alive; }
  ~FormulaGuard() { --alive; }
  FormulaGuard(const FormulaGuard&) = delete;
  FormulaGuard& operator=(const FormulaGuard&) = delete;

  static inline constinit thread_local int alive = 0;
};

namespace fast {

class Step;
// Computes an op's gradients and hands them on, as the op's backward() and the tape would. If it does not apply, it
// returns false and has changed nothing.
using Shortcut = bool (*)(Node& node, Step& step);

// A node that replaces a composite: it is left out of all_ops(), the list of primitives.
template <class Op>
concept StandsForComposite = requires {
  Op::stands_for_composite;
};

// The one predicate: a fast form may replace the formula only if there is no observer and no FormulaGuard.
inline bool nobody_looks_on() {
  return attached_observer == nullptr && FormulaGuard::alive == 0;
}

// A slot for the fast form of a function of type `Form`. True if there is one and it may be used:
//   if (fast::additive_score) return fast::additive_score.run(query, keys, v, where);
template <class Form> struct FastForm {
  Form* run = nullptr;
  explicit operator bool() const { return run && nobody_looks_on(); }
};

// Runs node.op->shortcut, which the files of this folder fill in, in place of backward(). Not where the derivative is
// itself recorded, nor for a node with hooks.
inline constinit FastForm<bool(Node& node, const Tensor& dy)> shortcut;
inline bool try_shortcut(Node& node, const Tensor& dy) {
  return !grad_enabled() && shortcut && shortcut.run(node, dy);
}

// sum += term in the memory of `sum`, if nobody else holds it.
inline constinit FastForm<bool(const Tensor& sum, const Tensor& term)> adding_in_place;
inline bool try_add_in_place(const Tensor& sum, const Tensor& term) {
  return !grad_enabled() && adding_in_place && adding_in_place.run(sum, term);
}

// x += alpha * other for an update that is not recorded, in the memory of x. `op` is what errors name.
inline constinit FastForm<bool(const char* op, const Tensor& x, double alpha, const Tensor& other, Where)>
    adding_in_memory;
inline bool try_add_in_memory(const char* op, const Tensor& x, double alpha, const Tensor& other, Where where) {
  return adding_in_memory && adding_in_memory.run(op, x, alpha, other, where);
}

// x *= factor, likewise.
inline constinit FastForm<bool(const Tensor& x, double factor, Where)> scaling_in_memory;
inline bool try_scale_in_memory(const Tensor& x, double factor, Where where) {
  return scaling_in_memory && scaling_in_memory.run(x, factor, where);
}

// y = x weight^T + bias with a weight that a PackedWeightsGuard holds packed (fast/packed_weights.h).
inline constinit FastForm<bool(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias)>
    packed_product;
inline bool try_packed_product(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return packed_product && packed_product.run(y, x, weight, bias);
}

// Adam's step in one pass over memory, if the tensors are contiguous and apart.
inline constinit FastForm<bool(const std::vector<AdamParameter>& parameters, Where)> adam_step;

// Composites that have a fast form as one op.
inline constinit FastForm<Tensor(const Tensor& query, const Tensor& keys, const Tensor& v, Where)> additive_score;
inline constinit FastForm<Tensor(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where)>
    gru_gates;
inline constinit FastForm<Tensor(const Tensor& from_input, const Tensor& from_hidden, const Tensor& cell, Where)>
    lstm_gates;
inline constinit FastForm<Tensor(const Tensor& from_input, const Tensor& initial, const Tensor& weight_hh,
                                 const Tensor& bias_hh, const RecurrentLayerOptions& options, Where)>
    gru_layer;
inline constinit FastForm<Tensor(const Tensor& from_input, const Tensor& initial_hidden, const Tensor& initial_cell,
                                 const Tensor& weight_hh, const Tensor& bias_hh, const RecurrentLayerOptions& options,
                                 Where)>
    lstm_layer;
inline constinit FastForm<Tensor(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options, Where)>
    cross_entropy;

}  // namespace fast
}  // namespace autograd
