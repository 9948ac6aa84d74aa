// Probe: the function under check as one number, L = sum_i <v_i, y_i> with the outputs y_i and their cotangents v_i. It
// measures how L changes when one element of one input is moved.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd::checker {

// Computes the outputs from the inputs as they are now.
using Evaluate = std::function<std::vector<Tensor>()>;

double epsilon_of(DType dtype);

// The floating outputs, one element after the other.
std::vector<double> flatten(const std::vector<Tensor>& outputs);

// The slopes of L at x, measured with a step h to both sides.
struct Slopes {
  double left = 0.0;        // (L(x) - L(x - h)) / h
  double right = 0.0;       // (L(x + h) - L(x)) / h
  double central = 0.0;     // (L(x + h) - L(x - h)) / 2h
  double noise = 0.0;       // how much rounding can change them
  bool finite = true;       // every output that changes is a finite number on both sides
  bool flat = true;         // no output changes at all
  std::size_t changed = 0;  // how many outputs do
};

// Moves an element, and puts it back at the end of its lifetime, even if the function throws.
template <class Number> class Moved {
 public:
  Moved(Number& element, Number value) : element_(element), before_(element) { element = value; }
  ~Moved() { element_ = before_; }
  Moved(const Moved&) = delete;
  Moved& operator=(const Moved&) = delete;

 private:
  Number& element_;
  Number before_;
};

// How much something differs from one side to the other, where at(step) is what it is that far from the middle.
template <class At> double difference_across(double step, At at) {
  const double ahead = at(step);
  return ahead - at(-step);
}

class Probe {
 public:
  // Evaluates once, at the inputs as they are.
  Probe(Evaluate evaluate, const std::vector<Tensor>& cotangents);

  // `inputs` are those that Rounded moves.
  void set_inputs(std::vector<Tensor> inputs) { inputs_ = std::move(inputs); }

  // The same function, but roundings are known to change L by `noise` (rounding_noise.h).
  Probe with_noise(double noise) const;
  // The same as a function of one number, `value`, that all these elements equal. `value` must outlive the result.
  Probe with_one_for_all(const std::vector<double*>& elements, const double& value) const;

  // Moves `element`, which is an element of an input, by -step and +step, and puts it back.
  Slopes slopes(double& element, double step) const;
  // How much each output element contributes to the central slope: v * dy/dx.
  std::vector<double> contributions(double& element, double step) const;
  // The size of the terms that a backward adds up for this element, which may cancel: sum_i |v_i J_ij|, and the largest
  // |v_i| times the largest |J_ij|.
  double size_of_terms(double& element, double step) const;

  // |y''| / |y'|, summed over the outputs by the size of their cotangents; 0 where no output changes.
  double bend(double& element, double step) const;
  // The smallest change of L that moving the element shows: L has the roundings of what was computed on the way, such
  // as log(1 + p), however small it is itself. 0 if none is seen, or only one that is too large for a rounding.
  double granularity(double& element) const;
  // How much L changes when the element takes this value.
  double change(double& element, double value) const;

  const Evaluate& evaluate() const { return evaluate_; }
  bool knows_noise() const { return noise_ > 0.0; }
  // How much rounding can change L.
  double rounding() const;
  const std::vector<double>& outputs() const { return outputs_; }
  const std::vector<double>& cotangent() const { return cotangent_; }

 private:
  friend class Rounded;
  std::vector<double> outputs_at(double& element, double value) const;

  Evaluate evaluate_;
  double epsilon_ = 0.0;  // the relative rounding of the outputs' dtype
  double noise_ = 0.0;    // of L, where it is known
  std::vector<double> outputs_;
  std::vector<double> cotangent_;
  std::vector<Tensor> inputs_;  // contiguous float64
};

// Moves every element of every input at random, by at most `relative` of itself, and puts them back at the end of its
// lifetime.
class Rounded {
 public:
  Rounded(const Probe& probe, double relative, std::uint64_t seed);
  ~Rounded();
  Rounded(const Rounded&) = delete;
  Rounded& operator=(const Rounded&) = delete;

 private:
  const std::vector<Tensor>& inputs_;
  std::vector<std::vector<double>> before_;
};

}  // namespace autograd::checker
