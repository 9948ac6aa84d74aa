// Planted mistakes, by family in op_mistakes_*.cpp: for every op derivatives that are wrong as people get them wrong,
// each of which a check must reject. An id such as "E01" in a name is its number in a collection of known mistakes.
#pragma once

#include <autograd/autograd.h>
#include <autograd/tape/node.h>
#include <autograd/tape/observer.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace op_mistakes {

using autograd::Grads;
using autograd::Tensor;

// One run of an op's backward: what it knows, and what it returns when it is right.
struct BackwardRun {
  const autograd::Inputs& x;
  const Tensor& y;
  const Tensor& dy;
  const Grads& right;
  // The right gradients for another dy.
  std::function<Grads(const Tensor& dy)> right_for;
};

using WrongBackward = std::function<Grads(const BackwardRun& run)>;

struct Mistake {
  std::string op;
  std::string name;
  WrongBackward backward;
};
using Mistakes = std::vector<Mistake>;

// Wrong first derivatives, in the order of the ops. A mistake may need a certain shape, as a missing transpose needs
// a square matrix; for other shapes it returns what is right.
const Mistakes& all();
// Right first derivatives whose own derivatives are wrong.
const Mistakes& of_second_order();
// Wrong only where differences say nothing, as at kinks: the comparison with PyTorch shows them.
const Mistakes& at_special_points();

// In the fast forms of composites, by the function's name: fast_test.cpp plants them there.
const Mistakes& of_fused_ops();

// While attached, every backward of the op is the mistaken one.
//
//   Planted planted(mistake);
//   const ObserverGuard guard(planted);
class Planted final : public autograd::Observer {
 public:
  explicit Planted(const Mistake& mistake) : mistake_(mistake) {}
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override;
  Grads run(autograd::Node& node, const Tensor& dy) override;

 private:
  struct Recorded {
    autograd::Inputs inputs;
    Tensor output;  // keeps the node alive, so that no other takes its place in the map
  };
  const Mistake& mistake_;
  std::map<const autograd::Node*, Recorded> recorded_;
};

// ---- for writing the tables down -------------------------------------------------------------------------

using In = const BackwardRun&;  // [](In run) { return run.dy * run.x[0]; }
using WrongGradient = std::function<Tensor(In run)>;

// The gradient of one input is wrong, the others are right.
WrongBackward wrong(std::size_t input, WrongGradient gradient);
inline WrongBackward dx(WrongGradient gradient) {
  return wrong(0, std::move(gradient));
}
inline WrongBackward da(WrongGradient gradient) {
  return wrong(0, std::move(gradient));
}
inline WrongBackward db(WrongGradient gradient) {
  return wrong(1, std::move(gradient));
}
// Each gradient, where there is one, is changed in the same way.
WrongBackward each(std::function<Tensor(const Tensor& right, In run)> change);

// Mistakes that every op can have.
WrongBackward upstream_not_multiplied();  // as if dy were 1 everywhere
WrongBackward path_dropped();             // no gradient at all
WrongBackward overwritten();              // = instead of +=: of several contributions only the last one is left
WrongBackward scaled(double factor);

// The right gradient with its elements moved on by one along each dim: an offset that is off by one.
Tensor moved_on(const Tensor& gradient);
// The other order of rows and columns, for square matrices; otherwise x itself.
Tensor transposed_if_square(const Tensor& x);
bool is_square(const Tensor& x);
// The dim for which f(x, dim) gives y.
std::int64_t dim_of(const std::function<Tensor(const Tensor& x, std::int64_t dim)>& f, In run);
// The first dim in which the shapes differ.
std::int64_t changed_dim(const autograd::Shape& a, const autograd::Shape& b);
double as_double(std::int64_t count);

Mistakes joined(const std::vector<Mistakes>& tables);

// Of an op whose inputs are repeated to a common shape.
Mistakes broadcast_mistakes(const std::string& op);

Mistakes elementwise_mistakes();
Mistakes choice_mistakes();
Mistakes reduction_mistakes();
Mistakes softmax_mistakes();
Mistakes product_mistakes();
Mistakes shape_mistakes();
Mistakes slice_mistakes();
Mistakes gather_mistakes();
Mistakes loss_mistakes();
Mistakes cross_entropy_mistakes();
Mistakes recurrent_mistakes();
Mistakes attention_mistakes();

}  // namespace op_mistakes
