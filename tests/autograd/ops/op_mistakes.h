// Planted mistakes: for every op derivatives that are wrong as people get them wrong, each of which a check must
// reject. They are the rows of op_mistakes.txt.
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

// In fused ops, by the function's name: fused_cases_test.cpp plants them there.
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

using In = const BackwardRun&;

// The gradient with its elements moved on by one along each dim: an offset that is off by one.
Tensor moved_on(const Tensor& gradient);

}  // namespace op_mistakes
