#include "mine/network.h"

#include <cmath>
#include <tuple>

namespace mine {
namespace {

constexpr int units = 6;
constexpr int per_unit = 4;  // two weights and a bias in, one weight out

struct Point {
  double x, y;
  bool inside;
};

// A ring around a disc.
std::vector<Point> points() {
  std::vector<Point> all;
  for (int i = 0; i < 16; ++i) {
    const double angle = 2.4 * i;
    all.push_back({0.5 * std::cos(angle), 0.5 * std::sin(angle), true});
    all.push_back({1.3 * std::cos(angle + 1.0), 1.3 * std::sin(angle + 1.0), false});
  }
  return all;
}

}  // namespace

Network::Network() {
  autograd::Generator random(3);
  for (int i = 0; i < units * per_unit + 2; ++i) {
    parameters_.push_back(parts.value(static_cast<double>(random.integer(-1000, 1001)) / 1000.0));
  }
}

// s + gain * tanh(s), where s = bias + sum over units of out * tanh(a x + b y + c)
NodePtr Network::score(double x, double y) const {
  const auto& [value, add, multiply] = std::tie(parts.value, parts.add, parts.multiply);
  const NodePtr& bias = parameters_[units * per_unit];
  const NodePtr& gain = parameters_[units * per_unit + 1];
  NodePtr sum = bias;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const NodePtr* const p = &parameters_[unit * per_unit];
    const NodePtr in = add(add(multiply(p[0], value(x)), multiply(p[1], value(y))), p[2]);
    sum = add(sum, multiply(p[3], parts.tanh(in)));
  }
  return add(sum, multiply(gain, parts.tanh(sum)));
}

// The mean of -log(probability of what the point is).
NodePtr Network::loss() const {
  const std::vector<Point> all = points();
  NodePtr sum = parts.value(0.0);
  for (const Point& point : all) {
    const NodePtr sign = parts.value(point.inside ? 1.0 : -1.0);
    sum = parts.add(sum, parts.log(parts.sigmoid(parts.multiply(sign, score(point.x, point.y)))));
  }
  return parts.multiply(parts.value(-1.0 / static_cast<double>(all.size())), sum);
}

Outcome Network::outcome() const {
  for (const NodePtr& parameter : parameters_) parameter->grad = 0.0;
  const NodePtr output = loss();
  parts.walk_back(output);
  std::vector<double> gradients;
  for (const NodePtr& parameter : parameters_) gradients.push_back(parameter->grad);
  Network other;
  return {{{"the loss", {output->data}},
           {"the gradients", gradients},
           {"the losses of three steps of training", other.train(3), tolerance_of_steps},
           {"the derivative of 1000 tanh in a row", {parts.tanh_chain(1000, 1.0).derivative}}},
          "",
          0};
}

std::vector<double> Network::train(int steps) {
  return parts.train(
      parameters_, [this] { return loss(); }, steps, 1.0);
}

double Network::share_right() const {
  const std::vector<Point> all = points();
  double right = 0.0;
  for (const Point& point : all) right += (score(point.x, point.y)->data > 0.0) == point.inside ? 1.0 : 0.0;
  return right / static_cast<double>(all.size());
}

std::string Network::picture() const {
  std::string text;
  for (double y = 1.4; y >= -1.4; y -= 0.28) {
    text += "    ";
    for (double x = -1.4; x <= 1.4; x += 0.1) text += score(x, y)->data > 0.0 ? "●" : "·";
    text += "\n";
  }
  return text;
}

}  // namespace mine
