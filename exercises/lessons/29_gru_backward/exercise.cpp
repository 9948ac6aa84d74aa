//= title: GRU backward by hand
//= part: E
//= difficulty: 3
//= minutes: 35
//= after: 28
//= answer: gru_backward
//= mistake difference_by_division
//=   question: z can be 0. What do you divide by it?
//=   because: h - n was worked out from the next state, as (h_next - n) / z. With z = 0 the next state no longer
//=     depends on h, and 0 / 0 is NaN. Both h and n are at hand.
//= mistake update_sign
//=   question: If z grows a little, h_next moves away from one vector and towards another. Which is which?
//=   because: h_next = (1 - z) * n + z * h, so its derivative with respect to z is h - n. Yours is n - h, the
//=     derivative of the form in which z is the share that is replaced.
//= mistake update_without_candidate
//=   question: z stands twice in the last line. What does h_next lose of n when z grows a little?
//=   because: h_next = (1 - z) * n + z * h, so its derivative with respect to z is h - n. Yours is h alone: the z in
//=     1 - z was overlooked.
//= mistake update_reversed
//=   question: Where z is 1, h_next is a copy of h. How much can the candidate n matter there, and what does your dn
//=     say?
//=   because: n enters h_next with the factor 1 - z. Yours has the factor z, which belongs to h.
//= mistake reset_not_passed_on
//=   question: Where r is 0, does h_next depend on b_hn at all? What does your gradient say there?
//=   because: a_n contains r * (U_n h + b_hn): whatever goes back into the bracket is multiplied by r. Yours reaches
//=     U_n, b_hn and h without that factor.
//= mistake bias_hn_not_reset
//=   question: In the bracket that r multiplies, what stands beside U_n h? Is its gradient that of b_n?
//=   because: b_n stands outside the bracket and b_hn inside: their gradients differ by the factor r. Yours are
//=     equal.
//= mistake bracket_not_reset
//=   question: U_n h and b_hn stand in the bracket that r multiplies. Is what arrives at the bracket da_n? And what did
//=     you take for dh?
//=   because: the gradient of the bracket is da_n * r. Your dh is made of it; your dU_n and db_hn are made of da_n.
//= mistake reset_before_product
//=   question: Which vector did U_n multiply on the way forwards: h, or r * h?
//=   because: here r acts after the matrix, so dU_n is made of r * da_n and h. Yours is made of da_n and r * h, the
//=     gradient of the other form of GRU (exercise 30).
//= mistake reset_path_dropped
//=   question: h reaches h_next by four paths: directly, through z, through U_n and through one more. Which one?
//=   because: r depends on x, h, W_r, U_r and b_r, and n depends on r. Without that path the gradients of W_r, U_r
//=     and b_r are 0, and those of x and h lack a term.
//= mistake gate_slope_forgotten
//=   question: dr is the gradient at the sigmoid's output. Is it also the gradient at its input?
//=   because: between a_r and r stands a sigmoid, whose derivative r (1 - r) is at most 1/4. Without it each row's
//=     part that passes through a gate is at least four times too large.
//= mistake squashed_twice
//=   question: r, z and n of `step`: are they what went into sigmoid and tanh, or what came out? And where do you take
//=     the slopes?
//=   because: they came out. Yours sends them through sigmoid or tanh once more before it takes the slope. In terms
//=     of what came out, the slopes are r (1 - r), z (1 - z) and 1 - n^2.
//= mistake slope_of_the_other_gate
//=   premise: Your da_z is right, and da_r is not.
//=   question: At which gate's output did you take the sigmoid's slope for it?
//=   because: between a_r and r stands r's own sigmoid, whose slope is r (1 - r). Yours is z (1 - z).
//= mistake state_matrices_transposed
//=   premise: Your dU_r, dU_z and dU_n have the right shape, which is square.
//=   question: In dU_z[i, j], does i count what goes into the gate, or what comes out of it?
//=   because: they are transposed. U is [to, from], applied as h U^T, so its gradient is da^T h; h^T da is [from, to].
//=     With W, whose sides differ, no such product would fit.
//= mistake back_through_transposed
//=   premise: Your dx is right, and dh is not.
//=   question: a_z[i] contains U_z[i, j] h[j]: which index is summed on the way back to h[j]? And with the other two
//=     matrices?
//=   because: dh takes da_z U_z, as dx takes da_z W_z. You transposed one or all of the U, which the shapes allow,
//=     since they are square.
//= mistake direct_path_dropped
//=   question: Let z be 1: h_next is h itself. What must dh be then, and what is yours?
//=   because: h also appears by itself in h_next = (1 - z) * n + z * h. That term, dh_next * z, is the path on which
//=     gradients survive many steps, and it is missing in your dh.
//= mistake state_matrix_not_reset
//=   question: U_n stands in the bracket that r multiplies, as b_hn does. Is what arrives at dU_n what arrives at
//=     db_hn?
//=   because: the gradient of the bracket is da_n * r. Your dU_n is made of da_n, without r.
//= mistake dh_next_changed
//=   question: After your function has run, what is in dh_next? Which of your lines writes into its memory?
//=   because: a Tensor is a handle on memory that others see, too: dh_next itself was changed in place. dh_next * z
//=     makes a new tensor.
//= mistake tanh_slope_forgotten
//=   question: Where n is nearly 1, can a change of its argument still move it? Does yours see that?
//=   because: n = tanh(a_n), and tanh' = 1 - n^2. Your gradient passes the tanh as if it were not there.
//= mistake tanh_slope_not_squared
//=   question: What is the slope of tanh where n is 0, and where n is -1? What is the factor in your line there?
//=   because: tanh' = 1 - n^2 is the same for n and -n. Yours is 1 - n: right at n = 0 and n = 1, and 2 where it
//=     should be 0.
//= mistake reset_without_bias
//=   question: What exactly does r multiply? Did all of it get into dr?
//=   because: r multiplies U_n h + b_hn, so dr is da_n times that sum. Yours is da_n times U_n h alone.
//= mistake reset_squared
//=   question: r and recurrent are multiplied. Which of the two does the gradient of r contain, and what does your dr
//=     contain besides it?
//=   because: dr is da_n times the other factor, recurrent. Yours is made of the gradient of recurrent, in which r is a
//=     factor already.
//= mistake reset_before_tanh
//=   question: The product r * recurrent stands inside the tanh. Is your dr made of the gradient before tanh, or of
//=     the one after it?
//=   because: dr is da_n times recurrent. Yours is dn times recurrent: dn says how the loss changes with n itself, and
//=     has not gone through tanh's slope yet.
//= mistake recurrent_from_candidate
//=   question: Where r is 0, or n is 1, your dr is NaN or infinite. Can recurrent be worked out from n there?
//=     Where does `step` have it?
//=   because: you recover recurrent from n, by the inverse of tanh and a division by r. Where n is 1 the inverse is
//=     infinite, and where r is 0 nothing of recurrent is left in n. The forward pass kept it: step.recurrent.
//= mistake difference_from_the_next_state
//=   question: Where z is 1, your dz is NaN. Can h - n be worked out from h_next there? Where does `step` have h and n?
//=   because: you recover h - n from h_next - h, by a division by z - 1. Where z is 1 nothing of n is left in h_next.
//=     The forward pass kept both.
//= mistake input_through_candidate_only
//=   question: In how many of the three lines with a matrix does x stand?
//=   because: x feeds r, z and n, so dx has three terms. Yours has the one from n.
//= mistake bias_mean
//=   question: Your gradients of the biases are 1/{batch} of the true ones. How many rows used each bias?
//=   because: every one of the {batch} rows adds its part; a mean divides the sum by {batch}.
//= mistake state_after_instead_of_before
//=   question: Which state did U_r, U_z and U_n multiply: the one before the step or the one after it?
//=   because: the matrices were applied to h. Your products use h_next, one step too late.

#include "given.h"

GruGradients gru_backward(const Tensor& dh_next, const GruStep& step, const GruWeights& weights) {
  //[
  //- // TODO: from h_next back to x, h and the weights.
  //- // const auto& [x, h, r, z, n, recurrent, h_next] = step;
  //- // With a_n for what tanh was applied to, and a_r and a_z for what the sigmoids were applied to:
  //- // probe("dz", dz), and likewise "dn", "da_n", "dr", "da_r", "da_z", shows the checker where the first error is.
  //- todo("gru_backward: the twelve gradients");
  const auto& [x, h, r, z, n, recurrent, h_next] = step;

  // h_next = (1 - z) * n + z * h
  const Tensor dz = dh_next * (h - n);
  //~ difference_from_the_next_state | const Tensor dz = dh_next * (h_next - h) / (z - 1.0);
  //~ difference_by_division | const Tensor dz = dh_next * (h_next - n) / z;
  //~ update_sign | const Tensor dz = dh_next * (n - h);
  //~ update_without_candidate | const Tensor dz = dh_next * h;
  const Tensor dn = dh_next * (1.0 - z);
  //~ update_reversed | const Tensor dn = dh_next * z;

  // n = tanh(a_n), a_n = W_n x + b_n + r * recurrent
  const Tensor da_n = dn * (1.0 - n * n);
  //~ tanh_slope_forgotten | const Tensor da_n = dn;
  //~ squashed_twice | const Tensor da_n = dn * (1.0 - tanh(n) * tanh(n));
  //~ squashed_twice.candidate | const Tensor da_n = dn * (1.0 - tanh(n) * tanh(n));
  //~ tanh_slope_not_squared | const Tensor da_n = dn * (1.0 - n);
  const Tensor dr = da_n * recurrent;
  //~ reset_path_dropped | const Tensor dr = zeros_like(r);
  //~ reset_without_bias | const Tensor dr = da_n * linear(h, weights.U_n);
  //~ reset_squared | const Tensor dr = da_n * r * recurrent;
  //~ reset_before_tanh | const Tensor dr = dn * recurrent;
  //~ recurrent_from_candidate | const Tensor a_n = 0.5 * (log(1.0 + n) - log(1.0 - n));
  //~ recurrent_from_candidate | const Tensor dr = da_n * (a_n - linear(x, weights.W_n, weights.b_n)) / r;
  const Tensor d_recurrent = da_n * r;
  //~ reset_not_passed_on | const Tensor d_recurrent = da_n;

  // r = sigmoid(a_r), z = sigmoid(a_z)
  const Tensor da_r = dr * r * (1.0 - r);
  //~ gate_slope_forgotten | const Tensor da_r = dr;
  //~ squashed_twice | const Tensor da_r = dr * sigmoid(r) * (1.0 - sigmoid(r));
  //~ squashed_twice.gates | const Tensor da_r = dr * sigmoid(r) * (1.0 - sigmoid(r));
  //~ slope_of_the_other_gate | const Tensor da_r = dr * z * (1.0 - z);
  const Tensor da_z = dz * z * (1.0 - z);
  //~ gate_slope_forgotten | const Tensor da_z = dz;
  //~ squashed_twice | const Tensor da_z = dz * sigmoid(z) * (1.0 - sigmoid(z));
  //~ squashed_twice.gates | const Tensor da_z = dz * sigmoid(z) * (1.0 - sigmoid(z));

  probe("dz", dz);
  probe("dn", dn);
  probe("da_n", da_n);
  probe("dr", dr);
  probe("da_r", da_r);
  probe("da_z", da_z);

  GruGradients gradients;
  gradients.dx = matmul(da_r, weights.W_r) + matmul(da_z, weights.W_z) + matmul(da_n, weights.W_n);
  //~ input_through_candidate_only | gradients.dx = matmul(da_n, weights.W_n);
  gradients.dh = matmul(da_r, weights.U_r) + matmul(da_z, weights.U_z) + matmul(d_recurrent, weights.U_n);
  //~ back_through_transposed | gradients.dh = matmul(da_r, weights.U_r.t()) + matmul(da_z, weights.U_z.t());
  //~ back_through_transposed | gradients.dh = gradients.dh + matmul(d_recurrent, weights.U_n.t());
  //~ back_through_transposed.reset | gradients.dh = matmul(da_r, weights.U_r.t()) + matmul(da_z, weights.U_z);
  //~ back_through_transposed.reset | gradients.dh = gradients.dh + matmul(d_recurrent, weights.U_n);
  //~ back_through_transposed.update | gradients.dh = matmul(da_r, weights.U_r) + matmul(da_z, weights.U_z.t());
  //~ back_through_transposed.update | gradients.dh = gradients.dh + matmul(d_recurrent, weights.U_n);
  //~ back_through_transposed.candidate | gradients.dh = matmul(da_r, weights.U_r) + matmul(da_z, weights.U_z);
  //~ back_through_transposed.candidate | gradients.dh = gradients.dh + matmul(d_recurrent, weights.U_n.t());
  gradients.dh = gradients.dh + dh_next * z;
  //~ direct_path_dropped |
  //~ dh_next_changed | gradients.dh = gradients.dh + dh_next.mul_(z);
  gradients.dW_r = matmul(da_r.t(), x);
  gradients.dW_z = matmul(da_z.t(), x);
  gradients.dW_n = matmul(da_n.t(), x);
  gradients.dU_r = matmul(da_r.t(), h);
  //~ state_matrices_transposed | gradients.dU_r = matmul(h.t(), da_r);
  //~ state_after_instead_of_before | gradients.dU_r = matmul(da_r.t(), h_next);
  gradients.dU_z = matmul(da_z.t(), h);
  //~ state_matrices_transposed | gradients.dU_z = matmul(h.t(), da_z);
  //~ state_after_instead_of_before | gradients.dU_z = matmul(da_z.t(), h_next);
  gradients.dU_n = matmul(d_recurrent.t(), h);
  //~ state_matrices_transposed | gradients.dU_n = matmul(h.t(), d_recurrent);
  //~ state_after_instead_of_before | gradients.dU_n = matmul(d_recurrent.t(), h_next);
  //~ state_matrix_not_reset | gradients.dU_n = matmul(da_n.t(), h);
  //~ bracket_not_reset | gradients.dU_n = matmul(da_n.t(), h);
  //~ reset_before_product | gradients.dU_n = matmul(da_n.t(), r * h);
  gradients.db_r = da_r.sum({0});
  //~ bias_mean | gradients.db_r = da_r.mean({0});
  gradients.db_z = da_z.sum({0});
  //~ bias_mean | gradients.db_z = da_z.mean({0});
  gradients.db_n = da_n.sum({0});
  //~ bias_mean | gradients.db_n = da_n.mean({0});
  gradients.db_hn = d_recurrent.sum({0});
  //~ bracket_not_reset | gradients.db_hn = da_n.sum({0});
  //~ bias_hn_not_reset | gradients.db_hn = da_n.sum({0});
  //~ bias_mean | gradients.db_hn = d_recurrent.mean({0});
  return gradients;
  //]
}
