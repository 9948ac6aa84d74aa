//= title: Cross-entropy
//= part: D
//= difficulty: 2
//= minutes: 20
//= after: 22
//= fast track
//= answer: cross_entropy_loss, cross_entropy_backward
//= not: cross_entropy, nll_loss, backward
//= mistake loss_sum
//=   question: Your loss is {batch} times the expected one. What should happen to it if every row of the batch is
//=     repeated?
//=   because: the loss is the mean over the {batch} rows; you have their sum, which grows with the batch.
//= mistake loss_over_all_entries
//=   question: Your loss is 1/{classes} of the expected one. How many numbers does each row contribute to the sum?
//=   because: you divide by all {batch} times {classes} entries of the logits, but each row contributes only one
//=     number, from its right class.
//= mistake loss_divided_by_classes
//=   question: Your loss is {batch}/{classes} times the expected one. Which of the two does a mean over the rows
//=     divide by?
//=   because: you divided by the {classes} classes. The loss is a mean over the {batch} rows: dim 0 of the logits.
//= mistake loss_sign
//=   question: Your loss is negative. Which probability would make it as small as possible?
//=   because: a logarithm of a probability is never positive. The loss is minus it, so that it is 0 for a perfect
//=     answer and grows with the error.
//= mistake log_of_softmax
//=   premise: Your loss is right for moderate logits, and inf where the right class lies 1000 below another.
//=   question: What does softmax give it, and what is the log of that?
//=   because: softmax rounds exp(-1000) to 0, and log(0) is -inf. log_softmax has the logarithm without the
//=     probability in between.
//= mistake log_forgotten
//=   question: Your loss lies between -1 and 0. What is added up per row, a probability or its logarithm?
//=   because: you average the probabilities of the right classes. Cross-entropy takes their logarithms, so that a
//=     confident error costs without bound.
//= mistake softmax_twice
//=   premise: Where the right logit is 1000 above the others, your result is not that of a model that is sure.
//=   question: How often is softmax applied on the way to it?
//=   because: one softmax is given probabilities instead of logits. These differ by at most 1, so the second
//=     softmax can never be surer than e / (e + {classes} - 1): training crawls and cannot fit even one example.
//= mistake most_likely_class
//=   question: Your loss does not depend on the target. Which class of each row did you look at?
//=   because: you took the log-probability of the class that the model prefers. The loss asks how probable the
//=     *right* class was, the one that target names.
//= mistake mean_forgotten
//=   question: Your dlogits is exactly {batch} times the expected one. What does each row contribute to a mean over
//=     {batch} rows?
//=   because: the loss divides by the batch of {batch}, so its derivative does, too: (p - onehot) / {batch}.
//= mistake divided_by_all
//=   question: Your dlogits is exactly 1/{classes} of the expected one. By what does the loss divide?
//=   because: you divided by the number of all entries, {batch} times {classes}. The loss is a mean over the
//=     {batch} rows.
//= mistake divided_by_classes
//=   question: Your dlogits is {batch}/{classes} times the expected one. By what does the loss divide?
//=   because: you divided by the {classes} classes. The loss is a mean over the {batch} rows: dim 0 of the logits.
//= mistake sign
//=   question: Your dlogits is minus the expected one. If the logit of the right class grows, does the loss grow or
//=     fall?
//=   because: you have onehot - p. The loss falls when the right logit grows, so the gradient there is p - 1, which
//=     is negative.
//= mistake one_hot_missing
//=   question: Every entry of your dlogits has the sign of dloss. Is there no logit whose growth lowers the loss?
//=   because: p alone is the derivative of the log-sum-exp. The other term of the loss, minus the right class's
//=     logit, contributes -1 at the target.
//= mistake target_only
//=   question: Your dlogits is 0 except at the targets. Does the loss not change when the logit of a wrong class
//=     grows?
//=   because: the wrong classes are in the softmax's sum: each takes probability away from the right one and has
//=     the gradient p.
//= mistake minus_one_hot
//=   question: Your dlogits is the same however wrong the model is. Where do the probabilities enter?
//=   because: -onehot / {batch} is the derivative of the mean of the right logits alone; the derivative of the
//=     log-sum-exp, p, is missing.
//= mistake upstream_ignored
//=   question: Your dlogits does not change when dloss does. What if the loss is only one of two terms, weighted
//=     with 0.5?
//=   because: you assume that the loss is the end of the program, dloss = 1. Something may come after it, and
//=     everything must be multiplied by what arrives from there.
//= mistake bare_difference
//=   question: Your dlogits is p minus the one-hot rows, and nothing else. What if every row of the batch is
//=     repeated, and what if dloss is 0.5?
//=   because: p - onehot is the derivative of one row's loss with respect to its logits. The loss is a mean over
//=     {batch} rows, and what comes after it hands back dloss, here -1.5: two factors are missing.
//= mistake sigmoid_habit
//=   question: Your dlogits has an extra factor p (1 - p). Which function's derivative is that, and is its Jacobian
//=     not already in p - onehot?
//=   because: p (1 - p) belongs to a squared error after a sigmoid. Here the log's derivative 1/p and softmax's
//=     Jacobian have already been multiplied, and p - onehot is what is left.
//= mistake integer_division
//=   question: Your dlogits is 0. What is 1 / {batch} in C++?
//=   because: 1 / {batch} with two integers is the integer 0. One of the two has to be a double: 1.0 / {batch}.
//= mistake classes_from_targets
//=   question: How many columns does your table of ones and zeros have if no row has the last class as its target?
//=   because: one_hot(target) has one column more than the largest target that occurs. There are as many classes as
//=     logits has columns: one_hot(target, logits.size(1)).
//= mistake through_the_log
//=   premise: Your dlogits is right for moderate logits, and NaN where the right class lies 1000 below another.
//=   question: What do you divide by there?
//=   because: it goes through the log, whose derivative is 1/p, and back through softmax, which multiplies by p.
//=     Where p is rounded to 0 that is 1/0 times 0. On paper the two cancel, and p - onehot is left.
//= mistake from_log_probabilities
//=   question: Every entry of your dlogits has the sign opposite to dloss. Is what you subtract the one-hot from a
//=     probability?
//=   because: you kept the output of log_softmax and used it as p. It is log p; the probability is its exp.
//= mistake softmax_over_batch
//=   question: Do the rows of your dlogits sum to 0? Along which dim did you normalise?
//=   because: each of the {batch} rows is a distribution over {classes} classes: softmax runs along dim 1.
//= mistake calls_the_engine
//=   premise: The numbers are right.
//=   question: Which two ops does the engine's cross_entropy consist of?
//=   because: that op is what this exercise is about. log_softmax and gather are enough to write it.
//= equal mutant: const Tensor picked = log_probabilities.gather(1, target.unsqueeze(1));
//= equal mutant: const Tensor picked = log_probabilities.gather(1, target.unsqueeze(1)).squeeze(0);
//=   because: [batch, 1] and [batch] have the same mean.

#include "given.h"

Tensor cross_entropy_loss(const Tensor& logits, const Tensor& target) {
  //[
  //- // TODO: log_softmax(logits, 1) is yours to use. To pick one class per row: gather, or a mask of ones and zeros.
  //- //   probe("log_probabilities", ..)   [batch, classes]
  //- //   probe("picked", ..)              [batch], for the right classes
  //- todo("cross_entropy_loss: the mean over the batch");
  const Tensor log_probabilities = log_softmax(logits, 1);
  //~ log_of_softmax | const Tensor log_probabilities = log(softmax(logits, 1));
  //~ log_forgotten | const Tensor log_probabilities = softmax(logits, 1);
  //~ softmax_twice | const Tensor log_probabilities = log_softmax(softmax(logits, 1), 1);
  probe("log_probabilities", log_probabilities);
  const Tensor picked = log_probabilities.gather(1, target.unsqueeze(1)).squeeze(1);
  //~ most_likely_class | const Tensor picked = log_probabilities.amax({1});
  probe("picked", picked);
  return -picked.mean();
  //~ loss_sum | return -picked.sum();
  //~ loss_over_all_entries | return -picked.sum() / static_cast<double>(logits.numel());
  //~ loss_divided_by_classes | return -picked.sum() / static_cast<double>(logits.size(1));
  //~ loss_sign | return picked.mean();
  //~ calls_the_engine 5 | return cross_entropy(logits, target);
  //]
}

Tensor cross_entropy_backward(const Tensor& dloss, const Tensor& logits, const Tensor& target) {
  //[
  //- // TODO: differentiate loss[n] = log_sum_exp(logits[n]) - logits[n, target[n]] with respect to each logit.
  //- // ids == numbers is a boolean tensor; .to(logits.dtype()) turns it into ones and zeros.
  //- //   probe("one_hot", one_hot)   [batch, classes]
  //- todo("cross_entropy_backward: the gradient dlogits");
  const Tensor probabilities = softmax(logits, 1);
  //~ softmax_twice | const Tensor probabilities = softmax(softmax(logits, 1), 1);
  //~ from_log_probabilities | const Tensor probabilities = log_softmax(logits, 1);
  //~ softmax_over_batch | const Tensor probabilities = softmax(logits, 0);
  const Tensor classes = autograd::arange(logits.size(1));
  const Tensor one_hot = (target.unsqueeze(1) == classes).to(logits.dtype());
  //~ classes_from_targets 2 | const Tensor one_hot = autograd::one_hot(target).to(logits.dtype());
  probe("one_hot", one_hot);
  const Tensor per_row = probabilities - one_hot;
  //~ sign | const Tensor per_row = one_hot - probabilities;
  //~ one_hot_missing | const Tensor per_row = probabilities;
  //~ through_the_log | const Tensor right = (probabilities * one_hot).sum({1}, true);
  //~ through_the_log | const Tensor per_row = -1.0 / right * (right * (one_hot - probabilities));
  //~ target_only | const Tensor per_row = (probabilities - one_hot) * one_hot;
  //~ minus_one_hot 5 | const Tensor classes = autograd::arange(logits.size(1));
  //~ minus_one_hot | const Tensor per_row = -(target.unsqueeze(1) == classes).to(logits.dtype());
  //~ sigmoid_habit | const Tensor per_row = (probabilities - one_hot) * probabilities * (1.0 - probabilities);
  const double scale = 1.0 / static_cast<double>(logits.size(0));
  //~ mean_forgotten | const double scale = 1.0;
  //~ divided_by_classes | const double scale = 1.0 / static_cast<double>(logits.size(1));
  //~ divided_by_all | const double scale = 1.0 / static_cast<double>(logits.numel());
  return dloss * scale * per_row;
  //~ upstream_ignored | return scale * per_row;
  //~ bare_difference 2 | return per_row;
  //~ integer_division 7 | const Tensor classes = autograd::arange(logits.size(1));
  //~ integer_division | const Tensor one_hot = (target.unsqueeze(1) == classes).to(logits.dtype());
  //~ integer_division | const Tensor per_row = softmax(logits, 1) - one_hot;
  //~ integer_division | return dloss * static_cast<double>(1 / logits.size(0)) * per_row;
  //]
}
