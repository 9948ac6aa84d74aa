// Adam and AdamW: steps of about the size lr along every coordinate, whatever the scale of the gradient
// (Kingma and Ba 2015, algorithm 1), in PyTorch's form. t counts the parameter's steps from 1:
//
//   g = gradient + weight_decay * p              Adam: decay as a part of the gradient
//   p = p - lr * weight_decay * p                AdamW: decay beside it (Loshchilov and Hutter 2019, algorithm 2)
//   m = beta1 * m + (1 - beta1) * g              exp_avg
//   v = beta2 * v + (1 - beta2) * g^2            exp_avg_sq; with amsgrad its largest value so far is used below
//   p = p - lr * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
//
// (amsgrad: Reddi, Kale and Kumar 2018, algorithm 2.)
#pragma once

#include "nn/optim/optimizer.h"

namespace nn {

struct Betas {
  double first = 0.9;     // beta1
  double second = 0.999;  // beta2
};

struct AdamOptions {
  double lr = 1e-3;
  Betas betas = {};
  double eps = 1e-8;
  double weight_decay = 0.0;
  Flag amsgrad = false;
};

class Adam : public Optimizer {
 public:
  // Throws bad-argument for betas outside [0, 1) and negative options.
  explicit Adam(const ParameterGroups& parameters, const AdamOptions& options = {}, Where where = Where::current());

  const AdamOptions options;

 protected:
  Adam(std::string_view type, const ParameterGroups& parameters, const AdamOptions& options, Where where);

 private:
  void run(const std::vector<Update>& updates, Where where) const override;
  // Sets the weight decay of a step: Adam's in the gradient, AdamW's beside it.
  virtual void set_decay(autograd::AdamStep& step, const Update& now) const { step.weight_decay = now.weight_decay; }
};

struct AdamWOptions {
  double lr = 1e-3;
  Betas betas = {};
  double eps = 1e-8;
  double weight_decay = 1e-2;
  Flag amsgrad = false;
};

class AdamW : public Adam {
 public:
  explicit AdamW(const ParameterGroups& parameters, const AdamWOptions& options = {}, Where where = Where::current());

 private:
  void set_decay(autograd::AdamStep& step, const Update& now) const override;
};

}  // namespace nn
