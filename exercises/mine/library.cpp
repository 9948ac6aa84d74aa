// What the parts are where nothing is plugged in.
#include <judge/given/rows.h>
#include <judge/given/sums_and_products.h>
#include <judge/given/walk_back.h>
#include <nn/optim/adam.h>
#include <nn/optim/clip_grad.h>

#include <cmath>

#include "mine/differentiated.h"
#include "mine/layers.h"
#include "mine/translator.h"

namespace mine {
namespace {

namespace numbers = given::numbers;

NodePtr function_of(const NodePtr& x, double y, double slope) {
  return numbers::make_node(y, {x}, [slope](double dy) { return numbers::Gradients{dy * slope}; });
}

void fill_in_numbers(Parts& its) {
  its.value = numbers::leaf;
  its.add = numbers::add;
  its.multiply = numbers::mul;
  its.tanh = [](const NodePtr& x) {
    const double y = std::tanh(x->data);
    return function_of(x, y, 1.0 - y * y);
  };
  its.sigmoid = [](const NodePtr& x) {
    const double y = 1.0 / (1.0 + std::exp(-x->data));
    return function_of(x, y, y * (1.0 - y));
  };
  its.log = [](const NodePtr& x) { return function_of(x, std::log(x->data), 1.0 / x->data); };
  its.walk_back = [](const NodePtr& output) { numbers::walk_back(output, 1.0); };
  its.train = [](const Numbers& parameters, const std::function<NodePtr()>& loss, int steps, double rate) {
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
      for (const NodePtr& parameter : parameters) parameter->grad = 0.0;
      const NodePtr output = loss();
      losses.push_back(output->data);
      parts.walk_back(output);
      for (const NodePtr& parameter : parameters) parameter->data -= rate * parameter->grad;
    }
    return losses;
  };
  its.tanh_chain = [](int length, double x) {
    double derivative = 1.0;
    for (int i = 0; i < length; ++i) {
      x = std::tanh(x);
      derivative *= 1.0 - x * x;
    }
    return Chain{static_cast<std::size_t>(length) + 1, derivative};
  };
}

void fill_in_layers(Parts& its) {
  its.rnn = [](const Tensor& x, const Tensor&, const RnnWeights& weights) {
    const Tensor everywhere = autograd::ones({x.size(1), x.size(0)}, x.dtype());
    return layers::rnn_by_ops(x.transpose(0, 1), everywhere, weights).transpose(0, 1);
  };
  its.reverse_tokens = [](const Tensor& x, const Lengths& lengths) {
    Tensors sentences;
    for (std::int64_t n = 0; n < x.size(0); ++n) {
      const std::int64_t length = lengths[static_cast<std::size_t>(n)];
      const Tensor tokens = autograd::flip(x[n].narrow(0, 0, length), {0});
      sentences.push_back(autograd::cat({tokens, x[n].narrow(0, length, x.size(1) - length)}));
    }
    return autograd::stack(sentences);
  };
  its.gru_step = layers::gru_step_by_ops;
  its.score = [](const Tensor& s, const Tensor& keys, const Tensor& W, const Tensor& v) {
    return additive_score(linear(s, W), keys, v);
  };
  its.attention_weights = [](const Tensor& scores, const Tensor& mask) { return masked_softmax(scores, mask); };
  its.weights = its.attention_weights;
  its.context = [](const Tensor& alpha, const Tensor& values) { return bmm(alpha.unsqueeze(1), values).squeeze(1); };
  its.context_backward = [forward = its.context](const Tensor& dc, const Tensor& alpha, const Tensor& values) {
    return by_tape([&](const Tensors& in) { return forward(in[0], in[1]); }, {alpha, values}, dc);
  };
  its.score_backward = [forward = its.score](const Tensor& d_alpha, const Tensor& alpha, const Tensor& s,
                                             const Tensor& keys, const Tensor& W, const Tensor& v) {
    const Tensor d_scores = alpha * (d_alpha - (alpha * d_alpha).sum({1}, true));
    return by_tape([&](const Tensors& in) { return forward(in[0], in[1], in[2], in[3]); }, {s, keys, W, v}, d_scores);
  };
}

void fill_in_words(Parts& its) {
  its.lookup = [](const Tensor& weight, const Tensor& ids) { return autograd::embedding(weight, ids, padding); };
  its.word_loss = [](const Tensor& logits, const Tensor& target) { return autograd::cross_entropy(logits, target); };
  its.sentence_loss = [](const Tensor& logits, const Tensor& out) {
    return autograd::cross_entropy(logits.flatten(0, 1), out.flatten(), {.ignore_index = padding});
  };
  its.token_loss = [loss = its.sentence_loss](const Tensor& logits, const Tensor& target, const Tensor& mask) {
    return loss(logits, where(mask, target, padding).to(autograd::int64));
  };
  its.targets = [](const std::vector<Sentence>& sentences) -> Targets {
    std::vector<Sentence> in = sentences;
    std::vector<Sentence> out = sentences;
    for (Sentence& sentence : in) sentence.insert(sentence.begin(), bos);
    for (Sentence& sentence : out) sentence.push_back(eos);
    return {given::stack_rows(in, padding), given::stack_rows(out, padding)};
  };
  its.teacher_forced = [](const Stepper& stepper, const Tensor& state, const Tensor& in) {
    Tensor now = state;
    Tensors logits;
    for (std::int64_t t = 0; t < in.size(1); ++t) {
      const Step made = stepper(in.select(1, t), now);
      logits.push_back(made.logits);
      now = made.state;
    }
    return autograd::stack(logits, 1);
  };
  its.accuracy = [](const Stepper& stepper, const Tensor& state, const Tensor& out) {
    const Tensor said = say(stepper, state, out.size(1)).words;
    const Tensor counts = (out != padding).to(autograd::float64);
    return ((said == out).to(autograd::float64) * counts).sum().item() / counts.sum().item();
  };
  its.clip = [](const Tensors& parameters, double largest) { nn::clip_grad_norm_(parameters, largest); };
  its.optimizer = [](const Tensors& parameters) -> Optimizer {
    const auto adam = std::make_shared<nn::Adam>(parameters);
    return [adam](double learning_rate) {
      adam->set_lr(learning_rate);
      adam->step();
    };
  };
}

}  // namespace

Parts of_the_library() {
  Parts its;
  fill_in_numbers(its);
  fill_in_layers(its);
  fill_in_words(its);
  return its;
}

}  // namespace mine
