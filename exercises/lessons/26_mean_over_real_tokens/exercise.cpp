//= title: Mean over real tokens
//= part: D
//= difficulty: 2
//= minutes: 20
//= after: 24
//= answer: mean_token_loss, mean_token_loss_backward
//= not: cross_entropy, nll_loss, backward
//= mistake divided_by_all
//=   question: By how many numbers do you divide, and how many tokens are there? Which of the two grows when padding is
//=     added?
//=   because: you add up the real tokens only, but divide by all {batch} times {time} places. The same sentences in
//=     a longer batch then have a smaller loss and smaller gradients.
//= mistake padding_counted
//=   question: What is stored at the padding has an influence on your result. Where do you use the mask?
//=   because: the mean runs over all {batch} times {time} places. The model is trained to predict padding, which is
//=     easy and frequent, so the loss looks better than it is.
//= mistake mean_of_means
//=   question: You give each sentence the same weight. What weight does a token of a sentence with one word have
//=     then, and one of a sentence with {time}?
//=   because: you averaged over the tokens of each sentence, and then over the {batch} sentences. A token of a
//=     short sentence counts more than one of a long one; the mean over tokens gives all the same weight.
//= mistake divided_by_sentences
//=   question: By what do you divide the sum over the tokens? Does that number grow when the sentences get longer?
//=   because: you divide by the {batch} sentences, not by the tokens. That is a loss per sentence: long ones
//=     dominate it, and it cannot be compared between batches of different length.
//= mistake loss_not_divided
//=   question: Your loss is a whole number of times the expected one. Which number is it, and what does the batch
//=     have that many of?
//=   because: you return the sum over the tokens. The mean divides it by their number, which is the number of true
//=     places in the mask.
//= mistake inverted_mask
//=   question: You leave out what should count, and count what you should leave out. What does true mean in this mask?
//=   because: true says that there is a token; masked_fill(x, where, value) fills where *its* mask is true, so it
//=     needs the opposite.
//= mistake mask_by_product
//=   premise: Your result is right, and has NaN as soon as there is a NaN in the padding.
//=   question: What is NaN times 0?
//=   because: a product with ones and zeros keeps NaN and infinity: both times 0 are NaN. masked_fill and where()
//=     choose, and do not compute with what they leave out.
//= mistake mask_from_ids
//=   question: You leave out some tokens that the mask says are real. Which ids do they have?
//=   because: you took id 0 for padding. Here 0 is an ordinary word that occurs in the sentences, and the mask
//=     alone says where the padding is.
//= mistake last_token_dropped
//=   question: You leave out the last token of each sentence. Which token is that, and does the model have to learn
//=     it?
//=   because: the last real token, usually the end mark, is left out. A model that is never taught to predict it
//=     does not stop.
//= mistake counted_by_value
//=   premise: Your result is right, but not where the model is certain of a token.
//=   question: What is the loss of that token, and what do you count?
//=   because: you count the places whose loss, or gradient, is not 0. Where the right word has the probability 1 a
//=     double cannot tell them from 0, but it is a token all the same. Count the true places of the mask.
//= mistake gradient_divided_by_all
//=   premise: Your loss is right, and your dlogits is too small by the same factor everywhere.
//=   question: Do both divide by the same number?
//=   because: the loss divides by the number of real tokens, so its derivative must too; you divide by all {batch}
//=     times {time} places.
//= mistake gradient_not_divided
//=   premise: Your loss is right, and your dlogits is a whole number of times the expected one.
//=   question: What does each token contribute to a mean over that many?
//=   because: (p - onehot) is the derivative of one token's loss. In the mean it is divided by the number of
//=     tokens.
//= mistake padding_gets_gradient
//=   premise: Your loss is right, and your dlogits is wrong only at the padding.
//=   question: How much does the loss change when a logit there changes?
//=   because: the loss leaves the padding out, so its derivative there is 0. p - onehot is 0 nowhere: the mask must
//=     be applied in the backward pass as well.
//= mistake upstream_ignored
//=   question: Your dlogits does not change when dloss does. What if the loss is only one of two terms, weighted
//=     with 0.5?
//=   because: you assume dloss = 1. Everything must be multiplied by what arrives from above.
//= mistake sign
//=   question: Your dlogits is minus the expected one. If the logit of the right word grows, does the loss grow or
//=     fall?
//=   because: you have onehot - p. The loss falls when the right logit grows, so the gradient there is p - 1, which
//=     is negative.
//= mistake calls_the_engine
//=   premise: The numbers are right.
//=   question: What would the engine's cross_entropy have to be told so that it leaves out the padding, and by what
//=     does it divide then?
//=   because: that op, with ignore_index, is what this exercise is about. log_softmax, gather and masked_fill are
//=     enough to write it.

#include "given.h"

Tensor mean_token_loss(const Tensor& logits, const Tensor& target, const Tensor& mask) {
  //[
  //- // TODO: log_softmax and gather work along any dim. masked_fill(x, where, value) fills where its mask is true.
  //- //   probe("per_token", per_token)   [batch, time], before the mask is applied
  //- //   probe("tokens", tokens)         how many there are
  //- todo("mean_token_loss: the mean over the real tokens");
  const Tensor log_probabilities = log_softmax(logits, 2);
  const Tensor per_token = -log_probabilities.gather(2, target.unsqueeze(2)).squeeze(2);
  probe("per_token", per_token);
  const Tensor is_token = mask;
  //~ inverted_mask | const Tensor is_token = logical_not(mask);
  //~ mask_from_ids | const Tensor is_token = target != 0.0;
  //~ last_token_dropped | const Tensor after_last = zeros_like(mask.narrow(1, 0, 1));
  //~ last_token_dropped | const Tensor is_token = autograd::cat({mask.narrow(1, 1, mask.size(1) - 1), after_last}, 1);
  const Tensor real = per_token.masked_fill(logical_not(is_token), 0.0);
  //~ padding_counted | const Tensor real = per_token;
  //~ mask_by_product | const Tensor real = per_token * is_token.to(logits.dtype());
  //~ mask_by_product.in_the_loss | const Tensor real = per_token * is_token.to(logits.dtype());
  const Tensor tokens = is_token.to(logits.dtype()).sum();
  //~ divided_by_all | const Tensor tokens = autograd::ones_like(real).sum();
  //~ padding_counted | const Tensor tokens = autograd::ones_like(real).sum();
  //~ divided_by_sentences | const Tensor tokens = autograd::tensor(static_cast<double>(mask.size(0)), logits.dtype());
  //~ counted_by_value | const Tensor tokens = (real != 0.0).to(logits.dtype()).sum();
  probe("tokens", tokens);
  return real.sum() / tokens;
  //~ loss_not_divided | return real.sum();
  //~ mean_of_means 3 | const Tensor tokens = is_token.to(logits.dtype()).sum({1});
  //~ mean_of_means | return (real.sum({1}) / tokens).mean();
  //~ calls_the_engine 8 | const Tensor ignored = target.to(logits.dtype()).masked_fill(logical_not(mask), -100.0);
  //~ calls_the_engine | return cross_entropy(logits.permute({0, 2, 1}), ignored.to(target.dtype()));
  //]
}

Tensor mean_token_loss_backward(const Tensor& dloss, const Tensor& logits, const Tensor& target, const Tensor& mask) {
  //[
  //- // TODO: one token's gradient is the one of exercise 24. What does the mask do to it, and what does the mean do?
  //- //   probe("dlogits_per_token", ..)   [batch, time, classes], before the mask is applied
  //- todo("mean_token_loss_backward: the gradient dlogits");
  const Tensor classes = autograd::arange(logits.size(2));
  const Tensor one_hot = (target.unsqueeze(2) == classes).to(logits.dtype());
  const Tensor dlogits_per_token = softmax(logits, 2) - one_hot;
  //~ sign | const Tensor dlogits_per_token = one_hot - softmax(logits, 2);
  probe("dlogits_per_token", dlogits_per_token);
  const Tensor is_token = mask;
  //~ inverted_mask | const Tensor is_token = logical_not(mask);
  //~ mask_from_ids | const Tensor is_token = target != 0.0;
  //~ last_token_dropped | const Tensor after_last = zeros_like(mask.narrow(1, 0, 1));
  //~ last_token_dropped | const Tensor is_token = autograd::cat({mask.narrow(1, 1, mask.size(1) - 1), after_last}, 1);
  const Tensor real = dlogits_per_token.masked_fill(logical_not(is_token).unsqueeze(2), 0.0);
  //~ padding_counted | const Tensor real = dlogits_per_token;
  //~ padding_gets_gradient | const Tensor real = dlogits_per_token;
  //~ mask_by_product | const Tensor real = dlogits_per_token * is_token.to(logits.dtype()).unsqueeze(2);
  //~ mask_by_product.in_dlogits | const Tensor real = dlogits_per_token * is_token.to(logits.dtype()).unsqueeze(2);
  const Tensor tokens = is_token.to(logits.dtype()).sum();
  //~ divided_by_all | const Tensor tokens = autograd::ones_like(target).to(logits.dtype()).sum();
  //~ padding_counted | const Tensor tokens = autograd::ones_like(target).to(logits.dtype()).sum();
  //~ gradient_divided_by_all | const Tensor tokens = autograd::ones_like(target).to(logits.dtype()).sum();
  //~ divided_by_sentences | const Tensor tokens = autograd::tensor(static_cast<double>(mask.size(0)), logits.dtype());
  //~ counted_by_value | const Tensor tokens = (real.abs().amax({2}) > 1e-12).to(logits.dtype()).sum();
  //~ gradient_not_divided | const Tensor tokens = autograd::tensor(1.0, logits.dtype());
  //~ loss_not_divided | const Tensor tokens = autograd::tensor(1.0, logits.dtype());
  //~ mean_of_means | const Tensor per_sentence = is_token.to(logits.dtype()).sum({1}).reshape({-1, 1, 1});
  //~ mean_of_means | const Tensor tokens = per_sentence * static_cast<double>(mask.size(0));
  return dloss * real / tokens;
  //~ upstream_ignored | return real / tokens;
  //]
}
