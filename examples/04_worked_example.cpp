// Bahdanau attention on paper: three encoder states, one decoder state, every number and every gradient.
//
//   h1 = [1, 0]   h2 = [0, 1]   h3 = [1, 1]   s0 = [0.5, 0.5]   W_s = W_h = identity   v = [1, 1]
//
// What it shows: each line of the derivation beside the number it gives, small enough to follow with a pencil. The
// gradients are those of L = c1 + 2 c2, so that dL/dc = [1, 2].
//
// Try next: work out the line dL/de on paper before you look. Then h3 = [1, -1]: why do the weights change places?
//
//   build/release/examples/04_worked_example
#include <autograd/autograd.h>
#include <fmt/core.h>
#include <nn/nn.h>

#include <string_view>
#include <vector>

using autograd::float64;
using autograd::Tensor;

namespace {

void print_line(std::string_view formula, const Tensor& value) {
  fmt::print("  {:<62} {: .4f}\n", formula, value);
}

// One line per row of a matrix: "h1", "h2", ..
void print_rows(std::string_view formula, std::string_view row_name, const Tensor& matrix) {
  for (std::int64_t i = 0; i < matrix.size(0); ++i) {
    print_line(fmt::format("{:<56} {}{}", i == 0 ? formula : "", row_name, i + 1), matrix[i]);
  }
}

// Weights into a module, whatever they were.
void set(const Tensor& parameter, const Tensor& value) {
  const autograd::NoGradGuard no_grad;
  parameter.copy_(value.detach());
}

}  // namespace

int main() {
  const Tensor H = autograd::tensor({{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}}, float64).requires_grad_();
  const Tensor s0 = autograd::tensor({0.5, 0.5}, float64).requires_grad_();
  const Tensor W_s = autograd::eye(2, float64).requires_grad_();
  const Tensor W_h = autograd::eye(2, float64).requires_grad_();
  const Tensor v = autograd::tensor({1.0, 1.0}, float64).requires_grad_();

  // The rows of H are h1, h2, h3, so W_h h for all of them is H W_h^T.
  const Tensor query = W_s.matmul(s0);    // [2]
  const Tensor keys = H.matmul(W_h.t());  // [3, 2]
  const Tensor z = query + keys;          // [3, 2]
  const Tensor u = tanh(z);               // [3, 2]
  const Tensor e = u.matmul(v);           // [3]
  const Tensor alpha = e.softmax(-1);     // [3]
  const Tensor c = alpha.matmul(H);       // [2]
  const Tensor g = autograd::tensor({1.0, 2.0}, float64);
  const Tensor L = (g * c).sum();

  fmt::print("Forwards\n\n");
  print_line("W_s s0", query);
  print_rows("W_h h_i", "h", keys);
  print_rows("z_i = W_s s0 + W_h h_i", "z", z);
  print_rows("u_i = tanh(z_i)", "u", u);
  print_line("e_i = v . u_i", e);
  print_line("alpha_i = exp(e_i) / sum_j exp(e_j)", alpha);
  print_line("c = sum_i alpha_i h_i", c);
  print_line("L = c1 + 2 c2", L);

  for (const Tensor& middle : {c, alpha, e, u, z, query, keys}) middle.retain_grad();
  L.backward();

  fmt::print("\nBackwards, from L to the inputs and weights\n\n");
  print_line("dL/dc = [1, 2] = g", c.grad());
  print_line("dL/dalpha_i = g . h_i", alpha.grad());
  print_line("dL/de_i = alpha_i (dL/dalpha_i - sum_j alpha_j dL/dalpha_j)", e.grad());
  print_line("dL/dv = sum_i dL/de_i u_i", v.grad());
  print_rows("dL/du_i = dL/de_i v", "u", u.grad());
  print_rows("dL/dz_i = dL/du_i * (1 - u_i^2)", "z", z.grad());
  print_rows("dL/d(W_h h_i) = dL/dz_i", "h", keys.grad());
  print_line("dL/d(W_s s0) = sum_i dL/dz_i", query.grad());
  print_rows("dL/dW_s = dL/d(W_s s0) s0^T", "row ", W_s.grad());
  print_line("dL/ds0 = W_s^T dL/d(W_s s0)", s0.grad());
  print_rows("dL/dW_h = sum_i dL/dz_i h_i^T", "row ", W_h.grad());
  print_rows("dL/dh_i = alpha_i g + W_h^T dL/dz_i", "h", H.grad());

  // The module computes the same thing, for a batch: here a batch of one.
  const nn::AdditiveAttention attention({.decoder_dim = 2, .encoder_dim = 2, .attention_dim = 2, .dtype = float64});
  set(attention.W_dec.weight, W_s);
  set(attention.W_enc.weight, W_h);
  set(attention.v.weight, v.unsqueeze(0));
  const auto [context, weights] = attention(s0.detach().unsqueeze(0), H.detach().unsqueeze(0));
  fmt::print("\nThe same with nn::AdditiveAttention\n\n");
  print_line("weights", weights[0]);
  print_line("context", context[0]);
}
