#include "mine/decoder.h"

#include <algorithm>
#include <memory>

#include "mine/differentiated.h"
#include "mine/layers.h"
#include "mine/ops.h"

namespace mine::decoder {
namespace {

Step step_by_ops(const Tensors& in) {
  using namespace step_input;
  const auto [context, weights] = layers::attend_by_ops(in[state], in[H], in[mask], {in[W], in[U], in[v]});
  const Tensor next = layers::gru_step_by_ops(ops::cat({in[word], context}, 1), in[state],
                                              {in[weight_ih], in[weight_hh], in[bias_ih], in[bias_hh]});
  const Tensor logits = ops::linear(ops::cat({next, context, in[word]}, 1), in[readout], in[readout_bias]);
  return {logits, next, context, weights};
}

}  // namespace

// Its node has one output: logits and state side by side.
Step step(const Tensors& inputs) {
  if (!parts.decoder_step) return step_by_ops(inputs);
  const auto made = std::make_shared<Step>();
  const auto forward = [made](const Tensors& in) {
    *made = parts.decoder_step(in);
    return autograd::cat({made->logits, made->state}, 1);
  };
  const std::int64_t classes = inputs[step_input::readout].size(0);
  const std::int64_t size = inputs[step_input::state].size(1);
  const auto backward = [=](const Tensor& dy, const Tensor&, const Tensors& in) {
    return parts.decoder_step_backward(dy.narrow(1, 0, classes), dy.narrow(1, classes, size), *made, in);
  };
  const Tensor both = differentiated(inputs, forward, backward);
  return {both.narrow(1, 0, classes), both.narrow(1, classes, size), made->context, made->weights};
}

MemoryStep memory_step(const Tensor& word, const Tensor& state, const Tensor& keys, const Tensor& values,
                       const Tensor& mask, const Tensors& weights) {
  const auto [context, alpha] = layers::attend(state, keys, values, mask, {weights[0], weights[1]});
  const Tensor no_bias = autograd::zeros({weights[2].size(0)}, word.dtype());
  return {layers::gru_step(ops::cat({word, context}, 1), state, {weights[2], weights[3], no_bias, no_bias}), alpha};
}

Tensor decode(const Tensors& inputs) {
  const auto by_steps = [](const Tensors& in) {
    using namespace decode_input;
    const Tensor keys = linear(in[H], in[U]);
    Tensor now = in[state];
    Tensors states;
    for (std::int64_t t = 0; t < in[words].size(1); ++t) {
      const Tensors weights = {in[W], in[v], in[weight_ih], in[weight_hh]};
      now = memory_step(in[words].select(1, t), now, keys, in[H], in[mask], weights).state;
      states.push_back(now);
    }
    return ops::stack(states, 1);
  };
  if (!parts.decode) return by_steps(inputs);
  return differentiated(
      inputs, [](const Tensors& in) { return parts.decode(in); },
      [](const Tensor& dy, const Tensor& y, const Tensors& in) { return parts.decode_backward(dy, y, in); });
}

Tensor teacher_forced(const Stepper& stepper, const Tensor& state, const Tensor& in) {
  if (parts.teacher_forced) return parts.teacher_forced(stepper, state, in);
  Tensor now = state;
  Tensors logits;
  for (std::int64_t t = 0; t < in.size(1); ++t) {
    const Step made = stepper(in.select(1, t), now);
    logits.push_back(made.logits);
    now = made.state;
  }
  return ops::stack(logits, 1);
}

Tensor stack_rows(const std::vector<Sentence>& sentences) {
  std::size_t longest = 0;
  for (const Sentence& sentence : sentences) longest = std::max(longest, sentence.size());
  Sentence ids;
  for (Sentence row : sentences) {
    row.resize(longest, padding);
    ids.insert(ids.end(), row.begin(), row.end());
  }
  return autograd::ids(ids, {static_cast<std::int64_t>(sentences.size()), static_cast<std::int64_t>(longest)});
}

Targets targets(const std::vector<Sentence>& sentences) {
  if (parts.targets) return parts.targets(sentences);
  std::vector<Sentence> in = sentences;
  std::vector<Sentence> out = sentences;
  for (Sentence& sentence : in) sentence.insert(sentence.begin(), bos);
  for (Sentence& sentence : out) sentence.push_back(eos);
  return {stack_rows(in), stack_rows(out)};
}

}  // namespace mine::decoder
