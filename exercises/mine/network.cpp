#include "mine/network.h"

#include <cmath>

namespace mine {
namespace {

constexpr int hidden = 6;
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
  for (int i = 0; i < hidden * per_unit + 2; ++i) {
    parameters_.push_back(numbers::value(static_cast<double>(random.integer(-1000, 1001)) / 1000.0));
  }
}

// s + gain * tanh(s), where s = bias + sum over units of out * tanh(a x + b y + c)
NumberPtr Network::score(double x, double y) const {
  using namespace numbers;
  const NumberPtr& bias = parameters_[hidden * per_unit];
  const NumberPtr& gain = parameters_[hidden * per_unit + 1];
  NumberPtr sum = bias;
  for (std::size_t unit = 0; unit < hidden; ++unit) {
    const NumberPtr* const p = &parameters_[unit * per_unit];
    const NumberPtr in = add(add(multiply(p[0], value(x)), multiply(p[1], value(y))), p[2]);
    sum = add(sum, multiply(p[3], numbers::tanh(in)));
  }
  return add(sum, multiply(gain, numbers::tanh(sum)));
}

// The mean of -log(probability of what the point is).
NumberPtr Network::loss() const {
  using namespace numbers;
  const std::vector<Point> all = points();
  NumberPtr sum = value(0.0);
  for (const Point& point : all) {
    const NumberPtr sign = value(point.inside ? 1.0 : -1.0);
    sum = add(sum, numbers::log(sigmoid(multiply(sign, score(point.x, point.y)))));
  }
  return multiply(value(-1.0 / static_cast<double>(all.size())), sum);
}

Outcome Network::outcome() const {
  for (const NumberPtr& parameter : parameters_) parameter->grad = 0.0;
  const NumberPtr output = loss();
  numbers::walk_back(output);
  Outcome outcome;
  outcome.loss = output->data;
  outcome.gradients.push_back({"the network's weights", {}});
  for (const NumberPtr& parameter : parameters_) outcome.gradients[0].numbers.push_back(parameter->grad);

  Network other;
  outcome.others.push_back({"the losses of three steps of training", other.train(3)});
  outcome.others.push_back({"the derivative of 1000 tanh in a row", {numbers::tanh_chain(1000, 1.0).gradient}});
  return outcome;
}

void Network::move(double distance) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i]->data += distance * direction(i);
}

std::vector<double> Network::train(int steps) {
  return numbers::train(
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
