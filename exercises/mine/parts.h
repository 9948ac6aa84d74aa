// The parts: every place of this program into which an exercise is plugged. The files of plugs/ fill them with the
// learner's functions, one file for each exercise. Where nothing is plugged in, the library does the work
// (library.cpp); a derivative is then the tape's.
//
// What has "backward" in its name returns gradients, in the order of what they are gradients of.
#pragma once

#include <autograd/autograd.h>
#include <judge/given/attention.h>
#include <judge/given/numbers.h>
#include <judge/given/recurrent.h>

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

namespace mine {

using autograd::Shape;
using autograd::Tensor;
using given::AttentionWeights;
using given::RnnWeights;
using given::StackedWeights;
using given::numbers::NodePtr;
using Tensors = std::vector<Tensor>;
using Lengths = std::vector<std::int64_t>;
using Sentence = std::vector<std::int64_t>;  // ids of words

// ---- whose code runs -----------------------------------------------------------------------------------------------

extern volatile int plugging_in;          // the exercise whose functions are plugged in now, 0 for the library's
extern volatile int running_exercise;     // whose code runs now, 0 for none: whom an error or a crash is about
extern volatile int last_exercise;        // whose code ran last
extern std::array<bool, 100> was_called;  // by number

class Running {
 public:
  explicit Running(int exercise) : before_(running_exercise) {
    if (exercise == 0) return;
    running_exercise = exercise;
    last_exercise = exercise;
    was_called[static_cast<std::size_t>(exercise)] = true;
  }
  ~Running() {
    if (!std::uncaught_exceptions()) running_exercise = before_;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  int before_;
};

template <class Signature> class Part;
template <class Result, class... Arguments> class Part<Result(Arguments...)> {
 public:
  // The last function that is plugged in is used.
  template <class Function> void operator=(Function function) {
    exercise_ = plugging_in;
    function_ = std::move(function);
  }
  explicit operator bool() const { return function_ != nullptr; }

  Result operator()(Arguments... arguments) const {
    const Running now(exercise_);
    return function_(std::forward<Arguments>(arguments)...);
  }

 private:
  int exercise_ = 0;
  std::function<Result(Arguments...)> function_;
};

// ---- what parts are given and return -------------------------------------------------------------------------------

// A function that returns a struct of two gradients, as one that returns them in order.
template <class Pair, class... Arguments> auto in_order(Pair (*function)(Arguments...)) {
  return [function](Arguments... arguments) {
    const auto [first, second] = function(arguments...);
    return Tensors{first, second};
  };
}

using Numbers = std::vector<NodePtr>;
struct Chain {
  std::size_t nodes;
  double derivative;
};

constexpr std::int64_t padding = 0;
constexpr std::int64_t bos = 1;  // the first input of the decoder
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

// The inputs of one step of the decoder, and of all steps of a sentence whose words are known, by their places.
namespace step_input {
enum : std::size_t { word, state, H, mask, W, U, v, weight_ih, weight_hh, bias_ih, bias_hh, readout, readout_bias };
}
namespace decode_input {
enum : std::size_t { words, state, H, mask, W, U, v, weight_ih, weight_hh };
}

// ---- the parts -----------------------------------------------------------------------------------------------------

struct Parts {
  // A scalar engine: network.cpp
  Part<NodePtr(double data)> value;
  Part<NodePtr(const NodePtr&a, const NodePtr&b)> add, multiply;
  Part<NodePtr(const NodePtr&x)> tanh, sigmoid, log;
  Part<void(const NodePtr& output)> walk_back;  // d(output)/d(node) into the grad of every node, all of which are 0
  Part<std::vector<double>(const Numbers& parameters, const std::function<NodePtr()>& loss, int steps, double rate)>
      train;                                     // -> the loss before each step
  Part<Chain(int length, double x)> tanh_chain;  // tanh(tanh(.. x))

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
  Part<Tensors(const Tensor& dy, const Tensor& x, const Tensor& weight)> linear_backward;
  Part<Tensor(const Tensor& weight, const Tensor& ids)> lookup;
  Part<Tensor(const Tensor& dy, const Tensor& ids, std::int64_t vocabulary, std::int64_t padding)> lookup_backward;
  Part<Tensor(const Tensor& scores, const Tensor& mask)> weights;
  Part<Tensor(const Tensor& dy, const Tensor& scores, const Tensor& mask)> weights_backward;
  Part<Tensor(const Tensor& logits, const Tensor& target)> word_loss;  // the mean of -log p
  Part<Tensor(const Tensor& dy, const Tensor& logits, const Tensor& target)> word_loss_backward;
  Part<Tensor(const Tensor& logits, const Tensor& target, const Tensor& mask)> token_loss;
  Part<Tensor(const Tensor& dy, const Tensor& logits, const Tensor& target, const Tensor& mask)> token_loss_backward;

  // Learning: training.cpp
  Part<void(const Tensors& parameters, double largest)> clip;
  Part<Optimizer(const Tensors& parameters)> optimizer;

  // Whole layers: layers.cpp
  Part<Tensor(const Tensor& x, const Tensor& h0, const RnnWeights& weights)> rnn;
  Part<Tensors(const Tensor& dy, const Tensor& y, const Tensor& x, const Tensor& h0, const RnnWeights& weights)>
      rnn_backward;
  Part<Tensor(const Tensor& x, const Lengths& lengths)> reverse_tokens;
  Part<Tensor(const Tensor& x, const Tensor& h, const StackedWeights& weights)> gru_step;
  Part<Tensors(const Tensor& dy, const Tensor& x, const Tensor& h, const StackedWeights& weights)> gru_step_backward;
  Part<Tensor(const Tensor& s, const Tensor& keys, const Tensor& W, const Tensor& v)> score;
  Part<Tensor(const Tensor& scores, const Tensor& mask)> attention_weights;
  Part<Tensor(const Tensor& alpha, const Tensor& values)> context;
  Part<Tensors(const Tensor& dc, const Tensor& alpha, const Tensor& values)> context_backward;
  Part<Tensors(const Tensor& d_alpha, const Tensor& alpha, const Tensor& s, const Tensor& keys, const Tensor& W,
               const Tensor& v)>
      score_backward;  // through the softmax and the score: of s, keys, W, v
  Part<Tensors(const Tensor& dc, const Tensor& alpha, const Tensor& c, const Tensor& s, const Tensor& keys,
               const Tensor& values, const Tensor& W, const Tensor& v)>
      state_gradients;  // of values and keys

  // The decoder: layers.cpp
  Part<Step(const Tensors& inputs)> decoder_step;
  Part<Tensors(const Tensor& d_logits, const Tensor& d_state, const Step& step, const Tensors& inputs)>
      decoder_step_backward;
  Part<Tensor(const Tensors& inputs)> decode;  // -> the states after each step, [batch, steps, state]
  Part<Tensors(const Tensor& dy, const Tensor& states, const Tensors& inputs)> decode_backward;
  Part<Targets(const std::vector<Sentence>& sentences)> targets;
  Part<Tensor(const Stepper& stepper, const Tensor& state, const Tensor& in)> teacher_forced;  // -> logits of all steps
  Part<Tensor(const Tensor& logits, const Tensor& out)> sentence_loss;
  Part<double(const Stepper& stepper, const Tensor& state, const Tensor& out)> accuracy;
};

// What is plugged in now.
extern Parts parts;

// The library's functions.
Parts of_the_library();

}  // namespace mine
