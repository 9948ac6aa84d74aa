#include "tests/autograd/ops/op_mistakes.h"

#include <algorithm>
#include <stdexcept>

using namespace autograd;

namespace op_mistakes {

namespace {

// Those of one op together, the ops in the order in which they first appear.
Mistakes grouped(const Mistakes& mistakes) {
  std::map<std::string, std::size_t> place;
  for (const Mistake& mistake : mistakes) place.emplace(mistake.op, place.size());
  Mistakes result = mistakes;
  std::stable_sort(result.begin(), result.end(),
                   [&](const Mistake& a, const Mistake& b) { return place.at(a.op) < place.at(b.op); });
  return result;
}

}  // namespace

const Mistakes& all() {
  static const Mistakes table = grouped(joined({
      elementwise_mistakes(),
      choice_mistakes(),
      reduction_mistakes(),
      softmax_mistakes(),
      product_mistakes(),
      shape_mistakes(),
      slice_mistakes(),
      gather_mistakes(),
      loss_mistakes(),
  }));
  return table;
}

const Mistakes& of_fused_ops() {
  static const Mistakes table = joined({cross_entropy_mistakes(), recurrent_mistakes(), attention_mistakes()});
  return table;
}

// ---- planting -------------------------------------------------------------------------------------------------

void Planted::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  if (node.name() == mistake_.op) recorded_[&node] = {inputs, output};
}

Grads Planted::run(Node& node, const Tensor& dy) {
  const Grads right = node.backward(dy);
  const auto known = recorded_.find(&node);
  if (known == recorded_.end()) return right;
  const auto right_for = [&node](const Tensor& other) { return node.backward(other); };
  return mistake_.backward({known->second.inputs, known->second.output, dy, right, right_for});
}

// ---- the parts of which tables are made -------------------------------------------------------------------------

Mistakes joined(const std::vector<Mistakes>& tables) {
  Mistakes result;
  for (const Mistakes& table : tables) result.insert(result.end(), table.begin(), table.end());
  return result;
}

WrongBackward wrong(std::size_t input, WrongGradient gradient) {
  return [=](In run) {
    Grads grads = run.right;
    if (input < grads.size() && grads[input].defined()) grads[input] = gradient(run);
    return grads;
  };
}

WrongBackward each(std::function<Tensor(const Tensor& right, In run)> change) {
  return [=](In run) {
    Grads grads = run.right;
    for (Tensor& gradient : grads) {
      if (gradient.defined()) gradient = change(gradient, run);
    }
    return grads;
  };
}

WrongBackward upstream_not_multiplied() {
  return [](In run) { return run.right_for(ones_like(run.dy)); };
}

WrongBackward path_dropped() {
  return each([](const Tensor& right, In) { return zeros_like(right); });
}

WrongBackward scaled(double factor) {
  return each([=](const Tensor& right, In) { return right * factor; });
}

// What each element of dy contributes is put over what was there before.
WrongBackward overwritten() {
  return [](In run) {
    Grads grads = run.right;
    for (Tensor& gradient : grads) {
      if (gradient.defined()) gradient = zeros_like(gradient);
    }
    const Tensor position = arange(run.dy.numel()).reshape(run.dy.shape());
    for (std::int64_t i = 0; i < run.dy.numel(); ++i) {
      const Tensor one_element = where(position == as_double(i), run.dy, 0.0);
      const Grads contribution = run.right_for(one_element);
      for (std::size_t input = 0; input < grads.size(); ++input) {
        Tensor& gradient = grads[input];
        if (gradient.defined()) gradient = where(contribution[input] != 0.0, contribution[input], gradient);
      }
    }
    return grads;
  };
}

Tensor moved_on(const Tensor& gradient) {
  Tensor moved = gradient;
  for (int dim = 0; dim < gradient.dim(); ++dim) {
    const std::int64_t size = moved.size(dim);
    if (size > 1) moved = cat({moved.narrow(dim, size - 1, 1), moved.narrow(dim, 0, size - 1)}, dim);
  }
  return moved;
}

bool is_square(const Tensor& x) {
  return x.dim() >= 2 && x.size(-1) == x.size(-2);
}

Tensor transposed_if_square(const Tensor& x) {
  return is_square(x) ? x.transpose(-2, -1) : x;
}

std::int64_t dim_of(const std::function<Tensor(const Tensor& x, std::int64_t dim)>& f, In run) {
  const NoGradGuard no_grad;
  for (int dim = 0; dim < run.x[0].dim(); ++dim) {
    if (allclose(f(run.x[0], dim), run.y)) return dim;
  }
  throw std::logic_error("no dim gives this output");
}

std::int64_t changed_dim(const Shape& a, const Shape& b) {
  int dim = 0;
  while (dim < a.dim() && dim < b.dim() && a[dim] == b[dim]) ++dim;
  return dim;
}

double as_double(std::int64_t count) {
  return static_cast<double>(count);
}

}  // namespace op_mistakes
