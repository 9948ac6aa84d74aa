#include <judge/by_hand.h>
#include <judge/check.h>
#include <nn/layers/lstm.h>

#include "given.h"

const Axes judge::axes = {{"batch", 5}, {"in", 2}, {"hidden", 3}};

namespace {

LstmWeights drawn_weights(Check& check) {
  const int gates = 4 * static_cast<int>(check.size("hidden"));
  LstmWeights weights;
  weights.weight_ih = check.randn("weight_ih", {gates, "in"});
  weights.weight_hh = check.randn("weight_hh", {gates, "hidden"});
  weights.bias_ih = check.randn("bias_ih", {gates});
  weights.bias_hh = check.randn("bias_hh", {gates});
  return weights;
}

LstmWeights copy_of(const LstmWeights& weights) {
  LstmWeights copy = weights;
  for (Tensor* each : {&copy.weight_ih, &copy.weight_hh, &copy.bias_ih, &copy.bias_hh}) *each = each->detach().clone();
  return copy;
}

// What the engine's own LSTM makes of it.
nn::LSTMState engine_step(const Tensor& x, const nn::LSTMState& before, const LstmWeights& weights) {
  const Tensor projected = linear(x, weights.weight_ih, weights.bias_ih);
  return nn::lstm_step(projected, before, {.weight_hh = weights.weight_hh, .bias_hh = weights.bias_hh});
}

// A step for lstm_backward that does not depend on the answer's lstm_forward.
LstmStep step_of(const Tensor& x, const Tensor& h, const Tensor& c, const LstmWeights& weights) {
  const std::vector<Tensor> a =
      (linear(x, weights.weight_ih, weights.bias_ih) + linear(h, weights.weight_hh, weights.bias_hh)).chunk(4, -1);
  const nn::LSTMState next = engine_step(x, {.hidden = h, .cell = c}, weights);
  return {x, h, c, sigmoid(a[0]), sigmoid(a[1]), tanh(a[2]), sigmoid(a[3]), next.cell, next.hidden};
}

void expect_shape(const std::string& name, const Tensor& value, const std::string& other, const Tensor& as) {
  if (!value.defined() || value.shape() == as.shape()) return;
  throw std::runtime_error(
      fmt::format("{} is {}, and {} is {}: they must have the same shape", name, value.shape(), other, as.shape()));
}

// The rows of one of i, f, g, o.
Tensor rows_of(const Tensor& stacked, std::size_t gate) {
  return stacked.defined() ? stacked.chunk(4)[gate] : stacked;
}

class LstmCheck {
 public:
  LstmCheck(const Answer& answer, Check& check) : answer_(answer), check_(check) {}

  void forward() {
    const LstmStep step = answer_.lstm_forward(x_, h_, c_, weights_);
    check_.compare("i", step.i);
    check_.compare("f", step.f);
    check_.compare("g", step.g);
    check_.compare("o", step.o);
    check_.compare("c_next", step.c_next);
    check_.compare("h_next", step.h_next);
  }

  void backward() {
    const LstmStep step = step_of(x_, h_, c_, weights_);
    check_.input("step.i", step.i);
    check_.input("step.f", step.f);
    check_.input("step.g", step.g);
    check_.input("step.o", step.o);
    check_.input("step.c_next", step.c_next);
    check_.input("step.h_next", step.h_next);
    const LstmGradients gradients =
        judge::by_hand([&] { return answer_.lstm_backward(dh_next_, dc_next_, step, weights_); });
    expect_shape("dweight_ih", gradients.dweight_ih, "weight_ih", weights_.weight_ih);
    expect_shape("dweight_hh", gradients.dweight_hh, "weight_hh", weights_.weight_hh);
    expect_shape("dbias_ih", gradients.dbias_ih, "bias_ih", weights_.bias_ih);
    expect_shape("dbias_hh", gradients.dbias_hh, "bias_hh", weights_.bias_hh);
    const auto loss = loss_with(weights_);
    const auto look_at = [&](std::size_t gate, const std::string& db, const std::string& dW, const std::string& dU) {
      check_.gradient(db, rows_of(gradients.dbias_ih, gate), rows_of(weights_.bias_ih, gate), loss);
      check_.gradient(dW, rows_of(gradients.dweight_ih, gate), rows_of(weights_.weight_ih, gate), loss);
      check_.gradient(dU, rows_of(gradients.dweight_hh, gate), rows_of(weights_.weight_hh, gate), loss);
    };
    look_at(3, "db_o", "dW_o", "dU_o");
    look_at(0, "db_i", "dW_i", "dU_i");
    look_at(1, "db_f", "dW_f", "dU_f");
    look_at(2, "db_g", "dW_g", "dU_g");
    check_.gradient("dbias_hh", gradients.dbias_hh, weights_.bias_hh, loss);
    check_.gradient("dx", gradients.dx, x_, loss);
    check_.gradient("dh", gradients.dh, h_, loss);
    check_.gradient("dc", gradients.dc, c_, loss);
  }

  // Unit 0 forgets its cell; the last one writes nothing into its own, and shows nothing of it. What was multiplied by
  // a gate cannot be worked out from the product.
  void backward_where_gates_are_closed() {
    const std::int64_t hidden = check_.size("hidden");
    const Tensor row = autograd::arange(4 * hidden, autograd::float64);
    const Tensor closed = (row == double(hidden)).to(autograd::float64) +
                          (row == double(hidden - 1)).to(autograd::float64) +
                          (row == double(4 * hidden - 1)).to(autograd::float64);
    LstmWeights weights = weights_;
    weights.bias_ih = weights_.bias_ih - 1000.0 * closed;
    const LstmStep step = step_of(x_, h_, c_, weights);
    const auto back = [&] { return answer_.lstm_backward(dh_next_, dc_next_, step, weights); };
    check_.gradient("dbias_ih where gates are 0", judge::by_hand(back).dbias_ih, weights.bias_ih, loss_with(weights));
  }

  // Two steps and the way back through both, all by the answer: what the first step keeps gets into its weights'
  // gradients.
  void two_steps() {
    const Tensor later = check_.randn("the next x", {"batch", "in"});
    const LstmWeights own = copy_of(weights_);  // the first step's
    const LstmStep first = answer_.lstm_forward(x_, h_, c_, own);
    const LstmStep second = answer_.lstm_forward(later, first.h_next, first.c_next, weights_);
    const LstmGradients gradients = judge::by_hand([&] {
      const LstmGradients back = answer_.lstm_backward(dh_next_, dc_next_, second, weights_);
      return answer_.lstm_backward(back.dh, back.dc, first, own);
    });
    const auto loss = [*this, later, own] {
      return loss_of(engine_step(later, engine_step(x_, {.hidden = h_, .cell = c_}, own), weights_));
    };
    check_.gradient("dweight_ih of the first of two steps", gradients.dweight_ih, own.weight_ih, loss);
    check_.gradient("dweight_hh of the first of two steps", gradients.dweight_hh, own.weight_hh, loss);
  }

  void half_life() {
    const LstmWeights untouched = copy_of(weights_);
    const LstmWeights result = answer_.with_half_life(weights_, 2.0);
    const Tensor biases = sum_of_biases(result);
    check_.compare("b_f for a half-life of 2 steps", rows_of(biases, 1));
    check_.compare("the other biases", autograd::cat({rows_of(biases, 0), rows_of(biases, 2), rows_of(biases, 3)}));
    check_.compare("weight_ih beside the new biases", result.weight_ih);
    check_.compare("weight_hh beside the new biases", result.weight_hh);
    const Tensor longer = sum_of_biases(answer_.with_half_life(untouched, 20.0));
    check_.compare("b_f for a half-life of 20 steps", rows_of(longer, 1));
  }

 private:
  Tensor loss_of(const nn::LSTMState& next) const {
    return (dh_next_ * next.hidden).sum() + (dc_next_ * next.cell).sum();
  }
  std::function<Tensor()> loss_with(const LstmWeights& weights) const {
    return [*this, weights] { return loss_of(engine_step(x_, {.hidden = h_, .cell = c_}, weights)); };
  }

  // How it is divided between the two is free.
  Tensor sum_of_biases(const LstmWeights& weights) const {
    expect_shape("the new bias_ih", weights.bias_ih, "the old one", weights_.bias_ih);
    expect_shape("the new bias_hh", weights.bias_hh, "the old one", weights_.bias_hh);
    return weights.bias_ih + weights.bias_hh;
  }

  const Answer& answer_;
  Check& check_;
  LstmWeights weights_ = drawn_weights(check_);
  Tensor x_ = check_.randn("x", {"batch", "in"});
  Tensor h_ = check_.randn("h", {"batch", "hidden"});
  Tensor c_ = check_.randn("c", {"batch", "hidden"});
  Tensor dh_next_ = check_.randn("dh_next", {"batch", "hidden"});
  Tensor dc_next_ = check_.randn("dc_next", {"batch", "hidden"});
};

}  // namespace

void check(const Answer& answer, Check& check) {
  LstmCheck lstm(answer, check);
  lstm.forward();
  lstm.backward();
  lstm.backward_where_gates_are_closed();
  lstm.two_steps();
  lstm.half_life();
}
