// The one door to speed. Everything that exists for speed alone lies in this folder and is reached through here: the
// tape and the ops name nothing else of it. The slots below are filled by files of this folder; without them (Debug
// builds, -DBACKSTEP_FAST=OFF) they stay empty, the formulas run, and only the time is another.
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
extern constinit thread_local Observer* attached_observer;  // tape/observer.h

// While it lives, every op of this thread runs by its formula, as the book writes it, and is differentiated op by op:
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
// Computes an op's gradients and hands them on, as its backward() and the tape would. False where it does not apply;
// then it has changed nothing.
using Shortcut = bool (*)(Node& node, Step& step);

// A node that stands for a composite, and is none of the ops that a program or an instrument knows by name.
template <class Op>
concept StandsForComposite = requires {
  Op::stands_for_composite;
};

// The one predicate. Only without an observer and without a FormulaGuard may a fast form stand for the formula.
inline bool nobody_looks_on() {
  return attached_observer == nullptr && FormulaGuard::alive == 0;
}

// A fast form of the function `Form`, if there is one and it may be used:
//   if (fast::additive_score) return fast::additive_score.run(query, keys, v, where);
template <class Form> struct FastForm {
  Form* run = nullptr;
  explicit operator bool() const { return run && nobody_looks_on(); }
};

// An op's turn in backward(), by its shortcut.
inline constinit FastForm<bool(Node& node, const Tensor& dy)> shortcuts;
inline bool takes_shortcut(Node& node, const Tensor& dy) {
  return shortcuts && shortcuts.run(node, dy);
}

// sum += term in the memory of `sum`, where nobody else holds that.
inline constinit FastForm<bool(const Tensor& sum, const Tensor& term)> adding_in_place;
inline bool adds_in_place(const Tensor& sum, const Tensor& term) {
  return adding_in_place && adding_in_place.run(sum, term);
}

// y = x weight^T + bias with a weight that a PackedWeightsGuard holds packed (fast/packed_weights.h).
inline constinit FastForm<bool(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias)>
    packed_product;
inline bool multiplies_packed(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return packed_product && packed_product.run(y, x, weight, bias);
}

// Adam's step in one pass, where the tensors lie so that it can be.
inline constinit FastForm<bool(const std::vector<AdamParameter>& parameters, Where)> adam_step;

// Composites that are one op here.
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
