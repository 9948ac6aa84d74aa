//= title: Dropout and collapse
//= part: I
//= difficulty: 2
//= minutes: 30
//= after: 22
//= answer: entropy_share, softmax_gain, diagnose, attention_dropout, attention_dropout_backward, glorot_uniform
//= mistake entropy_of_the_mean
//=   question: Every row looks at one word only, each at a different one. Is that attention undecided?
//=   because: the rows were averaged first, and the entropy taken of the mean. Rows that have each chosen a different
//=     word have an even mean. It is the mean of the entropies that is asked for.
//= mistake log_of_the_width
//=   question: A row with 3 words and equal weights: which share of what is possible is its entropy?
//=   because: the entropy was divided by log({source}), the width of the batch. A row with fewer words can never
//=     reach that.
//= mistake rows_of_one_word
//=   question: How undecided can a row of one word be?
//=   because: the row with a single word has an entropy of 0 and log(1) = 0 in the denominator. It has no choice and
//=     is left out, from the sum and from the number of rows.
//= mistake quotient_of_sums
//=   question: Two rows, one of 2 words and one of 100. How much does each count in your share?
//=   because: the entropies were added up, and the logarithms, and then divided: long rows count for more. It is the
//=     mean of the rows' quotients.
//= mistake not_a_share
//=   question: Is your number at most 1?
//=   because: it is the entropy itself, in nats; the share is that divided by the log of the number of words.
//= mistake gain_of_the_diagonal
//=   question: All d_weights of a row are equal. What reaches the scores?
//=   because: only the diagonal of the softmax's derivative was used. A weight can only gain what others lose, so a
//=     gradient that is the same for all words gives nothing.
//= mistake gain_without_weights
//=   question: How much does a score matter if its weight is 0?
//=   because: the outer factor, the weight itself, is missing. It is what makes the gradient vanish where attention
//=     has collapsed.
//= mistake gain_summed_over_rows
//=   question: Which rows does the sum run over that your softmax backward subtracts from one row?
//=   because: sum() of everything adds up all rows. Each row has a softmax, and a sum, of its own.
//= mistake mean_of_row_gains
//=   question: Over what are the two norms: over each row, or over all entries?
//=   because: a gain was computed for each row, and their mean taken. There are only two norms, each over all entries.
//= mistake gain_upside_down
//=   question: In collapsed attention nothing passes. Is your number small there?
//=   because: the two norms are exchanged: what comes out is divided by what goes in.
//= mistake stuck_whatever_the_entropy
//=   question: Every row is certain, and no gradient arrives. Which of the four is that?
//=   because: the gradient was looked at first. According to given.h, only even attention can be stuck; a collapsed
//=     one without gradient has collapsed.
//= mistake stuck_at_zero_only
//=   question: A gradient of 1e-13 is not zero. Where does given.h draw the line?
//=   because: only a gradient of exactly 0 counts as none. What rounding leaves of a zero is below 1e-12, and moves
//=     nothing.
//= mistake never_stuck
//=   question: Even weights at the start of training, and even weights for good: what tells them apart?
//=   because: every even attention is called undecided. If no gradient arrives it will stay so, and then it is stuck.
//= mistake gradient_not_looked_at
//=   question: Attention is even at the start of every training. What tells a model that is stuck from one that has
//=     only begun?
//=   because: even weights alone do not say that training is stuck; it is if the parameters get no gradient.
//= mistake largest_weight_judged
//=   question: One of {query} rows is certain, the others are not. Has the attention collapsed?
//=   because: a single large weight decided. The mean over the rows is what the definition asks for.
//= mistake not_scaled_up
//=   question: With p = 0.25, what is the mean of your output over many draws, compared with the weights?
//=   because: three quarters stay, so the mean falls to 0.75 of what it is when the model is used. What stays is
//=     divided by 1 - p.
//= mistake divided_by_p
//=   question: As p goes to 0, nothing is dropped. What happens to your output?
//=   because: what stays is divided by the probability of staying, 1 - p, not by that of being dropped.
//= mistake scaled_by_the_draw
//=   question: Does your factor depend on what was drawn this time?
//=   because: what stays was divided by the share that this draw has kept. The factor that keeps the mean over many
//=     draws is the same in each: 1 / (1 - p).
//= mistake sums_to_one_again
//=   question: With dropout, must a row still sum to 1?
//=   because: the row was divided by what was left of it. Then it sums to 1 in every draw, a row with one word kept
//=     gives it all the weight, and a row with none gives NaN. Dropout only keeps the *mean* as it was.
//= mistake kept_and_dropped_exchanged
//=   question: Where `keep` is true, what becomes of the weight?
//=   because: what should stay was dropped, and what should be dropped stayed.
//= mistake backward_not_scaled
//=   question: Forwards, by which two factors was each weight multiplied?
//=   because: the factor 1 / (1 - p) is missing on the way back.
//= mistake backward_through_all
//=   question: A weight that was dropped: does the loss depend on it in this step?
//=   because: the gradient passes only where the weight was kept.
//= mistake variance_as_bound
//=   question: What is the standard deviation of a uniform number between -a and a?
//=   because: it is a / sqrt(3). The standard deviation that is wanted, sqrt(2 / (in + out)), was taken as the
//=     bound a.
//= mistake root_forgotten
//=   premise: Your bound is the square of the right one.
//=   question: Which is the variance, and which the width?
//=   because: 6 / (in + out) is a^2; the bound is its root.
//= mistake fan_in_only
//=   question: On the way back the gradients go through the same matrix, transposed. Which size counts there?
//=   because: only the inputs were counted, for signals forwards. Glorot takes the mean of in and out, so that
//=     gradients keep their size as well.
//= mistake variance_of_fan_in
//=   question: On the way back the gradients go through the same matrix, transposed. Which variance do they ask for?
//=   because: a^2 / 3 = 1 / in is right for signals forwards alone. Glorot takes 2 / (in + out), so that gradients
//=     keep their size as well.
//= mistake integer_division
//=   question: What is 6 / 10 in C++?
//=   because: both numbers are integers, so their quotient is cut off: 0 for all but the smallest matrices. 6.0 is a
//=     double.
//= mistake positive_only
//=   question: What is the mean of your weights? What should it be?
//=   because: uniform on [0, a) has the mean a / 2, so all units start out alike. The interval is [-a, a).
//= mistake not_centred
//=   question: Your interval is as long as it should be. Where does it begin?
//=   because: uniform on [0, 2a) has the mean a, so all units start out alike. The interval is [-a, a).
//= equal mutant: const Tensor safe = where(weights > 0.0, weights, 2.5);
//=   because: its logarithm, whichever, is multiplied by 0.
//= equal mutant: const Tensor possible = log(where(words > 2.5, words, 2.0));
//=   because: of two words there are 2.
//= equal mutant: const Tensor possible = log(where(words > 1.0, words, 4.5));
//= equal mutant: return ((entropy / possible ).sum() / choice.sum()).item();
//=   because: a row of one word has an entropy of 0 anyway.
//= equal mutant: if (share <= 0.1) return Diagnosis::collapsed;
//= equal mutant: if (share >= 0.9) return gradient_norm < 1e-12 ? Diagnosis::stuck : Diagnosis::undecided;
//=   because: the bounds are chosen; no share is exactly one of them.

#include "given.h"

double entropy_share(const Tensor& weights, const Tensor& mask) {
  //[
  //- // TODO: H / log(number of words) of each row, and the mean over the rows that have a choice.
  //- // probe("entropy", entropy) shows the entropies of the rows to the checker.
  //- todo("entropy_share: how undecided attention is, from 0 to 1");
  const Tensor safe = where(weights > 0.0, weights, 1.0);  // log(1) = 0 in place of log(0)
  const Tensor entropy = -(weights * log(safe)).sum({1});  // [query]
  probe("entropy", entropy);
  const Tensor words = mask.to(autograd::float64).sum({1});
  const Tensor choice = (words > 1.0).to(autograd::float64);
  const Tensor possible = log(where(words > 1.0, words, 2.0));
  //~ log_of_the_width | const Tensor possible = log(ones_like(words) * static_cast<double>(mask.size(1)));
  //~ not_a_share | const Tensor possible = ones_like(words);
  return ((entropy / possible * choice).sum() / choice.sum()).item();
  //~ quotient_of_sums | return (entropy.sum() / (log(where(words > 1.0, words, 2.0)) * choice).sum()).item();
  //~ entropy_of_the_mean | const Tensor mean = weights.mean({0});
  //~ entropy_of_the_mean | const Tensor of_mean = -(mean * log(where(mean > 0.0, mean, 1.0))).sum();
  //~ entropy_of_the_mean | return of_mean.item() / std::log(static_cast<double>(mask.size(1)));
  //~ rows_of_one_word | return (entropy / possible).mean().item();
  //]
}

double softmax_gain(const Tensor& weights, const Tensor& d_weights) {
  //[
  //- // TODO: the gradient of the scores, then the quotient of the norms.
  //- todo("softmax_gain: how much of a gradient the softmax lets through");
  const Tensor d_scores = weights * (d_weights - (weights * d_weights).sum({1}, true));
  //~ gain_summed_over_rows | const Tensor d_scores = weights * (d_weights - (weights * d_weights).sum());
  //~ gain_of_the_diagonal | const Tensor d_scores = weights * (1.0 - weights) * d_weights;
  //~ gain_without_weights | const Tensor d_scores = d_weights - (weights * d_weights).sum({1}, true);
  return ((d_scores * d_scores).sum() / (d_weights * d_weights).sum()).sqrt().item();
  //~ mean_of_row_gains | const Tensor squares = (d_scores * d_scores).sum({1}) / (d_weights * d_weights).sum({1});
  //~ mean_of_row_gains | return squares.sqrt().mean().item();
  //~ gain_upside_down | return ((d_weights * d_weights).sum() / (d_scores * d_scores).sum()).sqrt().item();
  //]
}

Diagnosis diagnose(const Tensor& weights, const Tensor& mask, double gradient_norm) {
  //[
  //- // TODO: see given.h for the four cases.
  //- todo("diagnose: collapsed, undecided, stuck or healthy");
  const double share = entropy_share(weights, mask);
  //~ entropy_of_the_mean | const Tensor some = mask.to(autograd::float64).amax({0}, true) > 0.0;
  //~ entropy_of_the_mean | const double share = entropy_share(weights.mean({0}, true), some);
  //~ stuck_whatever_the_entropy | if (gradient_norm < 1e-12) return Diagnosis::stuck;
  //~ stuck_whatever_the_entropy | const double share = entropy_share(weights, mask);
  if (share < 0.1) return Diagnosis::collapsed;
  //~ largest_weight_judged | if (weights.amax().item() > 0.9) return Diagnosis::collapsed;
  if (share > 0.9) return gradient_norm < 1e-12 ? Diagnosis::stuck : Diagnosis::undecided;
  //~ stuck_at_zero_only | if (share > 0.9) return gradient_norm == 0.0 ? Diagnosis::stuck : Diagnosis::undecided;
  //~ never_stuck | if (share > 0.9) return Diagnosis::undecided;
  //~ gradient_not_looked_at | if (share > 0.9) return Diagnosis::stuck;
  return Diagnosis::healthy;
  //]
}

Tensor attention_dropout(const Tensor& weights, const Tensor& keep, double p) {
  //[
  //- // TODO: what is kept is scaled so that the mean over many draws stays the same.
  //- todo("attention_dropout: some weights dropped, the others scaled");
  const Tensor kept = weights * keep.to(autograd::float64);
  //~ kept_and_dropped_exchanged | const Tensor kept = weights * logical_not(keep).to(autograd::float64);
  return kept / (1.0 - p);
  //~ not_scaled_up | return kept;
  //~ scaled_by_the_draw | return kept / keep.to(autograd::float64).mean();
  //~ divided_by_p | return kept / p;
  //~ sums_to_one_again | return kept / kept.sum({1}, true);
  //]
}

Tensor attention_dropout_backward(const Tensor& d_output, const Tensor& keep, double p) {
  //[
  //- // TODO: the gradient of the weights.
  //- todo("attention_dropout_backward: the gradient of the weights");
  return d_output * keep.to(autograd::float64) / (1.0 - p);
  //~ backward_not_scaled | return d_output * keep.to(autograd::float64);
  //~ backward_through_all | return d_output / (1.0 - p);
  //]
}

Tensor glorot_uniform(const Tensor& uniform) {
  //[
  //- // TODO: uniform on [-a, a), a = sqrt(6 / (in + out)).
  //- todo("glorot_uniform: a matrix to start with");
  const double fans = static_cast<double>(uniform.size(0) + uniform.size(1));
  //~ fan_in_only | const double fans = static_cast<double>(uniform.size(1));
  const double bound = std::sqrt(6.0 / fans);
  //~ variance_of_fan_in | const double bound = std::sqrt(3.0 / static_cast<double>(uniform.size(1)));
  //~ integer_division | const double bound = std::sqrt(static_cast<double>(6 / (uniform.size(0) + uniform.size(1))));
  //~ variance_as_bound | const double bound = std::sqrt(2.0 / fans);
  //~ root_forgotten | const double bound = 6.0 / fans;
  return (2.0 * uniform - 1.0) * bound;
  //~ not_centred | return 2.0 * uniform * bound;
  //~ positive_only | return uniform * bound;
  //]
}
