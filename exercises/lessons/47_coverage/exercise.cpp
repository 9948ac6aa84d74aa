//= title: Coverage
//= part: H
//= difficulty: 3
//= minutes: 30
//= after: 36
//= answer: attend_with_coverage, coverage_loss, coverage_loss_backward
//= mistake never_fed
//=   question: Your weights are those of a decoder without coverage. After step 0, what has each word been given?
//=   because: the coverage stayed at 0: what a step gave out was never added to it.
//= mistake last_step_only
//=   premise: Your first two steps are right, the third is not.
//=   question: What does the third step know about the first?
//=   because: the coverage was replaced by the last step's weights. It is the sum over all earlier steps.
//= mistake coverage_mean
//=   premise: Your first two steps are right, the third is not.
//=   question: By what was the coverage divided there?
//=   because: the coverage is a sum. Divided by the number of steps it sums to 1 again and says only where the
//=     decoder looked, not how often.
//= mistake scores_summed
//=   question: How much of its attention can one step give out in all? And how much did your step 0 give out?
//=   because: the coverage added up scores. Scores are differences without a scale; what is given out are the
//=     weights.
//= mistake outside_tanh
//=   question: The score is a network with one hidden layer. At which end of it does your coverage come in?
//=   because: the coverage was added after the tanh, where query and key cannot change what it does. It is a third
//=     term in the sum before the tanh.
//= mistake mask_forgotten
//=   question: Do your weights over the real words of the shorter sentences sum to 1?
//=   because: padding took part in the softmax, and then got coverage as well.
//= mistake current_step_included
//=   question: Your loss is exactly 1. Which is smaller: a weight, or a sum that contains that weight?
//=   because: the coverage contains the step's own weights, so the minimum is always the weight itself and every
//=     step adds up to 1, wherever it looks.
//= mistake coverage_never_reset
//=   premise: For a batch of one sentence yours is right.
//=   question: What is the coverage at step 0 of the second sentence?
//=   because: it is what the sentences before it have given, since the sum runs on from one to the next. Each sentence
//=     begins with a coverage of 0.
//= mistake maximum_for_minimum
//=   question: Take step 0, where nothing is covered yet. What does your loss count there, and what should it?
//=   because: the maximum counts what is *not* shared. The overlap of two amounts is the smaller one: 0 at step 0.
//= mistake over_the_sentence
//=   question: Along which axis did you sum: over the steps before, or over the words to the left?
//=   because: the coverage of a word is what earlier *steps* gave to that word; a running sum along the source adds
//=     up what one step gave to other words.
//= mistake padding_counted
//=   question: Does your loss change when a longer target joins the batch?
//=   because: steps after the end of a target were counted as if they were words.
//= mistake divided_by_all_steps
//=   question: How many target words are in the batch, and by how many did you divide?
//=   because: the sum is over real steps, but it was divided by {batch} times {target}, padding included.
//= mistake mean_of_the_sentences
//=   question: A sentence of 2 steps and one of 20: how much does a step of each count in your loss?
//=   because: a mean was taken in each sentence, then over the sentences, so steps of short sentences count for more.
//=     The sum over the whole batch is divided by the number of its real steps.
//= mistake own_step_only
//=   question: In min(a, c), what does c consist of?
//=   because: only the path through the step's own weight was taken. Where c is the smaller one, the gradient goes
//=     to c, and from there to all earlier steps.
//= mistake earlier_steps_only
//=   question: In min(a, c), what gets the gradient where a is the smaller one?
//=   because: only the path through the coverage was taken. Where the step's own weight is the smaller one, that
//=     weight gets the gradient.
//= mistake to_later_steps
//=   question: Which steps' weights are in the coverage of step 2: those before it or those after it?
//=   because: the gradient was summed in the wrong direction. Step k is in the coverage of all t > k, so it gets a
//=     gradient from all later steps, and the last step gets nothing this way.
//= mistake one_step_back
//=   question: Which steps have step 0 in their coverage: only step 1?
//=   because: each coverage's gradient went to the step before it only. The coverage is a sum over all earlier steps,
//=     so each of them gets it.
//= mistake first_step_gets_its_own
//=   question: At step 0 the coverage is 0, the smaller one. What is it made of, and which weights get a gradient?
//=   because: the gradient of the first step's coverage was given to the step's own weights. There is no step before
//=     it, so nothing gets it.
//= mistake own_coverage_too
//=   question: Is the weight of step t part of the coverage of step t?
//=   because: the sum over the later steps began one too early: a step is not in its own coverage.
//= mistake padding_gets_gradient
//=   question: Your gradient at steps after the end of a target is not 0. Does the loss depend on them?
//=   because: the loss leaves those steps out; so must its gradient, both where they stand and in what they would
//=     send to the steps before them.
//= mistake padding_sends_back
//=   question: A step after the end of a target: what does it send to the steps before it?
//=   because: the steps after the end were left out where they stand, but they still sent a gradient back, through
//=     their coverage. The loss has no terms for them at all.
//= mistake division_forgotten
//=   question: Your gradient is a whole number everywhere. What was the sum divided by?
//=   because: the loss is divided by the number of real steps, and so is its gradient.
//= equal mutant: const Tensor d_own = (attention <= coverage).to(autograd::float64) * share;
//= equal mutant: const Tensor d_coverage = (coverage <= attention).to(autograd::float64) * share;
//=   because: where both are equal the loss has a kink, and either is as good.

#include "given.h"

Tensor attend_with_coverage(const Tensor& query, const Tensor& keys, const CoverageWeights& weights,
                            const Tensor& mask) {
  //[
  //- // TODO: step by step; what one step gives out is part of what the next one sees.
  //- // probe("coverage", coverage) at the start of each step shows it to the checker.
  //- todo("attend_with_coverage: the weights of every step");
  Tensor coverage = autograd::zeros({keys.size(0), keys.size(1)}, autograd::float64);
  std::vector<Tensor> steps;
  for (std::int64_t t = 0; t < query.size(1); ++t) {
    probe("coverage", coverage);
    const Tensor covered = coverage.unsqueeze(2) * weights.w_cov;  // [batch, source, attention]
    //~ coverage_mean | const double count = t > 1 ? static_cast<double>(t) : 1.0;
    //~ coverage_mean | const Tensor covered = coverage.unsqueeze(2) * weights.w_cov / count;
    const Tensor hidden = tanh(query.select(1, t).unsqueeze(1) + keys + covered);
    //~ outside_tanh | const Tensor hidden = tanh(query.select(1, t).unsqueeze(1) + keys) + covered;
    const Tensor scores = matmul(hidden, weights.v);  // [batch, source]
    const Tensor alpha = masked_softmax(scores, mask);
    //~ mask_forgotten | const Tensor alpha = scores.softmax(-1);
    coverage = coverage + alpha;
    //~ never_fed |
    //~ last_step_only | coverage = alpha;
    //~ scores_summed | coverage = coverage + scores;
    steps.push_back(alpha);
  }
  return stack(steps, 1);
  //]
}

Tensor coverage_loss(const Tensor& attention, const Tensor& real_steps) {
  //[
  //- // TODO: the overlap of each step with all earlier ones, summed over the words, averaged over the real steps.
  //- todo("coverage_loss: one number");
  const Tensor coverage = cumsum(attention, 1) - attention;  // what was given before
  //~ current_step_included | const Tensor coverage = cumsum(attention, 1);
  //~ current_step_included.in_the_loss | const Tensor coverage = cumsum(attention, 1);
  //~ coverage_never_reset | const Tensor all = attention.flatten(0, 1);  // [batch * target, source]
  //~ coverage_never_reset | const Tensor coverage = (cumsum(all, 0) - all).reshape(attention.shape());
  //~ over_the_sentence | const Tensor coverage = cumsum(attention, 2) - attention;
  const Tensor overlap = minimum(attention, coverage).sum({2});  // [batch, target]
  //~ maximum_for_minimum | const Tensor overlap = maximum(attention, coverage).sum({2});
  const Tensor real = real_steps.to(autograd::float64);
  //~ padding_counted | const Tensor real = ones_like(overlap);
  return (overlap * real).sum() / real.sum();
  //~ mean_of_the_sentences | return ((overlap * real).sum({1}) / real.sum({1})).mean();
  //~ divided_by_all_steps | return (overlap * real).mean();
  //]
}

Tensor coverage_loss_backward(const Tensor& attention, const Tensor& real_steps) {
  //[
  //- // TODO: a weight is used in two ways: at its own step, and in the coverage of every later one.
  //- todo("coverage_loss_backward: the gradient of every weight");
  const Tensor real = real_steps.to(autograd::float64).unsqueeze(2);  // [batch, target, 1]
  //~ padding_gets_gradient | const Tensor real = ones_like(real_steps.to(autograd::float64)).unsqueeze(2);
  const Tensor share = real / real_steps.to(autograd::float64).sum();
  //~ divided_by_all_steps | const Tensor share = real / static_cast<double>(real.numel());
  //~ mean_of_the_sentences | const Tensor share = real / real.sum({1}, true) / static_cast<double>(real.size(0));
  //~ division_forgotten | const Tensor share = real;
  const Tensor coverage = cumsum(attention, 1) - attention;
  //~ current_step_included | const Tensor coverage = cumsum(attention, 1);
  //~ coverage_never_reset | const Tensor all = attention.flatten(0, 1);  // [batch * target, source]
  //~ coverage_never_reset | const Tensor coverage = (cumsum(all, 0) - all).reshape(attention.shape());
  //~ current_step_included.on_the_way_back | const Tensor coverage = cumsum(attention, 1);
  const Tensor d_own = (attention < coverage).to(autograd::float64) * share;
  const Tensor d_coverage = (coverage < attention).to(autograd::float64) * share;
  //~ padding_sends_back | const Tensor each = 1.0 / real_steps.to(autograd::float64).sum();
  //~ padding_sends_back | const Tensor d_coverage = (coverage < attention).to(autograd::float64) * each;
  const Tensor from_later = flip(cumsum(flip(d_coverage, {1}), 1), {1}) - d_coverage;
  //~ one_step_back | const std::int64_t later = d_coverage.size(1) - 1;
  //~ one_step_back | const Tensor none = zeros_like(d_coverage.narrow(1, 0, 1));
  //~ one_step_back | const Tensor from_later = autograd::cat({d_coverage.narrow(1, 1, later), none}, 1);
  //~ first_step_gets_its_own | const Tensor behind = flip(cumsum(flip(d_coverage, {1}), 1), {1}) - d_coverage;
  //~ first_step_gets_its_own | const Tensor from_later = behind + d_coverage * (coverage == 0.0).to(autograd::float64);
  //~ to_later_steps | const Tensor from_later = cumsum(d_coverage, 1) - d_coverage;
  //~ own_coverage_too | const Tensor from_later = flip(cumsum(flip(d_coverage, {1}), 1), {1});
  return d_own + from_later;
  //~ own_step_only | return d_own;
  //~ earlier_steps_only | return from_later;
  //]
}
