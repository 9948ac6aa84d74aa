//= title: Softmax VJP
//= part: D
//= difficulty: 2
//= minutes: 20
//= after: 12
//= fast track
//= answer: softmax_jacobian, softmax_vjp
//= not: backward
//= mistake jacobian_diagonal_only
//=   question: Your Jacobian is 0 off the diagonal. If x[0] grows and y[0] with it, what must happen to the other
//=     y, which together sum to 1?
//=   because: y[i] (1 - y[i]) is the derivative of y[i] with respect to its *own* x. Every y also falls when another x
//=     grows, because all of them share one sum: the entries off the diagonal are -y[i] y[j].
//= mistake jacobian_without_diagonal
//=   question: Every entry of your Jacobian is negative. What happens to y[0] when x[0] itself grows?
//=   because: -y[i] y[j] comes from the common sum and appears everywhere. On the diagonal the numerator exp(x[i])
//=     changes as well, which adds y[i].
//= mistake jacobian_sign
//=   question: Every entry of your Jacobian is positive. Can all {classes} probabilities grow at once?
//=   because: when one x grows, so does the sum by which all of them are divided, and the other y fall. The product
//=     y[i] y[j] is subtracted from the diagonal.
//= mistake jacobian_diagonal_of_ones
//=   premise: Your Jacobian is right off the diagonal, and its rows do not sum to 0.
//=   question: What does exp(x[i]) / s become when the numerator alone is differentiated with respect to x[i]?
//=   because: the derivative of exp(x[i]) / s through its numerator is again exp(x[i]) / s, which is y[i]. With 1
//=     instead, the diagonal is 1 - y[i]^2; it should be y[i] - y[i]^2.
//= mistake jacobian_square_twice
//=   premise: Your Jacobian is right off the diagonal.
//=   question: How often is y[i]^2 subtracted on it, and how often should it be?
//=   because: y[i] (1 - y[i]) has y[i]^2 subtracted already, and y[i] y[j] is subtracted once more, for j = i as
//=     well. Either take y[i] for the diagonal and subtract everywhere, or y[i] (1 - y[i]) and subtract off the
//=     diagonal only.
//= mistake jacobian_row_times_row
//=   premise: Your Jacobian is right on the diagonal.
//=   question: Which two numbers are multiplied in J[0, 1], and which two in J[1, 0]? Are they the same in yours?
//=   because: -y[i] y[j] is a column times a row. You multiplied y by itself entry by entry, and the squares were
//=     subtracted from every row: you have -y[j]^2 where -y[i] y[j] should be.
//= mistake diagonal_only
//=   question: Your dx is y (1 - y) dy. How many of the {classes} entries of y change when one x changes?
//=   because: you took the diagonal of the Jacobian, as for a sigmoid. Softmax is not an elementwise function: x[j]
//=     moves every y[i] of the row, and all of them send something back to it.
//= mistake outer_factor_forgotten
//=   premise: The entries of your dx have the right signs, but they do not sum to 0.
//=   question: Which factor was in front of *both* terms of J[i, j]?
//=   because: dx[j] = y[j] (dy[j] - sum): the factor y[j] belongs to both terms. You have only what is in the
//=     brackets.
//= mistake mean_without_y
//=   question: J[i, j] has the factor y[j] in both terms. In which of the two terms of your dx is it missing?
//=   because: dx[j] = y[j] dy[j] - y[j] (sum over i of dy[i] y[i]). The same sum is subtracted from every class as
//=     it is: its factor y[j] was lost.
//= mistake mean_divided
//=   question: The weights y sum to 1. By what must sum over i of dy[i] y[i] be divided to be a mean?
//=   because: the sum was divided by the number of classes, {classes}. A sum with weights that sum to 1 is a mean
//=     already.
//= mistake plain_mean
//=   question: You subtract the mean of dy. With which weights do the {classes} entries of dy enter the sum over i
//=     of dy[i] J[i, j]?
//=   because: the sum is weighted by the probabilities y: entries that softmax made small count little. A plain
//=     mean would be right only where all y are equal.
//= mistake sum_without_weights
//=   question: You subtract the sum of dy. With which weights do its {classes} entries enter the sum over i of dy[i]
//=     J[i, j]?
//=   because: the sum over i is of dy[i] y[i]: how much of what arrives at y[i] affects the others depends on how
//=     large y[i] is. Without the weights dx does not sum to 0.
//= mistake log_softmax_formula
//=   question: Your dx is dy minus y times the sum of dy. Of which function's output would y then be the
//=     exponential?
//=   because: dy - y sum(dy) is the backward of *log*-softmax. For softmax itself, y multiplies dy too.
//= mistake off_diagonal_missing
//=   question: Your dx is y dy. What would it be, if the loss were the sum of all y, which is always 1?
//=   because: y dy is the part of the numerator, exp(x[j]). The denominator depends on x[j] as well, and takes y[j]
//=     times the weighted mean of dy away again.
//= mistake sign_flipped
//=   question: Your dx is minus what it should be. If only dy[0] is not 0, and positive, in which direction should
//=     x[0] go?
//=   because: you subtract dy from the weighted mean. A larger x[j] makes y[j] larger, so an entry of dy that is
//=     above the mean has a positive gradient.
//= mistake returns_zero
//=   question: Your dx is 0. For which dy is that right, and is the dy here one of them?
//=   because: the gradient is 0 where all entries of dy are equal, since the sum of the y never changes. A loss
//=     that is a plain sum of the y has such a dy, and proves nothing about softmax; here dy is random.
//= mistake wrong_axis
//=   question: Your sum runs over dim 0. Over which entries did softmax divide by a common sum?
//=   because: only the {classes} entries along the last dim share a denominator. With two dims your sum mixes the
//=     rows of the batch, which are independent of each other.
//= mistake second_axis
//=   premise: Your dx is right for [batch, classes].
//=   question: In [batch, time, classes], which dim does your sum run over?
//=   because: dim 1 is the last only if there are two. Softmax is along the last dim, however many there are: dim -1.
//= mistake mean_put_back_at_dim_1
//=   question: The sum over the classes of [{batch}, {time}, {classes}] is [{batch}, {time}]. Where must the dim of
//=     size 1 be put back, and where do you put it?
//=   because: it was put back as dim 1, which is the last only if there are two. sum with keepdim = true leaves it
//=     where it was; unsqueeze(-1) puts it at the end.
//= mistake summed_over_all
//=   question: You subtract one number from all of dy. How many softmaxes are there in y?
//=   because: every row along the last dim is a softmax of its own, with its own weighted mean. A sum without dims
//=     adds up the means of all rows.
//= mistake size_written_down
//=   premise: Your dx is right for one number of classes.
//=   question: Where does your code know how many classes there are?
//=   because: the number of classes was written down, {classes}, or some other. It is y.size(-1).
//= mistake identity
//=   question: Your dx is dy itself. If dy is the same number everywhere, does the loss change with x at all?
//=   because: that would be the backward of y = x. Softmax was passed over.
//= mistake dy_changed_in_place
//=   question: After your function has run, what is in dy? Which of your lines writes into its memory?
//=   because: a Tensor is a handle, and a new name for it stands for dy itself. dy has now lost its mean, for all
//=     the code that still needs it. dy - mean makes a new tensor; so does dy.clone().
//= mistake builds_jacobian
//=   premise: The numbers are right.
//=   question: With {classes} classes J has {classes} times {classes} entries: how many does it have for a vocabulary
//=     of 30 000 words, and how many bytes are they?
//=   because: the Jacobian is a diagonal minus y y^T. To multiply each part by dy takes only {classes} numbers; you
//=     built all of J for every row, which takes 7.2 GB per row at 30 000 words.
//= equal mutant: const Tensor diagonal = autograd::eye(y.size(-1), y.dtype()) * y;
//=   because: y has one dim.
//= equal mutant: return diagonal - y.unsqueeze(1) * y;
//=   because: y [classes] is broadcast as [1, classes].

#include "given.h"

Tensor softmax_jacobian(const Tensor& y) {
  //[
  //- // TODO: the Jacobian as a matrix. autograd::eye(n, y.dtype()) is the identity.
  //- todo("softmax_jacobian: dy[i] / dx[j] for one softmax");
  const Tensor diagonal = autograd::eye(y.size(0), y.dtype()) * y;
  //~ jacobian_diagonal_of_ones | const Tensor diagonal = autograd::eye(y.size(0), y.dtype());
  //~ jacobian_square_twice | const Tensor diagonal = autograd::eye(y.size(0), y.dtype()) * y * (1.0 - y);
  return diagonal - y.unsqueeze(1) * y.unsqueeze(0);
  //~ jacobian_row_times_row | return diagonal - y.unsqueeze(0) * y.unsqueeze(0);
  //~ jacobian_sign | return diagonal + y.unsqueeze(1) * y.unsqueeze(0);
  //~ jacobian_diagonal_only 2 | return autograd::eye(y.size(0), y.dtype()) * y * (1.0 - y);
  //~ jacobian_without_diagonal 2 | return -(y.unsqueeze(1) * y.unsqueeze(0));
  //]
}

Tensor softmax_vjp(const Tensor& dy, const Tensor& y) {
  //[
  //- // TODO: dx[j] = sum over i of dy[i] J[i, j], with J's formula put in and worked out first. y may have any dims.
  //- //   probe("weighted_mean", weighted_mean)   [.., 1], the number that all entries of a row have in common
  //- todo("softmax_vjp: the gradient dx");
  const Tensor weighted_mean = (y * dy).sum({-1}, true);
  //~ size_written_down | const std::int64_t classes = std::min<std::int64_t>(y.size(-1), 5);
  //~ size_written_down | const Tensor weighted_mean = (y * dy).narrow(-1, 0, classes).sum({-1}, true);
  //~ size_written_down.three | const std::int64_t classes = std::min<std::int64_t>(y.size(-1), 3);
  //~ size_written_down.three | const Tensor weighted_mean = (y * dy).narrow(-1, 0, classes).sum({-1}, true);
  //~ sum_without_weights | const Tensor weighted_mean = dy.sum({-1}, true);
  //~ plain_mean | const Tensor weighted_mean = dy.mean({-1}, true);
  //~ wrong_axis | const Tensor weighted_mean = (y * dy).sum({0}, true);
  //~ summed_over_all | const Tensor weighted_mean = (y * dy).sum();
  //~ second_axis | const Tensor weighted_mean = (y * dy).sum({1}, true);
  //~ mean_put_back_at_dim_1 | const Tensor weighted_mean = (y * dy).sum({-1}).unsqueeze(1);
  //~ mean_divided | const Tensor weighted_mean = (y * dy).mean({-1}, true);
  probe("weighted_mean", weighted_mean);
  return y * (dy - weighted_mean);
  //~ outer_factor_forgotten | return dy - weighted_mean;
  //~ sign_flipped | return y * (weighted_mean - dy);
  //~ mean_without_y | return y * dy - weighted_mean;
  //~ dy_changed_in_place | Tensor centred = dy;
  //~ dy_changed_in_place | centred -= weighted_mean;
  //~ dy_changed_in_place | return y * centred;
  //~ diagonal_only 3 | return y * (1.0 - y) * dy;
  //~ log_softmax_formula 3 | return dy - y * dy.sum({-1}, true);
  //~ off_diagonal_missing 3 | return y * dy;
  //~ returns_zero 3 | return zeros_like(y);
  //~ identity 3 | return dy;
  //~ builds_jacobian 3 | const Tensor diagonal = autograd::eye(y.size(-1), y.dtype()) * y.unsqueeze(-2);
  //~ builds_jacobian | const Tensor jacobian = diagonal - y.unsqueeze(-1) * y.unsqueeze(-2);
  //~ builds_jacobian | return matmul(dy.unsqueeze(-2), jacobian).squeeze(-2);
  //]
}
