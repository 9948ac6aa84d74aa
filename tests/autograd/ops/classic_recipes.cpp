#include "tests/autograd/ops/classic_recipes.h"

#include <algorithm>
#include <cmath>

using namespace autograd;
using op_cases::OpCase;
using op_cases::Tensors;

namespace classic_recipes {

const Recipe sum_loss{};
const Recipe one_element{.one_element = true, .rtol = 1e-2, .atol = 1e-2};
const Recipe in_float32{.dtype = float32, .random_cotangent = true, .step = 1e-3, .rtol = 1e-2, .atol = 1e-3};

namespace {

// One case in the recipe's precision.
class Check {
 public:
  Check(const Recipe& recipe, const OpCase& one) : recipe_(recipe), case_(one), inputs_(op_cases::inputs_of(one)) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].requires_grad()) active_.push_back(i);
      if (is_floating(inputs_[i].dtype())) convert(inputs_[i]);
    }
    generator_.manual_seed(op_cases::seed_of(one));
    const Tensor y = call(inputs_);
    std::vector<double> cotangent;
    for (std::int64_t i = 0; i < y.numel(); ++i) {
      cotangent.push_back(recipe.random_cotangent ? generator_.normal() : 1.0);
    }
    cotangent_ = from_vector(cotangent, y.shape(), y.dtype());
  }

  bool accepts() {
    Tensors leaves;
    for (const std::size_t i : active_) leaves.push_back(inputs_[i]);
    const Tensors gradients = grad(loss(inputs_), leaves, {.allow_unused = true});
    bool accepted = true;
    for (std::size_t i = 0; i < active_.size(); ++i) accepted = accepts(active_[i], gradients[i]) && accepted;
    return accepted;
  }

 private:
  void convert(Tensor& x) const {
    const bool wanted = x.requires_grad();
    x = x.detach().to(recipe_.dtype);
    x.requires_grad_(wanted);
  }

  Tensor call(const Tensors& inputs) const {
    if (case_.random) manual_seed(op_cases::seed_of(case_));
    return case_.call(inputs);
  }
  Tensor loss(const Tensors& inputs) const { return sum(call(inputs) * cotangent_); }

  double loss_with(std::size_t input, std::size_t element, double step) const {
    const NoGradGuard no_grad;
    std::vector<double> values = inputs_[input].to_vector();
    values[element] += step;
    Tensors inputs = inputs_;
    inputs[input] = from_vector(values, inputs_[input].shape(), inputs_[input].dtype());
    return loss(inputs).item();
  }

  bool accepts(std::size_t input, const Tensor& gradient) {
    const std::size_t count = static_cast<std::size_t>(inputs_[input].numel());
    const std::vector<double> analytic = gradient.defined() ? gradient.to_vector() : std::vector<double>(count, 0.0);
    std::size_t first = 0;
    std::size_t last = count;
    if (recipe_.one_element && count > 0) {
      first = static_cast<std::size_t>(generator_.integer(0, static_cast<std::int64_t>(count)));
      last = first + 1;
    }
    for (std::size_t i = first; i < last; ++i) {
      const double plus = loss_with(input, i, recipe_.step);
      const double minus = loss_with(input, i, -recipe_.step);
      const double numeric = (plus - minus) / (2.0 * recipe_.step);
      const double allowed = recipe_.atol + recipe_.rtol * std::max(std::abs(numeric), std::abs(analytic[i]));
      if (!(std::abs(analytic[i] - numeric) <= allowed)) return false;
    }
    return true;
  }

  const Recipe& recipe_;
  const OpCase& case_;
  Tensors inputs_;
  std::vector<std::size_t> active_;
  Tensor cotangent_;
  Generator generator_;
};

}  // namespace

bool accepts(const Recipe& recipe, const OpCase& one) {
  return Check(recipe, one).accepts();
}

}  // namespace classic_recipes
