// What is given in exercise 45: a score of four forms, a GRU step, the additive score, and the functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

// How well a query q [state] and a key h_j [encoder] fit (Luong, Pham and Manning 2015, section 3.1, and Vaswani et al.
// 2017, section 3.2.1, for the scaled one).
enum class Form {
  dot,         // q . h_j                    state = encoder
  scaled_dot,  // q . h_j / sqrt(state)      state = encoder
  general,     // q . (weight h_j)           weight [state, encoder]
  concat,      // v . tanh(weight [q; h_j])  weight [attention, state + encoder], v [attention]
};

struct Score {
  Form form = Form::dot;
  Tensor weight = Tensor();  // of general and concat
  Tensor v = Tensor();       // of concat
};

// d_query = dL/d(query), and so on.
struct GeneralGradients {
  Tensor d_query;   // [batch, state]
  Tensor d_H;       // [batch, source, encoder]
  Tensor d_weight;  // [state, encoder]
};

struct Gru {
  Tensor weight_ih;  // [3 state, word]
  Tensor weight_hh;  // [3 state, state]
};

// x [batch, word], state [batch, state] -> the next state [batch, state]
inline Tensor gru_step(const Tensor& x, const Tensor& state, const Gru& gru) {
  const std::vector<Tensor> from_x = linear(x, gru.weight_ih).chunk(3, 1);
  const std::vector<Tensor> from_state = linear(state, gru.weight_hh).chunk(3, 1);
  const Tensor r = sigmoid(from_x[0] + from_state[0]);
  const Tensor z = sigmoid(from_x[1] + from_state[1]);
  const Tensor n = tanh(from_x[2] + r * from_state[2]);
  return (1.0 - z) * n + z * state;
}

struct LuongDecoder {
  Score score;
  Gru gru;
  Tensor combine;  // [state, encoder + state]: its input is [context; state]
};

struct StepInput {
  Tensor word;   // [batch, word]
  Tensor state;  // [batch, state]: before the step
  Tensor H;      // [batch, source, encoder]
  Tensor mask;   // [batch, source], true where there is a word
};

struct LuongStep {
  Tensor state;        // [batch, state]: after the step
  Tensor weights;      // [batch, source]
  Tensor context;      // [batch, encoder]
  Tensor attentional;  // [batch, state]: what the word is read out from
};

// e_j = v . tanh(W q + U h_j + bias): concat with a bias, its weight cut in two.
struct AdditiveWeights {
  Tensor W;     // [attention, state]
  Tensor U;     // [attention, encoder]
  Tensor bias;  // [attention]
  Tensor v;     // [attention]
};

}  // namespace given

using given::AdditiveWeights;
using given::Form;
using given::GeneralGradients;
using given::Gru;
using given::gru_step;
using given::LuongDecoder;
using given::LuongStep;
using given::Score;
using given::StepInput;

// The scores of all source positions [batch, source], before mask and softmax.  query [batch, state],
// H [batch, source, encoder]
Tensor scores(const Score& score, const Tensor& query, const Tensor& H);

// The gradients of the general form, given d_scores [batch, source]. weight [state, encoder]
GeneralGradients general_backward(const Tensor& d_scores, const Tensor& query, const Tensor& H, const Tensor& weight);

// One step in Luong's order.
LuongStep luong_step(const StepInput& in, const LuongDecoder& decoder);

// Additive weights whose scores are nearly (W_q q) . (W_k h_j) / sqrt(features), the more nearly the smaller epsilon
// is. W_q [features, state], W_k [features, encoder]
AdditiveWeights additive_like_dot(const Tensor& W_q, const Tensor& W_k, double epsilon);

struct Answer {
  decltype(&::scores) scores;
  decltype(&::general_backward) general_backward;
  decltype(&::luong_step) luong_step;
  decltype(&::additive_like_dot) additive_like_dot;
};
