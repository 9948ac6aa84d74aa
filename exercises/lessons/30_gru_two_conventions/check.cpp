#include <judge/check.h>
#include <nn/layers/gru.h>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"in", 5}, {"hidden", 3}};

namespace {

// The engine's own GRU, which has PyTorch's form.
Tensor engine_step(const Tensor& x, const Tensor& h, const StackedWeights& weights) {
  const Tensor projected = linear(x, weights.weight_ih, weights.bias_ih);
  return nn::gru_step(projected, h, {.weight_hh = weights.weight_hh, .bias_hh = weights.bias_hh});
}

StackedWeights stacked_weights(Check& check) {
  const int gates = 3 * static_cast<int>(check.size("hidden"));
  StackedWeights weights;
  weights.weight_ih = check.randn("weight_ih", {gates, "in"});
  weights.weight_hh = check.randn("weight_hh", {gates, "hidden"});
  weights.bias_ih = check.randn("bias_ih", {gates});
  weights.bias_hh = check.randn("bias_hh", {gates});
  return weights;
}

PaperWeights paper_weights(Check& check) {
  PaperWeights weights;
  weights.W_z = check.randn("W_z", {"hidden", "in"});
  weights.W_r = check.randn("W_r", {"hidden", "in"});
  weights.W_n = check.randn("W_n", {"hidden", "in"});
  weights.U_z = check.randn("U_z", {"hidden", "hidden"});
  weights.U_r = check.randn("U_r", {"hidden", "hidden"});
  weights.U_n = check.randn("U_n", {"hidden", "hidden"});
  weights.b_z = check.randn("b_z", {"hidden"});
  weights.b_r = check.randn("b_r", {"hidden"});
  weights.b_n = check.randn("b_n", {"hidden"});
  return weights;
}

// For calls after the first: one that changes its argument would change it back in every second one.
PaperWeights copy_of(const PaperWeights& weights) {
  PaperWeights copy = weights;
  for (Tensor* each :
       {&copy.W_z, &copy.W_r, &copy.W_n, &copy.U_z, &copy.U_r, &copy.U_n, &copy.b_z, &copy.b_r, &copy.b_n})
    *each = each->detach().clone();
  return copy;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "in"});
  const Tensor h = check.randn("h", {"batch", "hidden"});
  const StackedWeights stacked = stacked_weights(check);
  const PaperWeights paper = paper_weights(check);

  const Tensor next = answer.gru_pytorch(x, h, stacked);
  check.compare("gru_pytorch", next);
  const Tensor engine = engine_step(x, h, stacked);
  check.require("gru_pytorch agrees with nn::GRU",
                next.defined() && next.shape() == engine.shape() && allclose(next, engine),
                "gru_pytorch gives another next state than nn::GRU does with the same weights");
  check.compare("gru_paper", answer.gru_paper(x, h, paper));

  const PaperWeights untouched = copy_of(paper);
  const StackedWeights converted = answer.to_pytorch(paper);
  check.compare("converted weight_ih", converted.weight_ih);
  check.compare("converted weight_hh", converted.weight_hh);

  // Two cases in which the forms can do the same, and the general one, in which they cannot.
  PaperWeights open = untouched;
  open.b_r = untouched.b_r + 40.0;  // the gate's sigmoid is 1 to the last digit
  PaperWeights diagonal = untouched;
  diagonal.U_n = untouched.U_n * autograd::eye(check.size("hidden"), autograd::float64);
  const auto agree = [&](const PaperWeights& weights) {
    return allclose(engine_step(x, h, answer.to_pytorch(copy_of(weights))), answer.gru_paper(x, h, weights));
  };
  check.compare("converted, with r = 1", engine_step(x, h, answer.to_pytorch(copy_of(open))));
  check.require("with r = 1 both forms agree", agree(open),
                "with the reset gate at 1, PyTorch's form with your converted weights differs from your gru_paper");
  check.compare("converted, with U_n diagonal", engine_step(x, h, answer.to_pytorch(copy_of(diagonal))));
  check.require("with U_n diagonal both forms agree", agree(diagonal),
                "with a diagonal U_n, PyTorch's form with your converted weights differs from your gru_paper");
  if (check.size("hidden") == 1) return;  // a matrix of one number is diagonal
  check.require(
      "with a full U_n the forms differ", !agree(untouched),
      "with a full U_n and r between 0 and 1 your gru_paper gives what PyTorch's form gives: no weights can do "
      "that if r acts before the matrix");
}
