//= title: LSTM forward and backward
//= part: E
//= difficulty: 3
//= minutes: 35
//= after: 29
//= answer: lstm_forward, lstm_backward, with_half_life
//= not: lstm_gates, backward
//= mistake blocks_in_another_order
//=   question: Of the 4 * {hidden} rows of weight_ih, which gate do the second {hidden} belong to, and which the last?
//=   because: PyTorch stacks i, f, g, o. Many papers write f first, TensorFlow's old cell has i, g, f, o, ONNX has i,
//=     o, f, g. The sizes are equal, so the shapes do not show it.
//= mistake state_and_cell_exchanged
//=   question: Which of the two goes through the matrices, and which is only multiplied by f? Which one is shown to the
//=     outside?
//=   because: h and c have the same shape and are easily exchanged. The gates read h, f keeps c, and a step makes
//=     c_next before h_next.
//= mistake candidate_with_sigmoid
//=   question: Can your candidate g be negative? Could a cell ever fall then?
//=   because: i, f and o are shares and lie between 0 and 1: they come from a sigmoid. g is what is written into the
//=     cell and lies between -1 and 1: it comes from tanh.
//= mistake cell_with_wrong_gates
//=   question: Where f is 1 and i is 0, what should c_next be? And where both are 1? What are yours?
//=   because: f multiplies the old cell, i the candidate. In your c_next they are exchanged, or the candidate gets the
//=     rest, 1 - f, as in a GRU: an LSTM can keep all it has and write something new.
//= mistake cell_through_tanh
//=   question: Can your c_next be above 1? Which of the two, c_next or h_next, has to pass through tanh?
//=   because: the cell itself passes through no tanh: that is why its gradient survives many steps. tanh stands only
//=     where the cell is shown, in h_next.
//= mistake state_of_another_value
//=   question: c_next can be 5. Can h_next? And what must h_next be made of, so that it shows what this step has
//=     written?
//=   because: what is shown is o * tanh(c_next). Your o multiplies the cell itself, or a value made from the cell
//=     before the step; or the tanh is outside.
//= mistake bias_left_out
//=   premise: With both biases at 0 your step would be right.
//=   question: How many biases does each gate have in PyTorch, and how often does each of them get into your sum?
//=   because: the sum of a gate contains bias_ih and bias_hh, each of them once.
//= mistake one_added_at_every_step
//=   question: What is your f where everything that you are given is 0? Where does the forget gate's bias get its 1
//=     from?
//=   because: a forget gate that starts with a bias of 1 gets it from the weights at the start of training. You add 1
//=     to its sum in the step: TensorFlow's old cell did that, PyTorch does not, and trained weights then count it
//=     twice.
//= mistake next_cell_gradient_forgotten
//=   premise: Your gradients are right where dc_next is 0.
//=   question: c_next is used by h_next. Who else uses it, and what does that send back?
//=   because: the next step begins with c_next, and sends back dc_next. Without it the gradient of the cell never gets
//=     beyond one step, and the LSTM has lost what it was made for.
//= mistake next_cell_gradient_scaled
//=   premise: Your gradients are right where dc_next is 0.
//=   question: dc_next is the gradient of c_next, as the next step sends it. What did you multiply it by, and why?
//=   because: dc_next says how the loss changes with c_next, and has been through the next step's f already. This
//=     step's gates stand between c_next and other values: o on the way to h_next, f on the way to c.
//= mistake state_path_into_cell_forgotten
//=   premise: Your gradients are right where dh_next is 0.
//=   question: dc_next is what the next step sends back to c_next. Which line of this step uses c_next, too?
//=   because: h_next = o * tanh(c_next), so the gradient of c_next is a sum: dc_next, plus dh_next * o times tanh's
//=     slope. Yours is dc_next alone.
//= mistake cell_slope_forgotten
//=   question: Where c_next is 5, can a change of c_next still move h_next? Does your gradient of the cell see that?
//=   because: between c_next and h_next there is a tanh, whose slope is 1 - tanh(c_next)^2. You pass it as if it were
//=     not there.
//= mistake cell_slope_of_another_value
//=   question: tanh's slope is 1 - y^2. What is y here?
//=   because: y is tanh's output, tanh(c_next): the step does not keep it, so it is computed again. You took another
//=     value for it: c_next itself, h_next, which has been multiplied by o, or the tanh of the cell before the step.
//= mistake output_gate_forgotten
//=   premise: Where o is 1 your gradients are right.
//=   question: Where o is 0 nothing of the cell is shown. What does dh_next tell the cell there, and what does yours?
//=   because: h_next = o * tanh(c_next): what goes back to tanh(c_next) is dh_next * o. Your part of the cell's
//=     gradient has no o.
//= mistake output_gate_from_cell
//=   premise: Of the gates, only o has wrong gradients.
//=   question: What exactly does o multiply in h_next?
//=   because: the other factor is tanh(c_next). You took another value: c_next, h_next or the cell before the step.
//= mistake factor_for_the_other
//=   question: c_next contains f * c and i * g. If one factor of a product grows a little, is what the product gains in
//=     proportion to that factor, or to the other?
//=   because: a product passes to each factor the gradient times the *other* factor: di has g, dg has i, df has c and
//=     dc has f. Yours got its own.
//= mistake forget_gate_with_next_cell
//=   question: What did f multiply: the cell before the step, or the one after it?
//=   because: c_next = f * c + i * g, so df is the cell's gradient times c. Yours is made of c_next.
//= mistake dc_incomplete
//=   premise: Over one step, only your dc is wrong.
//=   question: What arrives at c_next, in all? And where f is 0, does c_next depend on c at all?
//=   because: dc is the whole gradient of c_next times the factor that c has there, f. In yours f is missing, or one of
//=     the two parts of the cell's gradient, so that steps further back never hear of it.
//= mistake direct_path_added
//=   premise: Over one step, only your dh is wrong.
//=   question: In how many of the six lines does h stand, and is there one in which no matrix multiplies it?
//=   because: h enters through weight_hh only. A GRU keeps a part of its state, and so has a path from h_next to h
//=     without a matrix; an LSTM has that path in its cell.
//= mistake slope_of_the_other_function
//=   question: Which of the four are sigmoids and which is a tanh? What is the slope of each, in terms of its output?
//=   because: a sigmoid y has the slope y (1 - y), a tanh 1 - y^2. One of yours has the other's, or your slope of
//=     tanh is 1 - y, which is 2 at y = -1, where it should be 0.
//= mistake slope_forgotten
//=   question: di is the gradient at the sigmoid's output. Is it also the gradient at its input? And with f, g and o?
//=   because: between a sum such as W_i x + U_i h + b_i and its gate stands a sigmoid or a tanh. What goes back through
//=     it is multiplied by its slope, y (1 - y) or 1 - y^2.
//= mistake gradients_in_another_order
//=   question: In dweight_ih, which gate's rows are the second {hidden}, and which the last?
//=   because: the gradient has the rows of weight_ih, in its order: i, f, g, o. You put the four together in a
//=     different order, and dx and dh then meet the matrices of other gates.
//= mistake state_after_instead_of_before
//=   question: Which vector did weight_hh multiply in this step?
//=   because: it multiplied h, the state before the step. Yours is made of another one.
//= mistake bias_mean
//=   question: Your gradients of the biases are 1/{batch} of the true ones. How many rows used each bias?
//=   because: every one of the {batch} rows adds its part; a mean divides the sum by {batch}.
//= mistake only_one_bias_learns
//=   question: If bias_hh[0] grows by a little, how does the sum of its gate change? And if bias_ih[0] does?
//=   because: both biases are added to the same sum, so each of them has the whole gradient, not a part of it.
//= mistake worked_out_by_division
//=   question: A gate can be 0. What do you divide by it?
//=   because: you recover tanh(c_next), the old cell or the candidate by dividing by a gate. Where the gate is 0
//=     nothing of it is left in the product, and 0 / 0 is NaN. `step` has c, g and c_next.
//= mistake another_gate_changed
//=   question: Which rows of the two biases belong to the forget gate? Which others did you change?
//=   because: the blocks are i, f, g, o: the forget gate has the second {hidden} rows of each bias, and only these
//=     change.
//= mistake biases_add_up
//=   question: With x and h at 0, what is the sum of the forget gate: bias_ih, bias_hh, or both?
//=   because: the gate gets the sum of the two biases. In yours something is added to the bias that you computed: the
//=     same again, or what one of them was before.
//= mistake share_for_the_bias
//=   question: f = sigmoid(bias). Which bias gives f = 1/2? Which does yours give for a half-life of one step?
//=   because: the bias goes through the sigmoid. sigmoid(b) = f for b = log(f / (1 - f)), which is 0 for f = 1/2. You
//=     took the share itself, its logarithm alone, or the other sign.
//= mistake lost_in_equal_parts
//=   question: Each step keeps the share f of what there still is. What is left after two steps, and what after
//=     `steps`?
//=   because: after n steps f^n is left, so f is the n-th root of 1/2. Yours is another share: of what is left at the
//=     end.
//= mistake only_biases_returned
//=   question: What are weight_ih and weight_hh in what you return?
//=   because: you return a new LstmWeights of which only the biases are set. A copy of the one that was given has all
//=     four.
//= mistake weights_changed_in_place
//=   premise: The weights that you return are right.
//=   question: What are the caller's weights after your function has run?
//=   because: a copy of a Tensor is the same memory. You filled the caller's bias. autograd::cat and full_like make new
//=     tensors.

#include "given.h"

LstmStep lstm_forward(const Tensor& x, const Tensor& h, const Tensor& c, const LstmWeights& weights) {
  //[
  //- // TODO: one step. Multiply first, then split with chunk(4, -1).
  //- // return {x, h, c, i, f, g, o, c_next, h_next};
  //- todo("lstm_forward: the gates, the cell and the state");
  const Tensor from_x = linear(x, weights.weight_ih, weights.bias_ih);
  //~ bias_left_out.of_x | const Tensor from_x = linear(x, weights.weight_ih);
  //~ bias_left_out.counted_twice | const Tensor from_x = linear(x, weights.weight_ih, weights.bias_ih + weights.bias_hh);
  const Tensor from_h = linear(h, weights.weight_hh, weights.bias_hh);
  //~ bias_left_out | const Tensor from_h = linear(h, weights.weight_hh);
  //~ bias_left_out.same_again | const Tensor from_h = linear(h, weights.weight_hh, weights.bias_ih);
  //~ state_and_cell_exchanged | const Tensor from_h = linear(c, weights.weight_hh, weights.bias_hh);
  //~ state_and_cell_exchanged.in_the_matrices | const Tensor from_h = linear(c, weights.weight_hh, weights.bias_hh);
  const std::vector<Tensor> a = (from_x + from_h).chunk(4, -1);  // four of [batch, hidden]
  const Tensor i = sigmoid(a[0]);
  //~ blocks_in_another_order.f_first | const Tensor i = sigmoid(a[1]);
  const Tensor f = sigmoid(a[1]);
  //~ blocks_in_another_order.f_first | const Tensor f = sigmoid(a[0]);
  //~ blocks_in_another_order.i_g_f_o | const Tensor f = sigmoid(a[2]);
  //~ blocks_in_another_order.i_o_f_g | const Tensor f = sigmoid(a[2]);
  //~ one_added_at_every_step | const Tensor f = sigmoid(a[1] + 1.0);
  const Tensor g = tanh(a[2]);
  //~ blocks_in_another_order | const Tensor g = tanh(a[3]);
  //~ blocks_in_another_order.i_g_f_o | const Tensor g = tanh(a[1]);
  //~ blocks_in_another_order.i_o_f_g | const Tensor g = tanh(a[3]);
  //~ candidate_with_sigmoid | const Tensor g = sigmoid(a[2]);
  const Tensor o = sigmoid(a[3]);
  //~ blocks_in_another_order | const Tensor o = sigmoid(a[2]);
  //~ blocks_in_another_order.i_o_f_g | const Tensor o = sigmoid(a[1]);
  const Tensor c_next = f * c + i * g;
  //~ state_and_cell_exchanged | const Tensor c_next = f * h + i * g;
  //~ state_and_cell_exchanged.in_the_cell | const Tensor c_next = f * h + i * g;
  //~ cell_through_tanh.once | const Tensor c_next = tanh(f * c + i * g);
  //~ cell_with_wrong_gates | const Tensor c_next = i * c + f * g;
  //~ cell_with_wrong_gates.rest | const Tensor c_next = f * c + (1.0 - f) * g;
  //~ cell_through_tanh | const Tensor c_next = tanh(f * c + i * g);
  const Tensor h_next = o * tanh(c_next);
  //~ state_of_another_value | const Tensor h_next = o * c_next;
  //~ state_of_another_value.tanh_outside | const Tensor h_next = tanh(o * c_next);
  //~ cell_through_tanh.once | const Tensor h_next = o * c_next;
  //~ state_of_another_value.old_cell | const Tensor h_next = o * tanh(c);
  return {x, h, c, i, f, g, o, c_next, h_next};
  //~ state_and_cell_exchanged.kept | return {x, c, h, i, f, g, o, c_next, h_next};
  //~ state_and_cell_exchanged.returned | return {x, h, c, i, f, g, o, h_next, c_next};
  //]
}

LstmGradients lstm_backward(const Tensor& dh_next, const Tensor& dc_next, const LstmStep& step,
                            const LstmWeights& weights) {
  //[
  //- // TODO: from h_next and c_next back to x, h, c and the weights.
  //- // const auto& [x, h, c, i, f, g, o, c_next, h_next] = step;
  //- // With a_i for what i's sigmoid was applied to, and d_cell for everything that arrives at c_next:
  //- // probe("d_cell", d_cell), and likewise "da_i", "da_f", "da_g" and "da_o", shows where the first error is.
  //- todo("lstm_backward: the seven gradients");
  const auto& [x, h, c, i, f, g, o, c_next, h_next] = step;

  // h_next = o * tanh(c_next)
  const Tensor tanh_c = tanh(c_next);
  //~ worked_out_by_division | const Tensor tanh_c = h_next / o;
  const Tensor d_o = dh_next * tanh_c;
  //~ output_gate_from_cell | const Tensor d_o = dh_next * c_next;
  //~ output_gate_from_cell.state | const Tensor d_o = dh_next * h_next;
  //~ output_gate_from_cell.old | const Tensor d_o = dh_next * tanh(c);
  const Tensor d_cell = dc_next + dh_next * o * (1.0 - tanh_c * tanh_c);
  //~ next_cell_gradient_forgotten | const Tensor d_cell = dh_next * o * (1.0 - tanh_c * tanh_c);
  //~ next_cell_gradient_scaled | const Tensor d_cell = dc_next * f + dh_next * o * (1.0 - tanh_c * tanh_c);
  //~ next_cell_gradient_scaled.as_the_state | const Tensor d_cell = (dc_next + dh_next * o) * (1.0 - tanh_c * tanh_c);
  //~ next_cell_gradient_scaled.by_o | const Tensor d_cell = (dc_next + dh_next) * o * (1.0 - tanh_c * tanh_c);
  //~ state_path_into_cell_forgotten | const Tensor d_cell = dc_next;
  //~ cell_slope_forgotten | const Tensor d_cell = dc_next + dh_next * o;
  //~ cell_slope_of_another_value | const Tensor d_cell = dc_next + dh_next * o * (1.0 - c_next * c_next);
  //~ cell_slope_of_another_value.state | const Tensor d_cell = dc_next + dh_next * o * (1.0 - h_next * h_next);
  //~ cell_slope_of_another_value.old | const Tensor d_cell = dc_next + dh_next * o * (1.0 - tanh(c) * tanh(c));
  //~ cell_slope_of_another_value.twice | const Tensor d_cell = dc_next + dh_next * o * (1.0 - tanh(tanh_c).pow(2.0));
  //~ output_gate_forgotten | const Tensor d_cell = dc_next + dh_next * (1.0 - tanh_c * tanh_c);

  // c_next = f * c + i * g
  const Tensor di = d_cell * g;
  //~ factor_for_the_other | const Tensor di = d_cell * i;
  const Tensor df = d_cell * c;
  //~ factor_for_the_other.forget | const Tensor df = d_cell * f;
  //~ forget_gate_with_next_cell | const Tensor df = d_cell * c_next;
  //~ worked_out_by_division.old_cell | const Tensor df = d_cell * (c_next - i * g) / f;
  const Tensor dg = d_cell * i;
  //~ factor_for_the_other | const Tensor dg = d_cell * g;

  // the sigmoids and the tanh
  const Tensor da_i = di * i * (1.0 - i);
  //~ slope_forgotten | const Tensor da_i = di;
  //~ slope_forgotten.input | const Tensor da_i = di;
  //~ slope_of_the_other_function.gates | const Tensor da_i = di * (1.0 - i * i);
  //~ worked_out_by_division.candidate | const Tensor da_i = d_cell * (c_next - f * c) / i * i * (1.0 - i);
  const Tensor da_f = df * f * (1.0 - f);
  //~ slope_forgotten | const Tensor da_f = df;
  //~ slope_forgotten.forget | const Tensor da_f = df;
  //~ slope_of_the_other_function.gates | const Tensor da_f = df * (1.0 - f * f);
  const Tensor da_g = dg * (1.0 - g * g);
  //~ slope_forgotten | const Tensor da_g = dg;
  //~ slope_forgotten.candidate | const Tensor da_g = dg;
  //~ slope_of_the_other_function | const Tensor da_g = dg * g * (1.0 - g);
  //~ slope_of_the_other_function.not_squared | const Tensor da_g = dg * (1.0 - g);
  const Tensor da_o = d_o * o * (1.0 - o);
  //~ slope_forgotten | const Tensor da_o = d_o;
  //~ slope_forgotten.output | const Tensor da_o = d_o;
  //~ slope_of_the_other_function.gates | const Tensor da_o = d_o * (1.0 - o * o);

  probe("d_cell", d_cell);
  probe("da_i", da_i);
  probe("da_f", da_f);
  probe("da_g", da_g);
  probe("da_o", da_o);

  const Tensor d = autograd::cat({da_i, da_f, da_g, da_o}, 1);  // [batch, 4 * hidden]
  //~ gradients_in_another_order | const Tensor d = autograd::cat({da_i, da_f, da_o, da_g}, 1);
  //~ gradients_in_another_order.f_first | const Tensor d = autograd::cat({da_f, da_i, da_g, da_o}, 1);
  //~ gradients_in_another_order.f_i_o_g | const Tensor d = autograd::cat({da_f, da_i, da_o, da_g}, 1);
  //~ gradients_in_another_order.i_g_f_o | const Tensor d = autograd::cat({da_i, da_g, da_f, da_o}, 1);
  LstmGradients gradients;
  gradients.dx = matmul(d, weights.weight_ih);
  gradients.dh = matmul(d, weights.weight_hh);
  //~ direct_path_added | gradients.dh = matmul(d, weights.weight_hh) + dh_next * o;
  //~ direct_path_added.without_o | gradients.dh = matmul(d, weights.weight_hh) + dh_next;
  gradients.dc = d_cell * f;
  //~ dc_incomplete | gradients.dc = d_cell;
  //~ dc_incomplete.from_next_step_only | gradients.dc = dc_next * f;
  //~ dc_incomplete.from_state_only | gradients.dc = (d_cell - dc_next) * f;
  //~ factor_for_the_other.cell | gradients.dc = d_cell * c;
  gradients.dweight_ih = matmul(d.t(), x);
  gradients.dweight_hh = matmul(d.t(), h);
  //~ state_after_instead_of_before | gradients.dweight_hh = matmul(d.t(), h_next);
  //~ state_after_instead_of_before.cell | gradients.dweight_hh = matmul(d.t(), c);
  gradients.dbias_ih = d.sum({0});
  //~ bias_mean | gradients.dbias_ih = d.mean({0});
  //~ only_one_bias_learns.halves | gradients.dbias_ih = 0.5 * d.sum({0});
  gradients.dbias_hh = gradients.dbias_ih;
  //~ only_one_bias_learns | gradients.dbias_hh = zeros_like(gradients.dbias_ih);
  return gradients;
  //]
}

LstmWeights with_half_life(const LstmWeights& weights, double steps) {
  //[
  //- // TODO: the share f that each step keeps, the bias that gives it, and new biases with autograd::cat({...}).
  //- todo("with_half_life: the weights with other biases of the forget gate");
  const double f = std::pow(0.5, 1.0 / steps);
  //~ lost_in_equal_parts | const double f = 1.0 - 0.5 / steps;
  //~ lost_in_equal_parts.whole | const double f = 1.0 - 1.0 / steps;
  //~ lost_in_equal_parts.power | const double f = std::pow(0.5, steps);
  //~ lost_in_equal_parts.e | const double f = std::exp(-1.0 / steps);
  const double bias = std::log(f / (1.0 - f));
  //~ share_for_the_bias | const double bias = f;
  //~ share_for_the_bias.logarithm | const double bias = std::log(f);
  //~ share_for_the_bias.sign | const double bias = std::log((1.0 - f) / f);
  const std::vector<Tensor> ih = weights.bias_ih.chunk(4);
  const std::vector<Tensor> hh = weights.bias_hh.chunk(4);
  //~ weights_changed_in_place | const std::vector<Tensor> hh = weights.bias_hh.chunk(4);
  //~ weights_changed_in_place | const autograd::NoGradGuard no_grad;
  //~ weights_changed_in_place | ih[1].fill_(bias);
  //~ weights_changed_in_place | hh[1].fill_(0.0);
  LstmWeights result = weights;
  //~ only_biases_returned | LstmWeights result;
  //~ only_biases_returned | result.bias_hh = weights.bias_hh;
  result.bias_ih = autograd::cat({ih[0], bias - hh[1], ih[2], ih[3]});  // the sum of both is the bias
  //~ weights_changed_in_place |
  //~ another_gate_changed | result.bias_ih = autograd::cat({bias - hh[0], ih[1], ih[2], ih[3]});
  //~ another_gate_changed.third | result.bias_ih = autograd::cat({ih[0], ih[1], bias - hh[2], ih[3]});
  //~ another_gate_changed.bias_hh_cleared | result.bias_ih = weights.bias_ih.clone();
  //~ another_gate_changed.bias_hh_cleared | result.bias_ih.narrow(0, ih[1].size(0), ih[1].size(0)).fill_(bias);
  //~ another_gate_changed.bias_hh_cleared | result.bias_hh = zeros_like(weights.bias_hh);
  //~ another_gate_changed.all | result.bias_ih = bias - weights.bias_hh;
  //~ biases_add_up | result.bias_ih = autograd::cat({ih[0], full_like(ih[1], bias), ih[2], ih[3]});
  //~ biases_add_up.twice | result.bias_ih = autograd::cat({ih[0], full_like(ih[1], 2.0 * bias) - hh[1], ih[2], ih[3]});
  //~ biases_add_up.old_ih | result.bias_ih = autograd::cat({ih[0], ih[1] + bias - hh[1], ih[2], ih[3]});
  //~ biases_add_up.both_old | result.bias_ih = autograd::cat({ih[0], ih[1] + bias, ih[2], ih[3]});
  return result;
  //]
}
