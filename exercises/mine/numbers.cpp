#include "mine/numbers.h"

#include <cmath>
#include <map>

namespace mine::numbers {
namespace {

NumberPtr node(Computed computed, std::vector<NumberPtr> inputs) {
  return std::make_shared<Number>(Number{computed.data, 0.0, std::move(inputs), std::move(computed.backward)});
}

// Every node after all that use it.
std::vector<Number*> order(const NumberPtr& output) {
  std::map<Number*, int> uses;
  std::vector<Number*> found = {output.get()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const NumberPtr& input : found[i]->inputs) {
      if (uses[input.get()]++ == 0) found.push_back(input.get());
    }
  }
  std::vector<Number*> nodes = {output.get()};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const NumberPtr& input : nodes[i]->inputs) {
      if (--uses[input.get()] == 0) nodes.push_back(input.get());
    }
  }
  return nodes;
}

}  // namespace

NumberPtr value(double data) {
  return node({data, nullptr}, {});
}

NumberPtr add(const NumberPtr& a, const NumberPtr& b) {
  if (parts.add) return node(parts.add(a->data, b->data), {a, b});
  return node({a->data + b->data, [](double dy) { return std::vector<double>{dy, dy}; }}, {a, b});
}

NumberPtr multiply(const NumberPtr& a, const NumberPtr& b) {
  if (parts.multiply) return node(parts.multiply(a->data, b->data), {a, b});
  const auto backward = [x = a->data, y = b->data](double dy) { return std::vector<double>{dy * y, dy * x}; };
  return node({a->data * b->data, backward}, {a, b});
}

NumberPtr tanh(const NumberPtr& x) {
  if (parts.tanh) return node(parts.tanh(x->data), {x});
  const double y = std::tanh(x->data);
  return node({y, [y](double dy) { return std::vector<double>{dy * (1.0 - y * y)}; }}, {x});
}

NumberPtr sigmoid(const NumberPtr& x) {
  if (parts.sigmoid) return node(parts.sigmoid(x->data), {x});
  const double y = 1.0 / (1.0 + std::exp(-x->data));
  return node({y, [y](double dy) { return std::vector<double>{dy * y * (1.0 - y)}; }}, {x});
}

NumberPtr log(const NumberPtr& x) {
  if (parts.log) return node(parts.log(x->data), {x});
  return node({std::log(x->data), [before = x->data](double dy) { return std::vector<double>{dy / before}; }}, {x});
}

void walk_back(const NumberPtr& output) {
  if (parts.walk_back) return parts.walk_back(output);
  output->grad = 1.0;
  for (Number* const number : order(output)) {
    if (number->inputs.empty()) continue;
    const std::vector<double> gradients = number->backward(number->grad);
    for (std::size_t i = 0; i < gradients.size(); ++i) number->inputs[i]->grad += gradients[i];
  }
}

std::vector<double> train(const std::vector<NumberPtr>& parameters, const Loss& loss, int steps, double rate) {
  if (parts.train) return parts.train(parameters, loss, steps, rate);
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    for (const NumberPtr& parameter : parameters) parameter->grad = 0.0;
    const NumberPtr output = loss();
    losses.push_back(output->data);
    walk_back(output);
    for (const NumberPtr& parameter : parameters) parameter->data -= rate * parameter->grad;
  }
  return losses;
}

Chain tanh_chain(int length, double x) {
  if (parts.tanh_chain) return parts.tanh_chain(length, x);
  double gradient = 1.0;
  for (int i = 0; i < length; ++i) {
    x = std::tanh(x);
    gradient *= 1.0 - x * x;
  }
  return {static_cast<std::size_t>(length) + 1, gradient};
}

}  // namespace mine::numbers
