#include <judge/check.h>

#include <cmath>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"rows", 3}, {"columns", 4}, {"steps", 5}};

namespace {

using Names = std::vector<std::string>;  // of axes; "1" stands for a dim of size 1

Shape sizes_of(Check& check, const Names& names) {
  Shape shape;
  for (const std::string& name : names) shape.push_back(name == "1" ? 1 : check.size(name));
  return shape;
}

std::string in_words(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return "[" + text + "]";
}

// Every entry of dy is a use of an entry of x.
class Cases {
 public:
  Cases(const Answer& answer, Check& check) : answer_(answer), check_(check) {}

  Tensor draw_dy(const Names& names) {
    const Shape shape = sizes_of(check_, names);
    std::vector<double> values(static_cast<std::size_t>(shape.numel()));
    for (double& value : values) value = check_.random().normal();
    return check_.input("dy " + in_words(names), autograd::from_vector(values, shape, autograd::float64));
  }

  void one(const Tensor& dy, const Names& large, const Names& small) {
    const Tensor x = autograd::zeros(sizes_of(check_, small), autograd::float64);
    const Tensor dx = answer_.unbroadcast(dy, x.shape());
    check_.gradient("dx of " + in_words(small) + " in " + in_words(large), dx, x,
                    [=] { return (dy * x.expand(dy.shape())).sum(); });
    const double sum = dy.sum().item();
    if (!dx.defined() || !(std::abs(dx.sum().item() - sum) <= 1e-9 * (1.0 + std::abs(sum)))) sums_kept_ = false;
  }

  // All shapes that broadcast to this one and have at least so many dims.
  void all(const Names& large, std::size_t dims) {
    const Tensor dy = draw_dy(large);
    for (std::size_t missing = 0; missing + dims <= large.size(); ++missing) {
      const std::size_t left = large.size() - missing;
      for (unsigned ones = 0; ones < 1U << left; ++ones) {
        Names small(large.begin() + static_cast<std::ptrdiff_t>(missing), large.end());
        for (std::size_t dim = 0; dim < left; ++dim) {
          if (ones >> dim & 1U) small[dim] = "1";
        }
        one(dy, large, small);
      }
    }
  }

  bool sums_kept() const { return sums_kept_; }

 private:
  const Answer& answer_;
  Check& check_;
  bool sums_kept_ = true;
};

void product(const Answer& answer, Check& check) {
  const Tensor a = check.randn("a", {"rows", 1});
  const Tensor b = check.randn("b", {"batch", 1, "columns"});
  const Tensor dy = check.randn("dy of a * b", {"batch", "rows", "columns"});
  const auto loss = [=] { return (dy * (a * b)).sum(); };
  const ProductGradients gradients = answer.product_backward(dy, a, b);
  check.gradient("da", gradients.da, a, loss);
  check.gradient("db", gradients.db, b, loss);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  Cases cases(answer, check);
  {
    const Names matrix{"rows", "columns"};
    const Tensor dy = cases.draw_dy(matrix);
    cases.one(dy, matrix, {"columns"});
    cases.one(dy, matrix, {"rows", "1"});
    cases.one(dy, matrix, matrix);
    const Names square{"rows", "rows"};  // a sum over the wrong dim has the right shape here
    cases.one(cases.draw_dy(square), square, {"rows"});
  }
  product(answer, check);
  cases.all({"batch", "rows", "columns"}, 0);           // 15 shapes
  cases.all({"steps", "batch", "rows", "columns"}, 3);  // 24 shapes
  {
    // With size 1 in dy itself: where dims are missing though nothing was repeated, and where both is mixed.
    const Names one_row{"1", "columns"};
    const Tensor dy_of_row = cases.draw_dy(one_row);
    cases.one(dy_of_row, one_row, {"columns"});
    cases.one(dy_of_row, one_row, one_row);
    const Names one_matrix{"1", "rows", "1", "columns"};
    const Tensor dy_of_matrix = cases.draw_dy(one_matrix);
    cases.one(dy_of_matrix, one_matrix, {"1", "columns"});
    cases.one(dy_of_matrix, one_matrix, {"rows", "1", "1"});
    const Names one_number{"1"};
    cases.one(cases.draw_dy(one_number), one_number, {});
  }
  check.require("each dx has the sum of its dy", cases.sums_kept(),
                "a dx has another sum than its dy, though each entry of dy is to go into exactly one entry of dx");
}
