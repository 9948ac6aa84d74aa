// What is done in one pass, beside the same done op by op.

#include <autograd/autograd.h>
#include <autograd/tape/observer.h>
#include <autograd/tensor/threads.h>
#include <gtest/gtest.h>
#include <nn/attention/additive_attention.h>
#include <nn/layers/gru.h>
#include <nn/layers/lstm.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace fused_test {

using namespace autograd;
using fixtures::message_of;

// With an observer every gradient is made whole, and slices do not add theirs where they belong.
struct Looker : Observer {
  const Node* at = nullptr;  // the op whose gradients are kept
  Grads gradients;
  Grads run(Node& node, const Tensor& dy) override {
    const Grads result = Observer::run(node, dy);
    if (&node == at) gradients = result;
    return result;
  }
};

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && all(a == b);
}

// ---- cross entropy ---------------------------------------------------------------------------------------------

struct Composed {
  static Tensor loss(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options) {
    return nll_loss(log_softmax(x, 1), target, {options.weight, options.ignore_index, options.reduction});
  }
};

void compare_cross_entropy(DType dtype, const CrossEntropyOptions& options) {
  const Tensor values = randn({7, 37}, dtype) * 3.0;
  const Tensor target = ids({0, 36, 5, 5, 2, 17, 9});
  const Tensor fused_x = values.clone().requires_grad_();
  const Tensor composed_x = values.clone().requires_grad_();
  const Tensor fused = cross_entropy(fused_x, target, options);
  const Tensor composed = Composed::loss(composed_x, target, options);
  EXPECT_STREQ(fused.grad_fn()->name(), "cross_entropy");
  EXPECT_TRUE(same(fused, composed));
  const Tensor dy = randn(fused.shape(), dtype);
  fused.backward(dy);
  composed.backward(dy);
  const double tolerance = dtype == float32 ? 1e-6 : 1e-15;
  EXPECT_TRUE(allclose(fused_x.grad(), composed_x.grad(), 0.0, tolerance));
}

TEST(CrossEntropy, EqualsTheLossOfTheLogarithmOfTheSoftmax) {
  for (const DType dtype : {float32, float64}) {
    for (const Reduction reduction : {Reduction::none, Reduction::sum, Reduction::mean}) {
      compare_cross_entropy(dtype, {.reduction = reduction});
      compare_cross_entropy(dtype, {.ignore_index = 5, .reduction = reduction});
      compare_cross_entropy(dtype, {.weight = rand({37}, dtype), .ignore_index = 5, .reduction = reduction});
    }
  }
}

// What is ignored may be NaN, as in padding.
TEST(CrossEntropy, IgnoredScoresHaveNoInfluence) {
  const Tensor values = randn({3, 5}, float64);
  const Tensor target = ids({4, 0, 2});
  const Tensor longer_target = ids({4, 0, 2, -100, -100});
  const Tensor bad = tensor({std::nan(""), std::numeric_limits<double>::infinity()}, float64);
  const Tensor padding = bad.unsqueeze(1).expand({2, 5});
  for (const double smoothing : {0.0, 0.1}) {
    for (const bool in_the_middle : {false, true}) {  // classes in the middle: composed
      const CrossEntropyOptions options{.label_smoothing = smoothing};
      const auto loss = [&](const Tensor& x, const Tensor& wanted) {
        return in_the_middle ? cross_entropy(x.t().unsqueeze(0), wanted.unsqueeze(0), options)
                             : cross_entropy(x, wanted, options);
      };
      const Tensor x = values.clone().requires_grad_();
      const Tensor longer = cat({values, padding}).requires_grad_();
      const Tensor expected = loss(x, target);
      const Tensor y = loss(longer, longer_target);
      EXPECT_NEAR(y.item(), expected.item(), 1e-14);
      const Tensor dx = grad(expected, {x}, {.create_graph = true})[0];
      const Tensor dlonger = grad(y, {longer}, {.create_graph = true})[0];
      EXPECT_TRUE(allclose(dlonger.narrow(0, 0, 3), dx, 1e-14, 1e-15));
      EXPECT_TRUE(fixtures::holds(dlonger.narrow(0, 3, 2), std::vector<double>(10, 0.0)));
      dx.pow(2).sum().backward();
      dlonger.pow(2).sum().backward();
      EXPECT_TRUE(allclose(longer.grad().narrow(0, 0, 3), x.grad(), 1e-13, 1e-15));
      EXPECT_TRUE(fixtures::holds(longer.grad().narrow(0, 3, 2), std::vector<double>(10, 0.0)));
      longer.zero_grad();
      loss(longer, longer_target).backward();
      EXPECT_TRUE(allclose(longer.grad().narrow(0, 0, 3), dx.detach(), 1e-14, 1e-15));
      EXPECT_TRUE(fixtures::holds(longer.grad().narrow(0, 3, 2), std::vector<double>(10, 0.0)));
    }
  }
}

// With smoothing it was composed once, and still is where classes are not the last dim.
TEST(CrossEntropy, WithLabelSmoothingEqualsTheComposedOne) {
  for (const DType dtype : {float32, float64}) {
    for (const Reduction reduction : {Reduction::none, Reduction::sum, Reduction::mean}) {
      for (const Tensor& weight : {Tensor(), rand({1100}, dtype)}) {
        const CrossEntropyOptions options{weight, 5, reduction, 0.1};
        const Tensor target = ids({0, 1099, 5, 5, 2, 17, 9});
        const Tensor x = (randn({7, 1100}, dtype) * 3.0).requires_grad_();
        const Tensor fused = cross_entropy(x, target, options);
        const Tensor composed = cross_entropy(x.unsqueeze(2), target.unsqueeze(1), options).reshape(fused.shape());
        EXPECT_STREQ(fused.grad_fn()->name(), "cross_entropy");
        const double tolerance = dtype == float32 ? 2e-6 : 1e-14;
        EXPECT_TRUE(allclose(fused, composed, tolerance, tolerance));
        const Tensor dy = randn(fused.shape(), dtype);
        const Tensor gradient = grad(fused, {x}, {.grad_output = dy})[0];
        const Tensor recorded = grad(fused, {x}, {.grad_output = dy, .create_graph = true})[0];
        EXPECT_TRUE(allclose(gradient, grad(composed, {x}, {.grad_output = dy})[0], tolerance, tolerance));
        EXPECT_TRUE(allclose(gradient, recorded, tolerance, tolerance));
      }
    }
  }
}

// A score beside which all others vanish: the logarithm of nearly 1 must not be lost.
TEST(CrossEntropy, IsAccurateWhereTheScoresAreLarge) {
  const Tensor x = tensor({10000.0, 9980.0, 0.0}, float64).unsqueeze(0).requires_grad_();
  const Tensor loss = cross_entropy(x, ids({0}));
  EXPECT_NEAR(loss.item() / std::log1p(std::exp(-20.0)), 1.0, 1e-6);
}

// ---- softmax -----------------------------------------------------------------------------------------------------

// The gradient of f in one pass, and that of the formula in tensor ops, which runs where it is recorded.
template <class F> void compare_with_recorded(const Tensor& values, F f) {
  const Tensor x = values.clone().requires_grad_();
  const Tensor y = f(x);
  const Tensor dy = randn(y.shape(), y.dtype());
  const Tensor in_one_pass = grad(y, {x}, {.grad_output = dy})[0];
  const Tensor recorded = grad(y, {x}, {.grad_output = dy, .create_graph = true})[0];
  EXPECT_TRUE(same(in_one_pass, recorded)) << y.grad_fn()->name() << " along " << values.shape().back();
}

TEST(DerivativesInOnePass, HaveTheBitsOfTheFormula) {
  for (const DType dtype : {float32, float64}) {
    for (const std::int64_t n : {1, 2, 3, 7, 8, 17, 33, 100, 511, 512, 513, 1100, 3000}) {
      const Tensor x = randn({3, 2, n}, dtype) * 3.0;
      const Tensor mask = randn({3, 2, n}, dtype) > -0.5;
      compare_with_recorded(x, [](const Tensor& t) { return softmax(t, -1); });
      compare_with_recorded(x, [](const Tensor& t) { return log_softmax(t, -1); });
      compare_with_recorded(x, [&](const Tensor& t) { return masked_softmax(t, mask); });
      compare_with_recorded(x, [](const Tensor& t) { return softmax(t, 1); });
      compare_with_recorded(x, [](const Tensor& t) { return sigmoid(t); });
    }
  }
}

// ---- gradients that are 0 almost everywhere ----------------------------------------------------------------------

// Every step takes a slice of the sequence, and the whole of it is used too.
Tensor loop_over_slices(const Tensor& sequence, const Tensor& weights) {
  Tensor state = zeros({2}, float64);
  for (std::int64_t t = 0; t < sequence.size(1); ++t) state = tanh(state * 0.5 + sequence.select(1, t));
  const Tensor ends = slice(sequence, 1, {0, Slice::to_end, 2}).sum() + sequence.narrow(0, 1, 1).pow(2).sum();
  const Tensor rows = embedding(weights, ids({3, 0, 3, 1}), 0);
  return state.sum() + ends + (sequence * sequence).sum() + rows.pow(2).sum();
}

TEST(SparseGradients, EqualThoseThatAreWrittenWhole) {
  const Tensor sequence = randn({2, 5}, float64).requires_grad_();
  const Tensor weights = randn({4, 3}, float64).requires_grad_();
  const Tensor loss = loop_over_slices(sequence, weights);
  loss.backward();
  const Tensor in_place = sequence.grad().clone();
  const Tensor in_place_weights = weights.grad().clone();
  sequence.zero_grad();
  weights.zero_grad();
  {
    Looker looker;
    const ObserverGuard guard(looker);
    loss.backward();
  }
  EXPECT_TRUE(same(in_place, sequence.grad()));
  EXPECT_TRUE(same(in_place_weights, weights.grad()));
  const std::vector<Tensor> both = grad(loss, {sequence, weights});
  EXPECT_TRUE(same(in_place, both[0]));
  EXPECT_TRUE(same(in_place_weights, both[1]));
}

// What arrived first may be somebody else's tensor: the gradient passed to backward(), or that of the other operand.
TEST(SparseGradients, AreNotAddedToMemoryOfOthers) {
  const Tensor x = randn({3}, float64).requires_grad_();
  const Tensor y = x * 2.0;
  const Tensor given = ones({3}, float64);
  backward({y, y.select(0, 1)}, {given, ones({}, float64)});
  EXPECT_TRUE(fixtures::holds(given, {1, 1, 1}));
  EXPECT_TRUE(fixtures::holds(x.grad(), {2, 4, 2}));
}

TEST(SparseGradients, AreWholeForAnObserver) {
  const Tensor x = randn({3}, float64).requires_grad_();
  const Tensor part = (x * 2.0).select(0, 2);
  Looker looker;
  const ObserverGuard guard(looker);
  looker.at = part.grad_fn();
  part.backward();
  EXPECT_TRUE(fixtures::holds(looker.gradients[0], {0, 0, 1}));
}

// ---- a weight that many steps share --------------------------------------------------------------------------

// The gradient of a weight [out, in] that three products use, each of so many rows.
Tensor gradient_of_shared_weight(DType dtype, std::int64_t rows, std::int64_t out, std::int64_t in) {
  manual_seed(7);
  const Tensor weight = randn({out, in}, dtype).requires_grad_();
  Tensor loss = zeros({}, dtype);
  for (int step = 0; step < 3; ++step) {
    const Tensor x = randn({rows, in}, dtype);
    const Tensor dy = randn({rows, out}, dtype);
    loss = loss + (linear(x, weight) * dy).sum();
  }
  loss.backward();
  return weight.grad();
}

TEST(SharedWeights, AddUpAsTensorsOfEachStepWould) {
  const std::int64_t sizes[][3] = {{2, 3, 5}, {1, 1, 9}, {5, 9, 1}, {80, 130, 270}, {256, 40, 50}, {257, 40, 50}};
  for (const DType dtype : {float32, float64}) {
    for (const auto& [rows, out, in] : sizes) {
      const Tensor added = gradient_of_shared_weight(dtype, rows, out, in);
      Looker looker;
      const ObserverGuard guard(looker);
      EXPECT_TRUE(same(added, gradient_of_shared_weight(dtype, rows, out, in))) << rows << " " << out << " " << in;
    }
  }
}

TEST(SharedWeights, ShowAnObserverTheGradientOfEachStep) {
  const Tensor weight = ones({2, 2}, float64).requires_grad_();
  const Tensor first = linear(tensor({{1, 2}}, float64), weight);
  const Tensor second = linear(tensor({{3, 4}}, float64), weight);
  Looker looker;
  const ObserverGuard guard(looker);
  looker.at = first.grad_fn();
  (first + second).sum().backward();
  EXPECT_TRUE(fixtures::holds(looker.gradients[1], {1, 2, 1, 2}));
  EXPECT_TRUE(fixtures::holds(weight.grad(), {4, 6, 4, 6}));
}

// ---- the gates of recurrent layers ---------------------------------------------------------------------------------

struct Trained {
  Tensor output;
  std::vector<Tensor> gradients;
};

// A GRU or an LSTM, and the gradients of everything.
template <class Network>
Trained run_network(const Network& network, const Tensor& x, const std::vector<std::int64_t>& lengths) {
  const Tensor input = x.clone().requires_grad_();
  for (const Tensor& parameter : network.parameters()) parameter.zero_grad();
  const auto result = network(input, {}, lengths);
  (result.output.pow(2).sum() + result.state.sum()).backward();
  Trained trained{result.output, {input.grad()}};
  for (const Tensor& parameter : network.parameters()) trained.gradients.push_back(parameter.grad());
  return trained;
}

// Three steps of a cell, and the gradients of everything.
template <class Cell> std::vector<Tensor> run_cell(const Cell& cell, const Tensor& x) {
  const Tensor input = x.clone().requires_grad_();
  for (const Tensor& parameter : cell.parameters()) parameter.zero_grad();
  auto state = cell(input[0]);
  for (std::int64_t t = 1; t < 3; ++t) state = cell(input[t], state);
  Tensor hidden;
  if constexpr (std::is_same_v<decltype(state), Tensor>) {
    hidden = state;
  } else {
    hidden = state.hidden;
  }
  hidden.pow(2).sum().backward();
  std::vector<Tensor> results = {hidden, input.grad()};
  for (const Tensor& parameter : cell.parameters()) results.push_back(parameter.grad());
  return results;
}

template <class Cell> void compare_gates_with_ops(DType dtype) {
  const Cell cell({.input_size = 4, .hidden_size = 37, .dtype = dtype});
  const Tensor x = randn({3, 2, 4}, dtype);
  const std::vector<Tensor> fused = run_cell(cell, x);
  const FormulaGuard formulas;
  const std::vector<Tensor> composed = run_cell(cell, x);
  for (std::size_t i = 0; i < fused.size(); ++i) EXPECT_TRUE(same(fused[i], composed[i])) << i;
}

TEST(GruGates, EqualTheOpsThatTheyAreMadeOfToTheBit) {
  compare_gates_with_ops<nn::GRUCell>(float32);
  compare_gates_with_ops<nn::GRUCell>(float64);
}

TEST(LstmGates, EqualTheOpsThatTheyAreMadeOfToTheBit) {
  compare_gates_with_ops<nn::LSTMCell>(float32);
  compare_gates_with_ops<nn::LSTMCell>(float64);
}

TEST(GruGates, AreOneOpUnlessAnInstrumentLooksOn) {
  const nn::GRUCell cell({.input_size = 2, .hidden_size = 3});
  EXPECT_STREQ(cell(randn({1, 2})).grad_fn()->name(), "gru_gates");
  Looker looker;
  const ObserverGuard guard(looker);
  EXPECT_STREQ(cell(randn({1, 2})).grad_fn()->name(), "add");
}

TEST(GruGates, RefuseWhatDoesNotFit) {
  const Tensor products = randn({2, 9});
  message_of(ErrorId::shape_mismatch, [&] { gru_gates(products, products, randn({2, 2})); });
  message_of(ErrorId::shape_mismatch, [&] { gru_gates(products, randn({2, 6}), randn({2, 3})); });
  message_of(ErrorId::shape_mismatch, [&] { gru_gates(products, products, randn({3})); });
  message_of(ErrorId::dtype_mismatch, [&] { gru_gates(products, products, randn({2, 3}, float64)); });
}

TEST(LstmGates, AreOneOpUnlessAnInstrumentLooksOn) {
  const nn::LSTMCell cell({.input_size = 2, .hidden_size = 3});
  const Tensor fused = cell(randn({1, 2})).hidden;
  EXPECT_STREQ(fused.grad_fn()->inputs[0]->name(), "lstm_gates");
  Looker looker;
  const ObserverGuard guard(looker);
  const Tensor composed = cell(randn({1, 2})).hidden;
  EXPECT_STREQ(composed.grad_fn()->inputs[0]->name(), "cat");
}

TEST(LstmGates, RefuseWhatDoesNotFit) {
  const Tensor products = randn({2, 12});
  message_of(ErrorId::shape_mismatch, [&] { lstm_gates(products, products, randn({2, 2})); });
  message_of(ErrorId::shape_mismatch, [&] { lstm_gates(products, randn({2, 9}), randn({2, 3})); });
  message_of(ErrorId::shape_mismatch, [&] { lstm_gates(products, products, randn({3})); });
  message_of(ErrorId::dtype_mismatch, [&] { lstm_gates(products, products, randn({2, 3}, float64)); });
}

// ---- whole recurrent layers ------------------------------------------------------------------------------------------

// The numbers of the states are those of the steps to the bit; the weights' gradients are summed in another order.
template <class Network>
void compare_layer_with_steps(nn::RecurrentOptions options, std::int64_t batch, std::int64_t time,
                              const std::vector<std::int64_t>& lengths) {
  options.input_size = 4;
  const Network network(options);
  const Tensor x =
      options.batch_first ? randn({batch, time, 4}, options.dtype) : randn({time, batch, 4}, options.dtype);
  const Trained at_once = run_network(network, x, lengths);
  const FormulaGuard formulas;
  const Trained one_by_one = run_network(network, x, lengths);
  EXPECT_TRUE(same(at_once.output, one_by_one.output));
  const double tolerance = options.dtype == float32 ? 1e-5 : 1e-13;
  for (std::size_t i = 0; i < at_once.gradients.size(); ++i) {
    EXPECT_TRUE(allclose(at_once.gradients[i], one_by_one.gradients[i], tolerance, tolerance)) << i;
  }
}

template <class Network> void compare_layers_with_steps() {
  const std::vector<std::int64_t> all_but_one_padded{4, 1, 1, 1, 1, 1, 1};
  for (const DType dtype : {float32, float64}) {
    for (const bool batch_first : {false, true}) {
      const nn::RecurrentOptions options{.batch_first = batch_first, .dtype = dtype};
      nn::RecurrentOptions sized = options;
      for (const std::int64_t hidden : {1, 5, 37}) {
        sized.hidden_size = hidden;
        compare_layer_with_steps<Network>(sized, 1, 1, {});
        compare_layer_with_steps<Network>(sized, 1, 4, {3});
        compare_layer_with_steps<Network>(sized, 7, 4, all_but_one_padded);
        compare_layer_with_steps<Network>(sized, 33, 2, {});
      }
      sized.bidirectional = true;
      sized.num_layers = 2;
      compare_layer_with_steps<Network>(sized, 6, 5, {2, 5, 1, 1, 4, 3});
      compare_layer_with_steps<Network>(sized, 6, 5, {5, 4, 3, 3, 2, 1});
      compare_layer_with_steps<Network>(sized, 12, 4, {4, 4, 3, 1, 1, 2, 4, 1, 2, 2, 1, 1});
      sized.bias = false;
      compare_layer_with_steps<Network>(sized, 9, 3, {});
    }
  }
}

TEST(GruLayer, EqualsItsSteps) {
  compare_layers_with_steps<nn::GRU>();
}

TEST(LstmLayer, EqualsItsSteps) {
  compare_layers_with_steps<nn::LSTM>();
}

// With other inputs than a network has.
struct Layer {
  bool is_lstm = false;
  std::vector<Tensor> inputs;
  RecurrentLayerOptions options = {};

  Layer(bool lstm, std::int64_t time, std::int64_t batch, std::int64_t hidden, DType dtype) : is_lstm(lstm) {
    const std::int64_t rows = (lstm ? 4 : 3) * hidden;
    inputs.push_back(randn({time, batch, rows}, dtype));
    inputs.push_back(randn({batch, hidden}, dtype));
    if (lstm) inputs.push_back(randn({batch, hidden}, dtype));
    inputs.push_back(randn({rows, hidden}, dtype) * 0.1);
    inputs.push_back(randn({rows}, dtype));
    for (Tensor& input : inputs) input.requires_grad_();
  }

  Tensor states() const {
    const std::vector<Tensor>& x = inputs;
    return is_lstm ? lstm_layer(x[0], x[1], x[2], x[3], x[4], options) : gru_layer(x[0], x[1], x[2], x[3], options);
  }

  std::vector<Tensor> gradients(const Tensor& dy, bool create_graph = false) const {
    return grad(states(), inputs, {.grad_output = dy, .create_graph = create_graph});
  }
};

bool all_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}
// The tape adds in another order than the kernel.
bool all_close(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& one, const Tensor& other) {
    const double tolerance = one.dtype() == float32 ? 1e-5 : 1e-13;
    return allclose(one, other, tolerance, tolerance);
  });
}

// The loop of the kernel, and that of the formulas which can be differentiated again.
TEST(RecurrentLayers, GiveTheSameGradientsInOnePassAndInOps) {
  for (const bool is_lstm : {false, true}) {
    for (const DType dtype : {float32, float64}) {
      for (const bool reverse : {false, true}) {
        Layer layer(is_lstm, 5, 10, 100, dtype);  // large enough for packed weights, and for several blocks
        layer.options.reverse = reverse;
        const Tensor dy = randn(layer.states().shape(), dtype);
        EXPECT_TRUE(all_close(layer.gradients(dy), layer.gradients(dy, true)));
        layer.options.lengths = {5, 3, 1, 4, 2, 5, 1, 2, 4, 1};
        EXPECT_TRUE(all_close(layer.gradients(dy), layer.gradients(dy, true)));
      }
    }
  }
}

TEST(RecurrentLayers, GiveTheSameBitsForAnyNumberOfThreads) {
  for (const bool is_lstm : {false, true}) {
    Layer layer(is_lstm, 3, 37, 128, float32);
    layer.options.lengths = std::vector<std::int64_t>(37, 2);
    layer.options.lengths[9] = 3;
    const Tensor dy = randn(layer.states().shape());
    const Tensor states = layer.states();
    const std::vector<Tensor> gradients = layer.gradients(dy);
    for (const int threads : {2, 3, 5}) {
      set_num_threads(threads);
      EXPECT_TRUE(same(layer.states(), states)) << threads;
      EXPECT_TRUE(all_same(layer.gradients(dy), gradients)) << threads;
    }
    set_num_threads(1);
  }
}

// What lies beyond the end has no influence, and gets no gradient.
TEST(RecurrentLayers, DoNotReadThePadding) {
  for (const bool is_lstm : {false, true}) {
    for (const bool reverse : {false, true}) {
      Layer layer(is_lstm, 4, 10, 20, float64);
      layer.options = {.lengths = {4, 1, 3, 2, 1, 1, 2, 3, 2, 1}, .reverse = reverse};
      const Tensor dy = randn(layer.states().shape(), float64);
      const Tensor states = layer.states();
      const std::vector<Tensor> gradients = layer.gradients(dy);
      const Tensor padding = logical_not(length_mask(layer.options.lengths)).t().unsqueeze(-1);  // [time, batch, 1]
      layer.inputs[0] = layer.inputs[0].detach().masked_fill(padding, std::nan("")).requires_grad_();
      EXPECT_TRUE(same(layer.states(), states));
      EXPECT_TRUE(all_same(layer.gradients(dy), gradients));
      EXPECT_EQ(gradients[0].masked_fill(logical_not(padding), 0.0).abs().amax().item(), 0.0);
    }
  }
}

TEST(RecurrentLayers, GiveGradientsOnlyToThoseThatTakeOne) {
  for (const bool is_lstm : {false, true}) {
    Layer layer(is_lstm, 3, 2, 4, float64);
    const std::vector<Tensor> all = layer.gradients(ones_like(layer.states()));
    for (std::size_t i = 0; i < layer.inputs.size(); ++i) {
      Layer one = layer;
      for (Tensor& input : one.inputs) input = input.detach();
      one.inputs[i].requires_grad_();
      one.states().sum().backward();
      EXPECT_TRUE(same(one.inputs[i].grad(), all[i])) << i;
    }
  }
}

TEST(RecurrentLayers, GiveTheSameStatesWhereNoGradientIsWanted) {
  for (const bool is_lstm : {false, true}) {
    const Layer layer(is_lstm, 6, 8, 24, float32);
    const Tensor recorded = layer.states();
    const NoGradGuard no_grad;
    EXPECT_TRUE(same(layer.states(), recorded));
  }
}

TEST(RecurrentLayers, NoticeThatTheirWeightsWereOverwritten) {
  std::vector<std::string> said;
  for (const bool is_lstm : {false, true}) {
    const Layer layer(is_lstm, 3, 2, 4, float32);
    const Tensor loss = layer.states().sum();
    layer.inputs[layer.inputs.size() - 2].detach().zero_();
    const std::string message = message_of(ErrorId::in_place_clobber, [&] { loss.backward(); });
    said.push_back(message);
  }
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

TEST(GruLayer, RefusesWhatDoesNotFit) {
  const Tensor x = randn({3, 2, 12});
  const Tensor h = randn({2, 4});
  const Tensor w = randn({12, 4});
  const Tensor b = randn({12});
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(randn({2, 12}), h, w, b); });
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(randn({0, 2, 12}), h, w, b); });
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(randn({3, 2, 4}), h, w, b); });
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(x, randn({3, 4}), w, b); });
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(x, randn({1, 2, 4}), w, b); });
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(x, h, randn({4, 12}), b); });
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(x, h, randn({48}), b); });
  message_of(ErrorId::shape_mismatch, [&] { gru_layer(x, h, w, randn({4})); });
  message_of(ErrorId::dtype_mismatch, [&] { gru_layer(x, h, w, b.to(float64)); });
  message_of(ErrorId::dtype_mismatch, [&] { gru_layer(x, h.to(float64), w, b); });
  message_of(ErrorId::undefined_tensor, [&] { gru_layer(x, Tensor(), w, b); });
  message_of(ErrorId::bad_length, [&] { gru_layer(x, h, w, b, {.lengths = {3}}); });
  message_of(ErrorId::bad_length, [&] { gru_layer(x, h, w, b, {.lengths = {3, 4}}); });
  const std::string message = message_of(ErrorId::bad_length, [&] { gru_layer(x, h, w, b, {.lengths = {0, 3}}); });
  EXPECT_TRUE(fixtures::says("autograd_ops", {message}));
}

TEST(LstmLayer, RefusesWhatDoesNotFit) {
  const Tensor x = randn({3, 2, 16});
  const Tensor h = randn({2, 4});
  const Tensor w = randn({16, 4});
  message_of(ErrorId::shape_mismatch, [&] { lstm_layer(randn({3, 2, 12}), h, h, w); });
  message_of(ErrorId::shape_mismatch, [&] { lstm_layer(x, h, randn({2, 3}), w); });
  message_of(ErrorId::shape_mismatch, [&] { lstm_layer(x, h, h, randn({12, 4})); });
  message_of(ErrorId::dtype_mismatch, [&] { lstm_layer(x, h, h.to(float64), w); });
  message_of(ErrorId::undefined_tensor, [&] { lstm_layer(x, h, Tensor(), w); });
  message_of(ErrorId::bad_length, [&] { lstm_layer(x, h, h, w, Tensor(), {.lengths = {1, 2, 3}}); });
}

// ---- the scores of additive attention -------------------------------------------------------------------------

Tensor scores_by_ops(const Tensor& query, const Tensor& keys, const Tensor& v) {
  const Tensor hidden = tanh(query.unsqueeze(2) + keys.unsqueeze(1));  // [batch, queries, source, n]
  return (hidden * v).sum(-1);
}

void compare_additive_scores(std::int64_t queries, std::int64_t source, std::int64_t n, DType dtype) {
  const std::vector<Tensor> values{randn({3, queries, n}, dtype), randn({3, source, n}, dtype), randn({n}, dtype)};
  const Tensor dy = randn({3, queries, source}, dtype);
  std::vector<Tensor> x, composed_x;
  for (const Tensor& value : values) x.push_back(value.clone().requires_grad_());
  for (const Tensor& value : values) composed_x.push_back(value.clone().requires_grad_());
  const Tensor scores = additive_score(x[0], x[1], x[2]);
  const Tensor composed = scores_by_ops(composed_x[0], composed_x[1], composed_x[2]);
  const double tolerance = dtype == float32 ? 2e-5 : 1e-13;
  EXPECT_TRUE(allclose(scores, composed, 0.0, tolerance));
  scores.backward(dy);
  composed.backward(dy);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(allclose(x[i].grad(), composed_x[i].grad(), 1e-6, tolerance));
  const std::vector<Tensor> recorded =
      grad(additive_score(x[0], x[1], x[2]), x, {.grad_output = dy, .create_graph = true});
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(allclose(x[i].grad(), recorded[i], 1e-6, tolerance));
}

TEST(AdditiveScore, EqualsTheOpsThatItIsMadeOf) {
  for (const DType dtype : {float32, float64}) {
    for (const std::int64_t n : {1, 2, 3, 4, 7, 8, 15, 16, 31, 37, 64, 100}) compare_additive_scores(2, 5, n, dtype);
    compare_additive_scores(1, 40, 37, dtype);
    compare_additive_scores(40, 1, 37, dtype);
  }
}

TEST(AdditiveScore, HasTheSameBitsForAnyNumberOfThreads) {
  const auto run = [](int threads) {
    manual_seed(3);
    set_num_threads(threads);
    const Tensor query = randn({9, 4, 130}).requires_grad_();
    const Tensor keys = randn({9, 11, 130}).requires_grad_();
    const Tensor v = randn({130}).requires_grad_();
    const Tensor scores = additive_score(query, keys, v);
    scores.backward(randn({9, 4, 11}));
    set_num_threads(1);
    return std::vector<Tensor>{scores, query.grad(), keys.grad(), v.grad()};
  };
  const std::vector<Tensor> alone = run(1);
  for (const int threads : {2, 3}) {
    const std::vector<Tensor> together = run(threads);
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(same(alone[i], together[i])) << threads;
  }
}

TEST(AdditiveScore, IsOneOpUnlessAnInstrumentLooksOn) {
  const nn::AdditiveAttention attention({.decoder_dim = 2, .encoder_dim = 3});
  const Tensor query = randn({1, 2});
  const nn::ProjectedKeys source = attention.precompute(randn({1, 4, 3}));
  const bool is_one_op = !runs_formulas();
  EXPECT_STREQ(attention.scores(query, source).grad_fn()->name(), is_one_op ? "additive_score" : "squeeze");
  Looker looker;
  const ObserverGuard guard(looker);
  EXPECT_STREQ(attention.scores(query, source).grad_fn()->name(), "squeeze");
}

struct Attended {
  Tensor context, weights;
  std::vector<Tensor> gradients;
};

Attended attend(const nn::AdditiveAttention& attention, const Tensor& query, const Tensor& encoder_outputs,
                const Tensor& mask) {
  const Tensor query_ = query.clone().requires_grad_();
  const Tensor values = encoder_outputs.clone().requires_grad_();
  attention.zero_grad();
  const auto [context, weights] = attention(query_, values, mask);
  (context.pow(2).sum() + weights.pow(2).sum()).backward();
  Attended result{context, weights, {query_.grad(), values.grad()}};
  for (const Tensor& parameter : attention.parameters()) result.gradients.push_back(parameter.grad());
  return result;
}

TEST(AdditiveScore, GivesAnInstrumentTheSameAttention) {
  const nn::AdditiveAttention attention(
      {.decoder_dim = 3, .encoder_dim = 4, .attention_dim = 21, .bias = true, .dtype = float64});
  const Tensor encoder_outputs = randn({2, 5, 4}, float64);
  for (const Shape& queries : {Shape{2, 3}, Shape{2, 6, 3}}) {
    for (const Tensor& mask : {Tensor(), length_mask({5, 2})}) {
      const Tensor query = randn(queries, float64);
      const Attended alone = attend(attention, query, encoder_outputs, mask);
      Looker looker;
      const ObserverGuard guard(looker);
      const Attended watched = attend(attention, query, encoder_outputs, mask);
      EXPECT_TRUE(allclose(alone.context, watched.context, 1e-13, 1e-14));
      EXPECT_TRUE(allclose(alone.weights, watched.weights, 1e-13, 1e-14));
      for (std::size_t i = 0; i < alone.gradients.size(); ++i) {
        EXPECT_TRUE(allclose(alone.gradients[i], watched.gradients[i], 1e-12, 1e-14)) << i;
      }
    }
  }
}

// It was shown one op in the forward pass, and is shown one in the backward pass.
TEST(FusedOps, HideTheirPartsFromAnInstrumentThatComesLater) {
  struct Names : Observer {
    std::vector<std::string> seen;
    void recorded(Node& node, const Inputs&, const Tensor&) override { seen.emplace_back(node.name()); }
    Grads run(Node& node, const Tensor& dy) override {
      if (!node.is_leaf()) seen.emplace_back(node.name());
      return node.backward(dy);
    }
  };
  const Tensor query = randn({2, 3}).requires_grad_();
  const Tensor y = additive_score(query, randn({2, 4, 3}), randn({3})).sum();
  Names names;
  const ObserverGuard guard(names);
  y.backward();
  EXPECT_EQ(names.seen, (std::vector<std::string>{"sum", "additive_score"}));
}

TEST(AdditiveScore, RefusesWhatDoesNotFit) {
  const Tensor query = randn({2, 3});
  const Tensor keys = randn({2, 4, 3});
  const Tensor v = randn({3});
  message_of(ErrorId::shape_mismatch, [&] { additive_score(randn({3, 3}), keys, v); });
  message_of(ErrorId::shape_mismatch, [&] { additive_score(randn({2, 4}), keys, v); });
  message_of(ErrorId::shape_mismatch, [&] { additive_score(randn({3}), keys, v); });
  message_of(ErrorId::shape_mismatch, [&] { additive_score(query, randn({2, 3}), v); });
  message_of(ErrorId::shape_mismatch, [&] { additive_score(query, keys, randn({4})); });
  message_of(ErrorId::shape_mismatch, [&] { additive_score(query, keys, randn({3, 1})); });
  message_of(ErrorId::dtype_mismatch, [&] { additive_score(query, keys, randn({3}, float64)); });
  message_of(ErrorId::undefined_tensor, [&] { additive_score(query, keys, Tensor()); });
}

}  // namespace fused_test
