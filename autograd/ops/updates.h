// What optimisers do to every parameter at every step, in one pass over its memory. Written as tensor ops, an update of
// Adam is ten passes. Nothing here is recorded.
#pragma once

#include <vector>

#include "autograd/tensor/small_vector.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// A step of SGD, with g = gradient + weight_decay * parameter. With a momentum_buffer:
//   momentum_buffer = momentum * momentum_buffer + (1 - dampening) * g      is_first: g
//   g               = momentum_buffer                                       nesterov: g + momentum * momentum_buffer
// and then, or without one at once:
//   parameter      -= lr * g
struct SgdStep {
  double lr = 1e-3;
  double momentum = 0.0;
  double dampening = 0.0;
  double weight_decay = 0.0;
  bool nesterov = false;
  bool is_first = false;
};

// A step of Adam (Kingma and Ba 2015, algorithm 1), with g = gradient + weight_decay * parameter:
//   exp_avg        = beta1 * exp_avg + (1 - beta1) * g
//   exp_avg_sq     = beta2 * exp_avg_sq + (1 - beta2) * g^2
//   max_exp_avg_sq = max(max_exp_avg_sq, exp_avg_sq)        if it is given; it then stands for exp_avg_sq below
//   parameter      = keep * parameter - step_size * exp_avg / (root_scale * sqrt(exp_avg_sq) + eps)
struct AdamStep {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double step_size = 1e-3;    // lr / (1 - beta1^t)
  double root_scale = 1.0;    // 1 / sqrt(1 - beta2^t)
  double weight_decay = 0.0;  // Adam's: added to the gradient
  double keep = 1.0;          // AdamW's decay: 1 - lr * weight_decay
};

// A step of Adadelta (Zeiler 2012, algorithm 1), with g = gradient + weight_decay * parameter:
//   square_avg  = rho * square_avg + (1 - rho) * g^2
//   d           = sqrt(acc_delta + eps) / sqrt(square_avg + eps) * g
//   acc_delta   = rho * acc_delta + (1 - rho) * d^2
//   parameter  -= lr * d
struct AdadeltaStep {
  double lr = 1.0;
  double rho = 0.9;
  double eps = 1e-6;
  double weight_decay = 0.0;
};

// A step of RMSprop (Hinton 2012, lecture 6), with g = gradient + weight_decay * parameter:
//   square_avg      = alpha * square_avg + (1 - alpha) * g^2
//   d               = g / (sqrt(square_avg) + eps)
// if centered, with the mean of the gradients taken off:
//   grad_avg        = alpha * grad_avg + (1 - alpha) * g
//   d               = g / (sqrt(square_avg - grad_avg^2) + eps)
// with momentum, after which momentum_buffer stands for d:
//   momentum_buffer = momentum * momentum_buffer + d
// and in any case:
//   parameter      -= lr * d
// The averages are those that there are, in this order.
struct RmspropStep {
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0.0;
  double momentum = 0.0;
  bool centered = false;
};

// A tensor that is about to be changed without being recorded. All that may fail fails in the constructor: who changes
// several tensors makes these of all of them first, and then changes all or none.
class TensorToChange {
 public:
  // Throws undefined-tensor, dtype-mismatch unless it is floating, in-place-on-view where several elements are one
  // place in memory, and bad-argument for one whose changes would be recorded.
  TensorToChange(const char* op, const Tensor& x, Where where);

  const Tensor& tensor() const { return tensor_; }
  // Calls f(elements), a float* or double* to contiguous memory; what f leaves there becomes the tensor's values.
  template <class F> void change(const F& f) const;

 private:
  const char* op_;
  Where where_;
  Tensor tensor_;
  Tensor room_;  // as large as the tensor; only if that is not contiguous
};

// The update of one parameter by its gradient, prepared: see above. `averages` are what the optimiser remembers of past
// gradients, in the order of the formulas.
class ParameterUpdate {
 public:
  using Averages = SmallVector<Tensor, 3>;

  // All have the parameter's shape and dtype; the averages are contiguous.
  // Throws shape-mismatch and dtype-mismatch too, and bad-argument.
  ParameterUpdate(const char* op, const Tensor& parameter, const Tensor& gradient, const Averages& averages,
                  Where where);

  const Averages& averages() const { return averages_; }

  // One of these is called, once.
  void run(const SgdStep& step) const;
  void run(const AdamStep& step) const;
  void run(const AdadeltaStep& step) const;
  void run(const RmspropStep& step) const;

 private:
  template <class Kernel> void change(const Kernel& kernel) const;
  template <class T> T* average(std::size_t i) const;  // nullptr if there is none

  const char* op_;
  Where where_;
  TensorToChange parameter_;
  Tensor gradient_;  // contiguous
  Averages averages_;
};

// One such step, prepared and run.
void adam_step_(const Tensor& parameter, const Tensor& gradient, const Tensor& exp_avg, const Tensor& exp_avg_sq,
                const AdamStep& step, Where where = Where::current());

// Multiplies all of them by the factor, or none, where it throws.
void scale_all_(const std::vector<Tensor>& tensors, double factor, Where where = Where::current());

// Copies each source over its target, which has the same shape and any dtype, or none, where it throws.
struct Copy {
  Tensor target;
  Tensor source;
};
void copy_all_(const std::vector<Copy>& copies, Where where = Where::current());

// The sum of the squares of all elements. Blocks of 512 are summed in x's dtype, and their sums in double.
double sum_of_squares(const Tensor& x, Where where = Where::current());

}  // namespace autograd
