#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"m", 4}, {"k", 3}, {"n", 5}, {"side", 6}, {"heads", 7}};

namespace {

using Backward = FactorGradients (*)(const Tensor&, const Tensor&, const Tensor&);

// Written with braces, the factors are drawn in this order, with every compiler.
struct Factors {
  Tensor a;
  Tensor b;
};

// `of` goes into the names: "da" and what it is the gradient of.
void compare(Check& check, Backward backward, const std::string& of, const Tensor& dy, const Factors& factors) {
  const Tensor& a = factors.a;
  const Tensor& b = factors.b;
  const auto loss = [=] { return (dy * matmul(a, b)).sum(); };
  const FactorGradients gradients = backward(dy, a, b);
  check.gradient("da" + of, gradients.da, a, loss);
  check.gradient("db" + of, gradients.db, b, loss);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  {  // Square ones first: here every order of the factors has a shape, and only the numbers tell.
    const Tensor a = check.randn("a of square matrices", {"side", "side"});
    const Tensor b = check.randn("b of square matrices", {"side", "side"});
    const Tensor dy = check.randn("dy of square matrices", {"side", "side"});
    compare(check, answer.matmul_backward, " of square matrices", dy, {a, b});
  }
  {
    const Tensor a = check.randn("a of a batch", {"batch", "m", "k"});
    const Tensor b = check.randn("b of a batch", {"batch", "k", "n"});
    const Tensor dy = check.randn("dy of a batch", {"batch", "m", "n"});
    compare(check, answer.batched_matmul_backward, " of a batch", dy, {a, b});
    compare(check, answer.batched_matmul_backward, " with b shared as [k, n]", dy,
            {a, check.randn("b [k, n]", {"k", "n"})});
    compare(check, answer.batched_matmul_backward, " with a shared as [1, m, k]", dy,
            {check.randn("a [1, m, k]", {1, "m", "k"}), b});
  }
  {  // Two dims in front: both missing, or one missing and one of size 1, in two factors or in the same.
    const Tensor dy = check.randn("dy of heads", {"heads", "batch", "m", "n"});
    compare(check, answer.batched_matmul_backward, " with b shared by the heads as [k, n]", dy,
            {check.randn("a of heads", {"heads", "batch", "m", "k"}), check.randn("b of all heads", {"k", "n"})});
    compare(check, answer.batched_matmul_backward, " of a [m, k] and b of heads", dy,
            {check.randn("a of all heads", {"m", "k"}), check.randn("b of heads", {"heads", "batch", "k", "n"})});
    compare(check, answer.batched_matmul_backward, " of a [heads, 1, m, k] and b [batch, k, n]", dy,
            {check.randn("a [heads, 1, m, k]", {"heads", 1, "m", "k"}),
             check.randn("b [batch, k, n]", {"batch", "k", "n"})});
    compare(check, answer.batched_matmul_backward, " of a [1, m, k] and b of heads", dy,
            {check.randn("a [1, m, k] of all heads", {1, "m", "k"}),
             check.randn("b of heads, again", {"heads", "batch", "k", "n"})});
  }
  {
    const Tensor a = check.randn("a", {"m", "k"});
    const Tensor b = check.randn("b", {"k", "n"});
    const Tensor dy = check.randn("dy", {"m", "n"});
    compare(check, answer.matmul_backward, "", dy, {a, b});
  }
}
