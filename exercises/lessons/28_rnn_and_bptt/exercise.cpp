//= title: RNN and backprop through time
//= part: E
//= difficulty: 2
//= minutes: 25
//= after: 19
//= fast track
//= answer: rnn_forward, rnn_backward
//= not: backward
//= mistake state_not_carried
//=   premise: Your first state is right, the later ones are not.
//=   question: Which state does the third step start from?
//=   because: every step starts from h0 instead of from the state before it. Such a network has no memory:
//=     states[2] does not depend on x[0].
//= mistake tanh_forgotten
//=   question: Can an entry of your states be above 1? Between which numbers does tanh stay?
//=   because: the state is the sum itself, without tanh. Over {time} steps it can grow without bound.
//= mistake bias_twice_forward
//=   premise: With a bias of 0 your states would be right.
//=   question: How many biases does a step have here, and how often do you add each?
//=   because: a step here has one bias, and you add it twice: with the input, and with the state.
//= mistake bias_forgotten_forward
//=   premise: With a bias of 0 your states would be right.
//=   question: What does a step give for an input of zeros and a state of zeros?
//=   because: tanh(bias): the bias is missing in your sum.
//= mistake forward_not_transposed
//=   premise: Your states are right at no step, though the shapes fit.
//=   question: weight_ih is [hidden, input], and its second index is summed with that of x. Which index of weight_hh
//=     is summed with that of the state?
//=   because: weight_hh is square, so the shapes do not show it. Like weight_ih it is [to, from]: h weight_hh^T.
//= mistake no_bptt
//=   premise: Your gradients are right with T = 1, and the last step is right with any T.
//=   question: What reaches h[t] besides d_states[t]?
//=   because: h[t] is used twice: from outside, and by step t + 1. The second gradient, which comes back through
//=     weight_hh, is missing: without it there is no backprop through time.
//= mistake walked_forwards
//=   question: Before you go back through a step, what must have arrived at the state that it made?
//=   because: your loop goes from the first step to the last. What the next step sends back is known only after that
//=     step: the last one comes first.
//= mistake only_last_step
//=   premise: Your gradients are right if only d_states of the last step is not 0.
//=   question: Here {time} states are used outside: where do the other gradients enter?
//=   because: you let d_states in at the last step only. Where every state is used (attention looks at all of
//=     them), something arrives at each, and is added to what comes from the step after it.
//= mistake one_step_back
//=   premise: Your gradients are right at the last two steps, and something is missing before.
//=   question: Is what you send back from step t made of all that arrived at h[t]?
//=   because: you send back the part that came from outside, d_states[t], without what came back from step t + 1. So
//=     each state hears from the next step, and from none beyond it.
//= mistake truncated
//=   premise: Your gradients are right at the last two steps, and something is missing before.
//=   question: How far back can step {time} of {time} be felt?
//=   because: what goes back is cut after every second step, as if the state were detached there. Truncating is a
//=     known trick to save memory, but what it gives is not the gradient.
//= mistake truncated_far_back
//=   premise: Your gradients are right over {time} steps, but not over 100.
//=   question: How far back does your loop carry what a late step sends?
//=   because: what goes back is cut every 20 steps, as if the state were detached there. Truncating is a known trick to
//=     save memory, but what it gives is not the gradient: the first step can be felt in the last.
//= mistake weights_overwritten
//=   premise: Your weight gradients are what one step alone gives, and right with T = 1.
//=   question: In how many of the {time} steps are the weights used?
//=   because: the same weights are used at every step, so the gradients of all steps are added. With `=` in the loop
//=     the last step to run, t = 0, is what remains.
//= mistake not_transposed
//=   premise: Your dx is right at the last step only, though all shapes fit.
//=   question: With which factor does h[t - 1, j] enter a[t, i]?
//=   because: a[t, i] contains weight_hh[i, j] h[t - 1, j], so dh[t - 1, j] is the sum over i of da[t, i]
//=     weight_hh[i, j]: da times weight_hh, without another transpose. The matrix is square, so the shapes do not
//=     show it.
//= mistake state_after
//=   question: Look at your d_weight_hh: which state did weight_hh multiply at step t?
//=   because: weight_hh multiplies the state *before* the step, h[t - 1], and h0 at the first. You took h[t], which
//=     that product has yet to make.
//= mistake h0_forgotten
//=   question: Your d_weight_hh is wrong even with T = 1. Which product with weight_hh was made in the first step?
//=   because: the first step multiplies weight_hh with h0, and its part da[0]^T h0 is missing. It is 0 only if h0
//=     is.
//= mistake last_state_before_the_first
//=   question: Your d_weight_hh is wrong even with T = 1. Which state is states[t - 1] when t is 0?
//=   because: states[-1] is the last one: a negative index counts from the end. The state before the first step is
//=     h0.
//= mistake dh0_is_zero
//=   question: Your dh0 is 0 everywhere. Does the loss not change when the state before the first step does?
//=   because: h0 is to step 0 what h[0] is to step 1. What goes back to the state before, in the last round of the
//=     loop, is the gradient of h0.
//= mistake slope_of_sigmoid
//=   question: Where a state is 0, tanh is at its steepest. How large is your factor there?
//=   because: h (1 - h) is the slope of a sigmoid, and negative where h is. The slope of tanh is 1 - h^2.
//= mistake carried_past_tanh
//=   premise: Your da is right at the last step only.
//=   question: Of the two parts of dh, which one goes through tanh's slope in your code?
//=   because: h[t] is one number, and all that arrives at it, from outside and from step t + 1, goes through the tanh
//=     that made it. You add what comes from step t + 1 after the slope.
//= mistake no_tanh_derivative
//=   question: Your gradients go through the sum a[t], but not through tanh. What is its derivative where the state
//=     is near 1?
//=   because: da = dh (1 - h^2). Without this factor all gradients are too large, most where the unit is saturated
//=     and hardly anything should come through.
//= mistake tanh_derivative_at_state_before
//=   question: Which tanh made h[t], and at which state must you take its derivative 1 - h^2?
//=   because: you took 1 - h[t - 1]^2. Tanh's derivative in terms of its output uses the output of that same step,
//=     h[t].
//= mistake tanh_twice
//=   question: states have already been through tanh. What does 1 - tanh(h)^2 apply for a second time?
//=   because: 1 - tanh(a)^2 is 1 - h^2. You applied tanh to h once more, so your factor is too close to 1.
//= mistake square_forgotten
//=   question: Your factor 1 - h can be above 1. Can tanh's slope be above 1?
//=   because: tanh' = 1 - h^2, which is between 0 and 1. 1 - h is up to 2 for negative states.
//= mistake around_tanh
//=   premise: Your dx is right at the last step only.
//=   question: What does the gradient go through first on its way from h[t] to h[t - 1], tanh or weight_hh?
//=   because: what goes back to h[t - 1] is da weight_hh, after tanh's derivative. You send dh weight_hh, past the
//=     tanh.
//= mistake piled_up
//=   premise: Your dx is right at the last two steps, and too much comes back before them.
//=   question: Which steps use h[t] directly?
//=   because: only step t + 1 does. You add to what came before, so gradients that belong to later states arrive a
//=     second time. dh is new at every step; only the weights' gradients add up.
//= mistake first_step_skipped
//=   question: Your dx is 0 at t = 0. For which t does your loop run?
//=   because: it stops before t = 0. (With an unsigned t, `t >= 0` is always true and the loop never ends; a signed
//=     t, such as std::int64_t, may reach -1.)
//= mistake silent_steps_skipped
//=   question: The loss reads the last state only. What arrives at the states before it, and from where?
//=   because: a step at which d_states is zero was skipped. What comes back from the later steps goes through it all
//=     the same.
//= mistake h0_one_step_short
//=   question: Your dh0 is what arrives at h[0] from step 1. Through what does h0 go to become h[0]?
//=   because: h0 is the state *before* the first step. Its gradient has to go through tanh and weight_hh of step 0
//=     as well.
//= mistake dh0_is_dh
//=   question: Your dh0 is all that arrives at h[0]. Through what does h0 go to become h[0]?
//=   because: h0 is the state *before* the first step. What arrives at h[0] has to go through tanh and weight_hh of
//=     step 0 as well.
//= mistake dx_in_reverse
//=   premise: Your dx has the right numbers at the wrong times.
//=   question: In which order does your loop make them?
//=   because: the loop runs from the last step to the first, and dx[0] is made last. Appended to a list one after
//=     another, they are in reverse order.
//= mistake changes_upstream
//=   question: Whose memory does your += write to?
//=   because: d_states[t] is a view: adding to it in place changes d_states itself, which the caller still needs. A
//=     second run on the same d_states gives different numbers.
//= mistake bias_mean
//=   question: Your d_bias is exactly 1/{batch} of the expected one. How many rows used the bias in each step?
//=   because: all {batch} rows of all {time} steps add the same bias: a sum over both.
//= equal mutant: std::vector<Tensor> dx(static_cast<std::size_t>(time), (x[0]));
//= equal mutant: std::vector<Tensor> dx(static_cast<std::size_t>(time), zeros_like(x[-1]));
//=   because: each of them is replaced in the loop.

#include "given.h"

Tensor rnn_forward(const Tensor& x, const Tensor& h0, const RnnWeights& weights) {
  //[
  //- // TODO: a loop over time. x[t] is one step's input; autograd::stack makes one tensor of a std::vector of them.
  //- todo("rnn_forward: all states");
  Tensor h = h0;
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    const Tensor from_input = linear(x[t], weights.weight_ih, weights.bias);
    //~ bias_forgotten_forward | const Tensor from_input = linear(x[t], weights.weight_ih);
    h = tanh(from_input + matmul(h, weights.weight_hh.t()));
    //~ bias_twice_forward | h = tanh(from_input + linear(h, weights.weight_hh, weights.bias));
    //~ state_not_carried | h = tanh(from_input + matmul(h0, weights.weight_hh.t()));
    //~ forward_not_transposed | h = tanh(from_input + matmul(h, weights.weight_hh));
    //~ tanh_forgotten | h = from_input + matmul(h, weights.weight_hh.t());
    states.push_back(h);
  }
  return autograd::stack(states);
  //]
}

RnnGradients rnn_backward(const Tensor& d_states, const Tensor& x, const Tensor& h0, const Tensor& states,
                          const RnnWeights& weights) {
  //[
  //- // TODO: the same loop from the last step to the first, with a signed t. With a[t] for the argument of tanh:
  //- //   probe("dh", dh)   [batch, hidden], everything that arrives at h[t]
  //- //   probe("da", da)   [batch, hidden], what arrives at a[t]
  //- todo("rnn_backward: the gradients of x, h0 and the weights");
  Tensor d_weight_ih = zeros_like(weights.weight_ih);
  Tensor d_weight_hh = zeros_like(weights.weight_hh);
  Tensor d_bias = zeros_like(weights.bias);
  const std::int64_t time = x.size(0);
  std::vector<Tensor> dx(static_cast<std::size_t>(time), zeros_like(x[0]));
  Tensor dh_next = zeros_like(h0);  // what comes back from step t + 1
  for (std::int64_t t = time - 1; t >= 0; --t) {
    //~ walked_forwards | for (std::int64_t t = 0; t < time; ++t) {
    //~ first_step_skipped | for (std::int64_t t = time - 1; t > 0; --t) {
    const Tensor h = states[t];
    //~ silent_steps_skipped | if (all(d_states[t] == 0.0)) continue;
    //~ silent_steps_skipped | const Tensor h = states[t];
    const Tensor before = t > 0 ? states[t - 1] : h0;
    //~ last_state_before_the_first | const Tensor before = states[t - 1];
    const Tensor dh = d_states[t] + dh_next;
    //~ no_bptt | const Tensor dh = d_states[t];
    //~ only_last_step | const Tensor dh = t == time - 1 ? d_states[t] : dh_next;
    //~ changes_upstream | const Tensor dh = d_states[t].add_(dh_next);
    probe("dh", dh);
    const Tensor da = dh * (1.0 - h * h);
    //~ no_tanh_derivative | const Tensor da = dh;
    //~ tanh_derivative_at_state_before | const Tensor da = dh * (1.0 - before * before);
    //~ tanh_twice | const Tensor da = dh * (1.0 - tanh(h) * tanh(h));
    //~ square_forgotten | const Tensor da = dh * (1.0 - h);
    //~ slope_of_sigmoid | const Tensor da = dh * h * (1.0 - h);
    //~ carried_past_tanh | const Tensor da = d_states[t] * (1.0 - h * h) + dh_next;
    probe("da", da);
    dx[static_cast<std::size_t>(t)] = matmul(da, weights.weight_ih);
    //~ dx_in_reverse | dx[static_cast<std::size_t>(time - 1 - t)] = matmul(da, weights.weight_ih);
    d_weight_ih = d_weight_ih + matmul(da.t(), x[t]);
    //~ weights_overwritten | d_weight_ih = matmul(da.t(), x[t]);
    d_weight_hh = d_weight_hh + matmul(da.t(), before);
    //~ weights_overwritten | d_weight_hh = matmul(da.t(), before);
    //~ h0_forgotten | if (t > 0) d_weight_hh = d_weight_hh + matmul(da.t(), before);
    //~ state_after | d_weight_hh = d_weight_hh + matmul(da.t(), h);
    d_bias = d_bias + da.sum({0});
    //~ weights_overwritten | d_bias = da.sum({0});
    //~ bias_mean | d_bias = d_bias + da.mean({0});
    dh_next = matmul(da, weights.weight_hh);
    //~ one_step_back | dh_next = matmul(d_states[t] * (1.0 - h * h), weights.weight_hh);
    //~ truncated | dh_next = (time - t) % 2 == 0 ? zeros_like(h0) : matmul(da, weights.weight_hh);
    //~ truncated_far_back | dh_next = t > 0 && t % 20 == 0 ? zeros_like(h0) : matmul(da, weights.weight_hh);
    //~ not_transposed | dh_next = matmul(da, weights.weight_hh.t());
    //~ around_tanh | dh_next = matmul(dh, weights.weight_hh);
    //~ piled_up | dh_next = dh_next + matmul(da, weights.weight_hh);
    //~ h0_one_step_short | if (t > 0) dh_next = matmul(da, weights.weight_hh);
    //~ dh0_is_dh | dh_next = t > 0 ? matmul(da, weights.weight_hh) : dh;
  }
  return {autograd::stack(dx), dh_next, d_weight_ih, d_weight_hh, d_bias};
  //~ dh0_is_zero | return {autograd::stack(dx), zeros_like(h0), d_weight_ih, d_weight_hh, d_bias};
  //]
}
