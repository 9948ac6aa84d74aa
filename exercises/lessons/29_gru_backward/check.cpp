#include <judge/by_hand.h>
#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"in", 5}, {"hidden", 3}};

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "in"});
  const Tensor h = check.randn("h", {"batch", "hidden"});
  GruWeights weights;
  weights.W_r = check.randn("W_r", {"hidden", "in"});
  weights.W_z = check.randn("W_z", {"hidden", "in"});
  weights.W_n = check.randn("W_n", {"hidden", "in"});
  weights.U_r = check.randn("U_r", {"hidden", "hidden"});
  weights.U_z = check.randn("U_z", {"hidden", "hidden"});
  weights.U_n = check.randn("U_n", {"hidden", "hidden"});
  weights.b_r = check.randn("b_r", {"hidden"});
  weights.b_z = check.randn("b_z", {"hidden"});
  weights.b_n = check.randn("b_n", {"hidden"});
  weights.b_hn = check.randn("b_hn", {"hidden"});
  const Tensor dh_next = check.randn("dh_next", {"batch", "hidden"});
  const Tensor as_drawn = dh_next.clone();  // what one call changes is not held against the next
  const auto loss = [=] { return (dh_next * given::gru_forward(x, h, weights).h_next).sum(); };

  const GruStep step = given::gru_forward(x, h, weights);
  check.input("step.r", step.r);
  check.input("step.z", step.z);
  check.input("step.n", step.n);
  check.input("step.recurrent", step.recurrent);
  check.input("step.h_next", step.h_next);
  const GruGradients gradients = judge::by_hand([&] { return answer.gru_backward(dh_next, step, weights); });
  check.gradient("dW_z", gradients.dW_z, weights.W_z, loss);
  check.gradient("dU_z", gradients.dU_z, weights.U_z, loss);
  check.gradient("db_z", gradients.db_z, weights.b_z, loss);
  check.gradient("dW_n", gradients.dW_n, weights.W_n, loss);
  check.gradient("db_n", gradients.db_n, weights.b_n, loss);
  check.gradient("dU_n", gradients.dU_n, weights.U_n, loss);
  check.gradient("db_hn", gradients.db_hn, weights.b_hn, loss);
  check.gradient("dW_r", gradients.dW_r, weights.W_r, loss);
  check.gradient("dU_r", gradients.dU_r, weights.U_r, loss);
  check.gradient("db_r", gradients.db_r, weights.b_r, loss);
  check.gradient("dx", gradients.dx, x, loss);
  check.gradient("dh", gradients.dh, h, loss);

  // Unit 0 resets its state, and the last one's candidate is 1: what was multiplied by r, or went into tanh, cannot be
  // worked out from what came of it.
  GruWeights extreme = weights;
  const Tensor unit = autograd::arange(check.size("hidden"), autograd::float64);
  extreme.b_r = weights.b_r - 1000.0 * (unit == 0.0).to(autograd::float64);
  extreme.b_n = weights.b_n + 40.0 * (unit == double(check.size("hidden") - 1)).to(autograd::float64);
  const GruStep saturated = given::gru_forward(x, h, extreme);
  const Tensor dh = judge::by_hand([&] { return answer.gru_backward(as_drawn.clone(), saturated, extreme); }).dh;
  check.gradient("dh where an r is 0 and an n is 1", dh, h,
                 [=] { return (as_drawn * given::gru_forward(x, h, extreme).h_next).sum(); });

  GruWeights copying = weights;
  copying.b_z = weights.b_z + 1000.0;
  const GruStep copied = given::gru_forward(x, h, copying);
  GruWeights replacing = weights;
  replacing.b_z = weights.b_z - 1000.0;
  const GruStep replaced = given::gru_forward(x, h, replacing);
  check.compare("dh where z is 0",
                judge::by_hand([&] { return answer.gru_backward(as_drawn.clone(), replaced, replacing); }).dh);
  check.compare("dh where z is 1",
                judge::by_hand([&] { return answer.gru_backward(as_drawn.clone(), copied, copying); }).dh);
}
