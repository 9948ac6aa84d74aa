#include <autograd/tape/observer.h>
#include <fmt/format.h>
#include <judge/check.h>

#define BACKSTEP_CHECK
#include "given.h"

const Axes judge::axes = {{"batch", 2},   {"steps", 4}, {"source", 3},   {"word", 5},
                          {"encoder", 6}, {"state", 7}, {"attention", 8}};

namespace {

Decoder random_decoder(Check& check) {
  const std::int64_t gates = 3 * check.size("state");
  Decoder decoder;
  decoder.U = check.randn("U", {"attention", "encoder"});
  decoder.step.W = check.randn("W", {"attention", "state"});
  decoder.step.v = check.randn("v", {"attention"});
  decoder.step.weight_ih = check.randn("weight_ih", {gates, check.size("word") + check.size("encoder")});
  decoder.step.weight_hh = check.randn("weight_hh", {gates, "state"});
  return decoder;
}

// The first sentence is whole, each one after it a word shorter.
Tensor random_mask(Check& check) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < check.size("batch"); ++i) {
    lengths.push_back(std::max<std::int64_t>(1, check.size("source") - i));
  }
  return check.input("mask", autograd::length_mask(lengths, check.size("source")));
}

// The decoder as the check knows it: what the answer's way back is given, and what it is measured by.
Decoded reference_decode(const DecodeInput& in, const Decoder& decoder) {
  const Memory memory = {linear(in.H, decoder.U), in.H};
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < in.words.size(1); ++t) {
    const Tensor& before = t == 0 ? in.state : states.back();
    states.push_back(decoder_step(in.words.select(1, t), before, memory, in.mask, decoder.step));
  }
  return {autograd::stack(states, 1), memory};
}

// Counts the ops that take one tensor as an input.
class Uses final : public autograd::Observer {
 public:
  explicit Uses(Tensor tensor) : tensor_(std::move(tensor)) {}
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override {
    for (const Tensor& input : inputs) count += input.impl() == tensor_.impl() ? 1 : 0;
    Observer::recorded(node, inputs, output);
  }
  int count = 0;

 private:
  Tensor tensor_;
};

int uses_of_U(const Answer& answer, const DecodeInput& in, const Decoder& decoder) {
  Decoder watched = decoder;
  watched.U = decoder.U.detach().clone().requires_grad_();
  Uses uses(watched.U);
  const autograd::ObserverGuard guard(uses);
  answer.decode(in, watched);
  return uses.count;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Decoder decoder = random_decoder(check);
  DecodeInput in;
  in.words = check.randn("words", {"batch", "steps", "word"});
  in.state = check.randn("state", {"batch", "state"});
  in.H = check.randn("H", {"batch", "source", "encoder"});
  in.mask = random_mask(check);

  const Decoded decoded = answer.decode(in, decoder);
  check.compare("keys", decoded.memory.keys);
  check.compare("states", decoded.states);
  const int uses = uses_of_U(answer, in, decoder);
  check.require(
      "U is used once", uses <= 1,
      fmt::format("U goes into {} products for {} steps; U h_j is the same at every step", uses, check.size("steps")));

  // The memory belongs to one sentence and one U: each of the two changes while the other is the same tensor.
  Decoder with_other_U = decoder;
  with_other_U.U = 0.5 * decoder.U;
  check.compare("keys of the same H with another U", answer.decode(in, with_other_U).memory.keys);
  DecodeInput with_other_H = in;
  with_other_H.H = -in.H;
  const Decoded of_other_H = answer.decode(with_other_H, with_other_U);
  check.compare("keys of another H with the same U", of_other_H.memory.keys);
  check.compare("states of another H", of_other_H.states);

  const Tensor d_states = check.randn("d_states", {"batch", "steps", "state"});
  const auto loss = [=] { return (d_states * reference_decode(in, decoder).states).sum(); };
  const DecodeGradients gradients = answer.decode_backward(d_states, reference_decode(in, decoder), in, decoder);
  check.gradient("d_words", gradients.d_words, in.words, loss);
  check.gradient("d_state", gradients.d_state, in.state, loss);
  check.gradient("d_W", gradients.d_step.W, decoder.step.W, loss);
  check.gradient("d_v", gradients.d_step.v, decoder.step.v, loss);
  check.gradient("d_weight_ih", gradients.d_step.weight_ih, decoder.step.weight_ih, loss);
  check.gradient("d_weight_hh", gradients.d_step.weight_hh, decoder.step.weight_hh, loss);
  check.gradient("d_U", gradients.d_U, decoder.U, loss);
  check.gradient("d_H", gradients.d_H, in.H, loss, {.regions = {{"padding", logical_not(in.mask).unsqueeze(2)}}});
}
