//= title: The path of the gradient
//= part: I
//= difficulty: 3
//= minutes: 30
//= after: 36
//= answer: through_time, without_attention, with_attention, factor_per_step, power_of_length
//= mistake not_transposed
//=   question: W_hh takes h_t to h_(t+1). Which matrix takes a gradient the other way?
//=   because: forwards it is W_hh h, backwards W_hh^T d. The matrix is square, so that no shape tells.
//= mistake slope_forgotten
//=   question: Between h_t and h_(t+1) there is a product with W_hh and something else. What does that do to a
//=     gradient?
//=   because: the derivative of the tanh, 1 - h^2, is missing at every step.
//= mistake slope_of_wrong_step
//=   question: Which state came out of the tanh that the gradient passes on its way from step t+1 to step t?
//=   because: h_(t+1) is the output of that tanh; yours takes the slope at h_t.
//= mistake no_recurrence
//=   question: Is the gradient of state 0 really only what it gets directly? Who else used state 0?
//=   because: every state is also the input of the next one; what arrives there has to be passed on.
//= mistake direct_dropped
//=   question: A state in the middle gets a gradient from two sides. Which two?
//=   because: only what comes from the next state was kept; what the loss sends to the state itself must be added.
//= mistake two_steps_only
//=   premise: Yours is right for the last states and too small for the first.
//=   question: How far back does your gradient go?
//=   because: the gradient was cut off after two steps. Every state passes on all that it has got.
//= mistake only_direct_handed_on
//=   question: What has state t + 1 got in all: only what comes directly from the loss?
//=   because: only the direct part of the next state was handed on. What that state has itself got from the one after
//=     it goes on as well, so a gradient comes from all later states.
//= mistake last_state_only_handed_on
//=   question: A state in the middle gets something directly. Where is that seen at the states before it?
//=   because: only what the last state got was carried back. The direct part of each state goes on from there, so a
//=     gradient comes from all later states.
//= mistake direct_changed
//=   question: What is in `direct` after your call?
//=   because: the gradients are right, but they were written into the caller's tensor. A row such as direct[t] is the
//=     same memory.
//= mistake last_gradient_everywhere
//=   question: How many states does a decoder without attention see?
//=   because: d_last was handed to every state. Only the last one is seen by the decoder.
//= mistake keys_forgotten
//=   question: In how many ways does a state take part in attention?
//=   because: only the path as a value was taken, alpha_t g. The state is a key, too: it decides about the weights.
//= mistake attention_is_all
//=   question: With attention every state has a direct connection to the loss. Is that its only one?
//=   because: the states still depend on each other: what attention sends to state t also goes on to the states
//=     before it.
//= mistake logarithm_of_ten
//=   question: If the norm halves with every step, what is your factor?
//=   because: the slope was fitted with logarithms of base 10 and undone with exp. Both must have the same base.
//= mistake exp_forgotten
//=   question: If the norm stays the same at all lengths, what is your factor?
//=   because: the slope of the line is log r. The factor itself is exp of it: 1, not 0, where nothing changes.
//= mistake two_points_only
//=   question: How many of the measured norms does your result depend on?
//=   because: it was computed from the first and the last norm; the line that fits best takes all of them.
//= mistake below_not_centred
//=   question: What stands below the line of the slope: squares of x, or squares of x - mean x?
//=   because: the mean of x is missing below the line, so the slope comes out too small.
//= mistake lengths_doubled
//=   question: Which lengths does your power belong to: those that you were given, or 4, 8, 16, ..?
//=   because: the lengths of the text's table were put in place of the ones that were given.
//= mistake small_norms_lifted
//=   question: How small is the smallest norm in the text's table? What do you make of it?
//=   because: norms below a bound were replaced by it, or something was added to all. No norm here is 0, and the
//=     logarithm of 3e-21 is a number like any other.
//= mistake line_through_zero
//=   question: What norm does your line give for length 0? Does c appear in your fit?
//=   because: the line was forced through (0, 0). Subtract the means first: c is free.
//= mistake length_without_log
//=   question: norm = c length^p. What is log norm as a function of log length, and what as a function of length?
//=   because: for a power both axes are logarithmic. Yours is the slope against the length itself.
//= equal mutant: total.back() = direct[ - 1];
//=   because: -1 is the last one.

#include "given.h"

Tensor through_time(const Tensor& direct, const Tensor& states, const Tensor& weight_hh) {
  //[
  //- // TODO: from the last state to the first. What does a state get besides its direct part?
  //- todo("through_time: the gradient of every state");
  const std::int64_t time = states.size(0);
  std::vector<Tensor> total(static_cast<std::size_t>(time));
  total.back() = direct[time - 1];
  //~ last_state_only_handed_on | Tensor carried = direct[time - 1];
  //~ last_state_only_handed_on | total.back() = carried;
  for (std::int64_t t = time - 2; t >= 0; --t) {
    const auto here = static_cast<std::size_t>(t);
    const Tensor next = states[t + 1];
    //~ slope_of_wrong_step | const Tensor next = states[t];
    const Tensor d_sum = total[here + 1] * (1.0 - next * next);
    //~ slope_forgotten | const Tensor d_sum = total[here + 1];
    //~ last_state_only_handed_on | const Tensor d_sum = carried * (1.0 - next * next);
    //~ last_state_only_handed_on | carried = matmul(d_sum, weight_hh);
    //~ only_direct_handed_on | const Tensor d_sum = direct[t + 1] * (1.0 - next * next);
    //~ two_steps_only | const Tensor from = t + 3 < time ? direct[t + 1] : total[here + 1];
    //~ two_steps_only | const Tensor d_sum = from * (1.0 - next * next);
    total[here] = direct[t] + matmul(d_sum, weight_hh);  // a row times W is W^T times a column
    //~ direct_changed | direct[t].add_(matmul(d_sum, weight_hh));
    //~ direct_changed | total[here] = direct[t];
    //~ not_transposed | total[here] = direct[t] + matmul(weight_hh, d_sum);
    //~ no_recurrence | total[here] = direct[t];
    //~ direct_dropped | total[here] = matmul(d_sum, weight_hh);
  }
  return autograd::stack(total);
  //]
}

Tensor without_attention(const Tensor& d_last, const Tensor& states, const Tensor& weight_hh) {
  //[
  //- // TODO: what each state gets directly, then through time.
  //- todo("without_attention: the gradients of all states");
  const Tensor is_last = autograd::arange(states.size(0), autograd::int64) == states.size(0) - 1;
  //~ last_gradient_everywhere | const Tensor is_last = autograd::arange(states.size(0), autograd::int64) >= 0;
  return through_time(is_last.to(autograd::float64).unsqueeze(1) * d_last, states, weight_hh);
  //]
}

Tensor with_attention(const Tensor& d_context, const Tensor& query, const Tensor& states,
                      const AttentionWeights& weights, const Tensor& weight_hh) {
  //[
  //- // TODO: the same with what given::attention_backward sends to each state.
  //- todo("with_attention: the gradients of all states");
  const Tensor direct = given::attention_backward(d_context, query, states, weights);
  //~ keys_forgotten | const Tensor direct = given::attention(query, states, weights).unsqueeze(1) * d_context;
  return through_time(direct, states, weight_hh);
  //~ attention_is_all | return direct;
  //]
}

//- // The slope of the least-squares line: sum of (x - mean x)(y - mean y) / sum of (x - mean x)^2.
//[
static double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / count;
  //~ line_through_zero |
  double above = 0.0;
  double below = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    above += (x[i] - mean_x) * y[i];  // the mean of y would add nothing, since these deviations add up to 0
    below += (x[i] - mean_x) * x[i];
    //~ below_not_centred | below += x[i] * x[i];
  }
  return above / below;
}

static std::vector<double> logs(const std::vector<double>& x) {
  std::vector<double> result;
  for (const double value : x) result.push_back(std::log(value));
  //~ small_norms_lifted | for (const double value : x) result.push_back(std::log(std::max(value, 1e-12)));
  return result;
}

//]
double factor_per_step(const std::vector<double>& lengths, const std::vector<double>& norms) {
  //[
  //- // TODO: fit log norm = log c + length log r.
  //- todo("factor_per_step: by how much the gradient changes per step");
  return std::exp(slope(lengths, logs(norms)));
  //~ two_points_only | return std::pow(norms.back() / norms.front(), 1.0 / (lengths.back() - lengths.front()));
  //~ exp_forgotten | return slope(lengths, logs(norms));
  //~ logarithm_of_ten | return std::exp(slope(lengths, logs(norms)) / std::log(10.0));
  //]
}

double power_of_length(const std::vector<double>& lengths, const std::vector<double>& norms) {
  //[
  //- // TODO: fit log norm = log c + p log length.
  //- todo("power_of_length: with which power of the length the gradient changes");
  return slope(logs(lengths), logs(norms));
  //~ two_points_only | return std::log(norms.back() / norms.front()) / std::log(lengths.back() / lengths.front());
  //~ lengths_doubled | std::vector<double> doubled;
  //~ lengths_doubled | for (std::size_t i = 0; i < lengths.size(); ++i) doubled.push_back(std::exp2(i + 2.0));
  //~ lengths_doubled | return slope(logs(doubled), logs(norms));
  //~ length_without_log | return slope(lengths, logs(norms));
  //]
}
