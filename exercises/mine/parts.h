// The parts: every place into which an exercise is plugged. The files of plugs/ fill them with the learner's functions,
// one file for each exercise; the rest of this folder is the program that they make work.
//
// What has "backward" in its name returns gradients, in the order of what they are gradients of.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mine/part.h"

namespace mine {

using autograd::Shape;
using autograd::Tensor;
using Tensors = std::vector<Tensor>;
using Lengths = std::vector<std::int64_t>;
using Sentence = std::vector<std::int64_t>;  // ids of words

// ---- numbers -------------------------------------------------------------------------------------------------------

// One number of a graph, and where it came from.
struct Number;
using NumberPtr = std::shared_ptr<Number>;
struct Number {
  double data = 0.0;
  double grad = 0.0;
  std::vector<NumberPtr> inputs = {};
  std::function<std::vector<double>(double dy)> backward = nullptr;  // dL/d(each input)
};
// What an operation gives: the result, and its way back.
struct Computed {
  double data;
  std::function<std::vector<double>(double dy)> backward;
};
using Loss = std::function<NumberPtr()>;
struct Chain {
  std::size_t nodes;
  double gradient;
};

// ---- sentences -----------------------------------------------------------------------------------------------------

constexpr std::int64_t padding = 0;
constexpr std::int64_t bos = 1;  // the first input of every decoder
constexpr std::int64_t eos = 2;  // the last word to be said
constexpr std::int64_t first_word = 3;

// What the decoder is given at each step, and what it is to say there: [batch, steps].
struct Targets {
  Tensor in, out;
};
struct Step {
  Tensor logits;   // [batch, vocabulary]
  Tensor state;    // [batch, state]
  Tensor context;  // [batch, encoder]
  Tensor weights;  // [batch, source]
};
// The words [batch] and the state before -> one step.
using Stepper = std::function<Step(const Tensor& words, const Tensor& state)>;
// Changes the parameters by their gradients.
using Optimizer = std::function<void(double learning_rate)>;

struct Parts {
  // A scalar engine: numbers.cpp
  Part<Computed(double a, double b)> add, multiply;
  Part<Computed(double x)> tanh, sigmoid, log;
  Part<void(const NumberPtr& output)> walk_back;  // d(output)/d(node) into the grad of every node, all of which are 0
  Part<std::vector<double>(const std::vector<NumberPtr>& parameters, const Loss& loss, int steps, double rate)> train;
  Part<Chain(int length, double x)> tanh_chain;  // tanh(tanh(.. x)): how many nodes, and d/dx

  // The derivatives of ops: ops.cpp. All get dy, then what the op was given.
  Part<Tensors(const Tensor&dy, const Tensor&a, const Tensor&b)> multiply_backward,
      product_backward;  // 2nd: broadcasts
  Part<Tensors(const Tensor& dy)> subtract_backward;
  Part<Tensor(const Tensor& dy, const Shape& shape)> unbroadcast;
  Part<Tensor(const Tensor&dy, const Shape&shape, int dim)> sum_backward, mean_backward;
  Part<Tensors(const Tensor&dy, const Tensor&a, const Tensor&b)> matmul_backward, batched_matmul_backward;
  Part<Tensor(const Tensor& dy, int dim0, int dim1)> transpose_backward;
  Part<Tensor(const Tensor& dy, int dim)> flip_backward;
  Part<Tensors(const Tensor& dy, const Lengths& sizes, int dim)> cat_backward;
  Part<Tensors(const Tensor& dy, int dim)> stack_backward;
  Part<Tensor(const Tensor& dy, const Shape& shape, int dim, std::int64_t start)> narrow_backward;
  Part<Tensor(const Tensor& weight, const Tensor& ids)> lookup;
  Part<Tensor(const Tensor& dy, const Tensor& ids, std::int64_t vocabulary, std::int64_t padding)> lookup_backward;
  Part<Tensor(const Tensor& scores, const Tensor& mask)> weights;
  Part<Tensor(const Tensor& dy, const Tensor& scores, const Tensor& mask)> weights_backward;
  Part<Tensor(const Tensor& logits, const Tensor& target)> word_loss;  // the mean of -log p
  Part<Tensor(const Tensor& dy, const Tensor& logits, const Tensor& target)> word_loss_backward;
  Part<Tensor(const Tensor& logits, const Tensor& target, const Tensor& mask)> token_loss;
  Part<Tensor(const Tensor& dy, const Tensor& logits, const Tensor& target, const Tensor& mask)> token_loss_backward;
  Part<Tensors(const Tensor& dy, const Tensor& x, const Tensor& weight)> linear_backward;

  // Learning: training.cpp
  Part<void(const Tensors& parameters, double largest)> clip;
  Part<Optimizer(const Tensors& parameters)> optimizer;

  // Whole layers: layers.cpp
  Part<Tensor(const Tensor& x, const Tensor& h0, const Tensors& weights)> rnn;  // weight_ih, weight_hh, bias
  Part<Tensors(const Tensor& dy, const Tensor& y, const Tensor& x, const Tensor& h0, const Tensors& weights)>
      rnn_backward;
  Part<Tensor(const Tensor& x, const Lengths& lengths)> reverse_tokens;
  Part<Tensor(const Tensor& x, const Tensor& h, const Tensors& weights)> gru_step;  // weight_ih, weight_hh and biases
  Part<Tensors(const Tensor& dy, const Tensor& x, const Tensor& h, const Tensors& weights)> gru_step_backward;
  Part<Tensor(const Tensor& s, const Tensor& keys, const Tensor& W, const Tensor& v)> score;
  Part<Tensor(const Tensor& scores, const Tensor& mask)> attention_weights;
  Part<Tensor(const Tensor& alpha, const Tensor& values)> context;
  Part<Tensors(const Tensor& dy, const Tensor& alpha, const Tensor& values)> context_backward;
  Part<Tensors(const Tensor& d_alpha, const Tensor& alpha, const Tensor& s, const Tensor& keys, const Tensor& W,
               const Tensor& v)>
      score_backward;  // through the softmax and the score: of s, keys, W, v
  Part<Tensors(const Tensor& dc, const Tensor& alpha, const Tensor& c, const Tensor& s, const Tensor& keys,
               const Tensor& values, const Tensor& W, const Tensor& v)>
      state_gradients;  // of values and keys

  // The decoder: decoder.cpp, which says what the inputs are
  Part<Step(const Tensors& inputs)> decoder_step;
  Part<Tensors(const Tensor& d_logits, const Tensor& d_state, const Step& step, const Tensors& inputs)>
      decoder_step_backward;
  Part<Tensor(const Tensors& inputs)> decode;
  Part<Tensors(const Tensor& dy, const Tensor& states, const Tensors& inputs)> decode_backward;
  Part<Targets(const std::vector<Sentence>& sentences)> targets;
  Part<Tensor(const Stepper& stepper, const Tensor& state, const Tensor& in)> teacher_forced;
  Part<Tensor(const Tensor& logits, const Tensor& out)> sentence_loss;
  Part<double(const Stepper& stepper, const Tensor& state, const Tensor& out)> accuracy;
};

// What is plugged in now.
extern Parts parts;

}  // namespace mine
