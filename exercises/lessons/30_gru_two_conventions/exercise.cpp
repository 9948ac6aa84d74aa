//= title: GRU, two conventions
//= part: E
//= difficulty: 2
//= minutes: 20
//= after: 28
//= answer: gru_pytorch, gru_paper, to_pytorch
//= mistake blocks_zrn
//=   question: In weight_ih, which gate do the first {hidden} of the 3 * {hidden} rows belong to?
//=   because: PyTorch stacks the blocks as r, z, n. Keras and ONNX stack them as z, r, n. Your next state is the one
//=     that results from reading the first two blocks in that other order.
//= mistake update_swapped
//=   question: Set z to 1 in PyTorch's formula. Is the next state the old one, or all new? What does yours give?
//=   because: in PyTorch's form z is the share that is kept: h' = (1 - z) * n + z * h. The paper's z is the share
//=     that is replaced. Your numbers are the first form with the second form's meaning of z.
//= mistake reset_before_product
//=   question: In gru_pytorch, is the matrix W_hn applied to h, or to something else? In which order do r and W_hn
//=     act?
//=   because: W_hn (r * h) and r * (W_hn h) agree only where W_hn is diagonal. A full matrix mixes the {hidden}
//=     entries of h, so it matters whether they were scaled before or after that.
//= mistake bias_outside_reset
//=   question: Where r is 0, does b_hn still reach your candidate? Does it in PyTorch's formula?
//=   because: PyTorch's r multiplies all of W_hn h + b_hn, the bias too. Added outside the bracket, the bias counts
//=     in full however far the gate is closed.
//= mistake reset_on_input_too
//=   question: Where r is 0, what is left of x in your candidate?
//=   because: the reset gate decides how much of the old state the candidate sees. The part that comes from x is
//=     never gated, so that a cell which forgets everything still reads its input.
//= mistake candidate_with_sigmoid
//=   question: Can your candidate n be negative? Should a state be able to become negative?
//=   because: r and z are shares and lie between 0 and 1: they come from a sigmoid. n is a new state and lies between
//=     -1 and 1: it comes from tanh.
//= mistake paper_update_swapped
//=   question: Set z to 1 in the paper's formula. What is the next state there, and what does your gru_paper give?
//=   because: the paper writes h' = (1 - z) * h + z * n: its z is the share that is replaced. You kept PyTorch's
//=     meaning.
//= mistake paper_reset_after
//=   question: In the paper's candidate, what is multiplied by U_n: h, or h after something was done to it?
//=   because: the paper first resets the state and then multiplies, U_n (r * h). Yours is r * (U_n h): PyTorch's
//=     order, which is another function.
//= mistake paper_without_reset
//=   question: How does your gru_paper change when r does?
//=   because: without r in the candidate the reset gate has no effect: your next state is the one for r = 1
//=     everywhere.
//= mistake paper_gates_exchanged
//=   question: In gru_paper, which gate scales the state that the candidate sees, and which mixes old and new?
//=   because: r and z have each other's weights, or each other's places. The reset gate r stands in the candidate, the
//=     update gate z in the sum.
//= mistake stacked_zrn
//=   question: In the stack that to_pytorch makes, whose rows come first?
//=   because: the paper's weights name z before r, PyTorch stacks r before z. In your stack each of the two gates has
//=     the other's weights.
//= mistake update_not_negated
//=   question: If sigmoid(a) is the share that is kept, for which a' is sigmoid(a') the share that is replaced?
//=   because: 1 - sigmoid(a) = sigmoid(-a). The two forms give z opposite meanings, so W_z, U_z and b_z all change
//=     sign; yours have kept theirs.
//= mistake update_one_minus
//=   question: For which a' is sigmoid(a') = 1 - sigmoid(a)? Try a = 0, and then your 1 - a.
//=   because: you took 1 minus the weights. It is the gate that becomes 1 - z; before the sigmoid that means the
//=     opposite sign, 1 - sigmoid(a) = sigmoid(-a). With a = 0 both are 1/2, and sigmoid(1 - 0) is 0.73.
//= mistake update_bias_not_negated
//=   question: a_z = W_z x + U_z h + b_z has three terms. In how many of them did you change the sign?
//=   because: -a_z is minus all three terms. Yours is right only where b_z is 0. Many networks start like that, so
//=     the error would show only after training.
//= mistake candidate_bias_in_hh
//=   question: PyTorch has two biases per block. Are they interchangeable for n, as they are for r and z?
//=   because: b_hn stands inside the bracket that r multiplies, b_in outside, and the paper's bias is outside. In r
//=     and z the two biases are only added up, so there it does not matter.
//= mistake bias_twice
//=   question: What is bias_ih + bias_hh in your stack, and what was the paper's bias?
//=   because: a step adds up all it is given. With the paper's bias in both places it counts twice in r and z, and in
//=     n once more, times r.
//= mistake negated_in_place
//=   premise: Your converted weights are right.
//=   question: What are the paper's weights after to_pytorch?
//=   because: W_z, U_z and b_z were negated in place: a copy of a Tensor is the same memory. From then on the caller
//=     has a different cell. -W_z is a new tensor, and leaves W_z as it is.
//= equal mutant: without: stacked.bias_hh = zeros_like(stacked.bias_ih);
//=   because: linear() takes a bias that is not there for one of zeros.

#include "given.h"

Tensor gru_pytorch(const Tensor& x, const Tensor& h, const StackedWeights& weights) {
  //[
  //- // TODO: the next state in PyTorch's form.
  //- // probe("r_pytorch", r), probe("z_pytorch", z) and probe("n_pytorch", n) show them to the checker.
  //- todo("gru_pytorch: one step, with the reset gate after the matrix");
  // Three of [batch, hidden] each.
  const std::vector<Tensor> from_x = linear(x, weights.weight_ih, weights.bias_ih).chunk(3, -1);
  const std::vector<Tensor> from_h = linear(h, weights.weight_hh, weights.bias_hh).chunk(3, -1);
  const Tensor r = sigmoid(from_x[0] + from_h[0]);
  //~ blocks_zrn | const Tensor r = sigmoid(from_x[1] + from_h[1]);
  const Tensor z = sigmoid(from_x[1] + from_h[1]);
  //~ blocks_zrn | const Tensor z = sigmoid(from_x[0] + from_h[0]);
  const Tensor n = tanh(from_x[2] + r * from_h[2]);
  //~ reset_before_product | const std::vector<Tensor> matrices = weights.weight_hh.chunk(3);
  //~ reset_before_product | const Tensor bias = weights.bias_hh.chunk(3)[2];
  //~ reset_before_product | const Tensor n = tanh(from_x[2] + linear(r * h, matrices[2], bias));
  //~ bias_outside_reset | const std::vector<Tensor> matrices = weights.weight_hh.chunk(3);
  //~ bias_outside_reset | const Tensor bias = weights.bias_hh.chunk(3)[2];
  //~ bias_outside_reset | const Tensor n = tanh(from_x[2] + r * linear(h, matrices[2]) + bias);
  //~ reset_on_input_too | const Tensor n = tanh(r * (from_x[2] + from_h[2]));
  //~ candidate_with_sigmoid | const Tensor n = sigmoid(from_x[2] + r * from_h[2]);
  probe("r_pytorch", r);
  probe("z_pytorch", z);
  probe("n_pytorch", n);
  return (1.0 - z) * n + z * h;
  //~ update_swapped | return z * n + (1.0 - z) * h;
  //]
}

Tensor gru_paper(const Tensor& x, const Tensor& h, const PaperWeights& weights) {
  //[
  //- // TODO: the next state in the paper's form.
  //- // probe("r_paper", r), probe("z_paper", z) and probe("n_paper", n) show them to the checker.
  //- todo("gru_paper: one step, with the reset gate before the matrix");
  const Tensor r = sigmoid(linear(x, weights.W_r, weights.b_r) + linear(h, weights.U_r));
  //~ paper_gates_exchanged | const Tensor r = sigmoid(linear(x, weights.W_z, weights.b_z) + linear(h, weights.U_z));
  const Tensor z = sigmoid(linear(x, weights.W_z, weights.b_z) + linear(h, weights.U_z));
  //~ paper_gates_exchanged | const Tensor z = sigmoid(linear(x, weights.W_r, weights.b_r) + linear(h, weights.U_r));
  const Tensor n = tanh(linear(x, weights.W_n, weights.b_n) + linear(r * h, weights.U_n));
  //~ paper_reset_after | const Tensor n = tanh(linear(x, weights.W_n, weights.b_n) + r * linear(h, weights.U_n));
  //~ paper_without_reset | const Tensor n = tanh(linear(x, weights.W_n, weights.b_n) + linear(h, weights.U_n));
  probe("r_paper", r);
  probe("z_paper", z);
  probe("n_paper", n);
  return (1.0 - z) * h + z * n;
  //~ paper_update_swapped | return (1.0 - z) * n + z * h;
  //]
}

StackedWeights to_pytorch(const PaperWeights& paper) {
  //[
  //- // TODO: stack the blocks with autograd::cat({...}). What becomes of z, and where does each bias go?
  //- todo("to_pytorch: the same weights for the other form");
  StackedWeights stacked;
  //~ negated_in_place | const autograd::NoGradGuard no_grad;
  //~ negated_in_place | for (const Tensor& part : {paper.W_z, paper.U_z, paper.b_z}) part.mul_(-1.0);
  //~ negated_in_place | StackedWeights stacked;
  stacked.weight_ih = autograd::cat({paper.W_r, -paper.W_z, paper.W_n});
  //~ stacked_zrn | stacked.weight_ih = autograd::cat({-paper.W_z, paper.W_r, paper.W_n});
  //~ negated_in_place | stacked.weight_ih = autograd::cat({paper.W_r, paper.W_z, paper.W_n});
  //~ update_one_minus | stacked.weight_ih = autograd::cat({paper.W_r, 1.0 - paper.W_z, paper.W_n});
  //~ update_not_negated | stacked.weight_ih = autograd::cat({paper.W_r, paper.W_z, paper.W_n});
  stacked.weight_hh = autograd::cat({paper.U_r, -paper.U_z, paper.U_n});
  //~ stacked_zrn | stacked.weight_hh = autograd::cat({-paper.U_z, paper.U_r, paper.U_n});
  //~ negated_in_place | stacked.weight_hh = autograd::cat({paper.U_r, paper.U_z, paper.U_n});
  //~ update_one_minus | stacked.weight_hh = autograd::cat({paper.U_r, 1.0 - paper.U_z, paper.U_n});
  //~ update_not_negated | stacked.weight_hh = autograd::cat({paper.U_r, paper.U_z, paper.U_n});
  stacked.bias_ih = autograd::cat({paper.b_r, -paper.b_z, paper.b_n});
  //~ stacked_zrn | stacked.bias_ih = autograd::cat({-paper.b_z, paper.b_r, paper.b_n});
  //~ negated_in_place | stacked.bias_ih = autograd::cat({paper.b_r, paper.b_z, paper.b_n});
  //~ update_one_minus | stacked.bias_ih = autograd::cat({paper.b_r, 1.0 - paper.b_z, paper.b_n});
  //~ update_not_negated | stacked.bias_ih = autograd::cat({paper.b_r, paper.b_z, paper.b_n});
  //~ update_bias_not_negated | stacked.bias_ih = autograd::cat({paper.b_r, paper.b_z, paper.b_n});
  //~ candidate_bias_in_hh | stacked.bias_ih = autograd::cat({paper.b_r, -paper.b_z, zeros_like(paper.b_n)});
  stacked.bias_hh = zeros_like(stacked.bias_ih);  // not for n: there r would scale it
  //~ candidate_bias_in_hh | stacked.bias_hh = autograd::cat({zeros_like(paper.b_r), zeros_like(paper.b_z), paper.b_n});
  //~ bias_twice | stacked.bias_hh = stacked.bias_ih;
  return stacked;
  //]
}
