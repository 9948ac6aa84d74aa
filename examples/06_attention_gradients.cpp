// The derivatives of Bahdanau attention, worked out by hand in plain loops, and compared with the tape.
//
//   e_i = v_a . tanh(W_a s + U_a h_i)     alpha = softmax(e)     c = sum_i alpha_i h_i     L = |c - y|^2 / 2
//
// What it shows: nothing in backward() is more than these loops. The gradient of softmax appears in three forms, which
// are the same: the sum that textbooks print, the short form that programs use, and the whole matrix of derivatives,
// dalpha_i/de_j = alpha_i (delta_ij - alpha_j).
//
// Try next: leave out one of the two terms of dL/dh_i and look at the differences. Then a mask, e_3 = -infinity.
//
//   build/release/examples/06_attention_gradients
#include <autograd/autograd.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

using autograd::float64;
using autograd::Tensor;

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// All sizes differ, so that a transposed matrix could not go unnoticed.
constexpr std::size_t source_length = 4;  // T
constexpr std::size_t decoder_dim = 3;    // d_s
constexpr std::size_t encoder_dim = 5;    // d_h
constexpr std::size_t attention_dim = 2;  // d_a

Matrix zeros(std::size_t rows, std::size_t columns) {
  return Matrix(rows, Vector(columns, 0.0));
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// ---- by hand -------------------------------------------------------------------------------------------------

struct Inputs {
  Matrix W_a;  // [d_a, d_s]
  Matrix U_a;  // [d_a, d_h]
  Vector v_a;  // [d_a]
  Vector s;    // [d_s]
  Matrix H;    // [T, d_h], a row per source position
  Vector y;    // [d_h], what the context should be
};

struct Forward {
  Matrix u;      // [T, d_a], tanh(W_a s + U_a h_i)
  Vector alpha;  // [T]
  Vector c;      // [d_h]
};

Vector softmax(const Vector& e) {
  const double largest = *std::max_element(e.begin(), e.end());  // exp(e - largest) cannot overflow
  Vector alpha;
  double sum = 0.0;
  for (const double e_i : e) {
    alpha.push_back(std::exp(e_i - largest));
    sum += alpha.back();
  }
  for (double& alpha_i : alpha) alpha_i /= sum;
  return alpha;
}

Forward forward(const Inputs& in) {
  Forward out{zeros(source_length, attention_dim), {}, Vector(encoder_dim, 0.0)};
  Vector e;
  for (std::size_t i = 0; i < source_length; ++i) {
    for (std::size_t k = 0; k < attention_dim; ++k) {
      out.u[i][k] = std::tanh(dot(in.W_a[k], in.s) + dot(in.U_a[k], in.H[i]));
    }
    e.push_back(dot(in.v_a, out.u[i]));
  }
  out.alpha = softmax(e);
  for (std::size_t i = 0; i < source_length; ++i) {
    for (std::size_t d = 0; d < encoder_dim; ++d) out.c[d] += out.alpha[i] * in.H[i][d];
  }
  return out;
}

// dL/dc = c - y
Vector context_gradient(const Inputs& in, const Forward& out) {
  Vector g;
  for (std::size_t d = 0; d < encoder_dim; ++d) g.push_back(out.c[d] - in.y[d]);
  return g;
}

// dL/dalpha_i = dL/dc . h_i
Vector weight_gradient(const Vector& g, const Matrix& H) {
  Vector dalpha;
  for (const Vector& h_i : H) dalpha.push_back(dot(g, h_i));
  return dalpha;
}

// dL/de_i = dL/dalpha_i alpha_i (1 - alpha_i) + sum_{j != i} dL/dalpha_j (-alpha_j) alpha_i
Vector score_gradient_as_sum(const Vector& dalpha, const Vector& alpha) {
  Vector de;
  for (std::size_t i = 0; i < source_length; ++i) {
    double sum = dalpha[i] * alpha[i] * (1.0 - alpha[i]);
    for (std::size_t j = 0; j < source_length; ++j) {
      if (j != i) sum += dalpha[j] * -alpha[j] * alpha[i];
    }
    de.push_back(sum);
  }
  return de;
}

// dL/de_i = alpha_i (dL/dalpha_i - sum_j alpha_j dL/dalpha_j): the same, with one sum instead of one for each i
Vector score_gradient(const Vector& dalpha, const Vector& alpha) {
  const double mean = dot(alpha, dalpha);
  Vector de;
  for (std::size_t i = 0; i < source_length; ++i) de.push_back(alpha[i] * (dalpha[i] - mean));
  return de;
}

// dalpha_i/de_j = alpha_i (delta_ij - alpha_j)
Matrix softmax_jacobian(const Vector& alpha) {
  Matrix jacobian = zeros(source_length, source_length);
  for (std::size_t i = 0; i < source_length; ++i) {
    for (std::size_t j = 0; j < source_length; ++j) jacobian[i][j] = alpha[i] * ((i == j ? 1.0 : 0.0) - alpha[j]);
  }
  return jacobian;
}

struct Gradients {
  Matrix W_a;
  Matrix U_a;
  Vector v_a;
  Vector s;
  Matrix H;
};

// From the scores down to the inputs. z_i = W_a s + U_a h_i is what stands inside the tanh.
Gradients input_gradients(const Inputs& in, const Forward& out, const Vector& g, const Vector& de) {
  Gradients d{zeros(attention_dim, decoder_dim), zeros(attention_dim, encoder_dim), Vector(attention_dim, 0.0),
              Vector(decoder_dim, 0.0), zeros(source_length, encoder_dim)};
  for (std::size_t i = 0; i < source_length; ++i) {
    for (std::size_t k = 0; k < attention_dim; ++k) {
      const double u = out.u[i][k];
      const double dz = de[i] * in.v_a[k] * (1.0 - u * u);
      d.v_a[k] += de[i] * u;
      for (std::size_t m = 0; m < decoder_dim; ++m) d.W_a[k][m] += dz * in.s[m];
      for (std::size_t m = 0; m < decoder_dim; ++m) d.s[m] += dz * in.W_a[k][m];
      for (std::size_t n = 0; n < encoder_dim; ++n) d.U_a[k][n] += dz * in.H[i][n];
      for (std::size_t n = 0; n < encoder_dim; ++n) d.H[i][n] += dz * in.U_a[k][n];  // h_i was scored,
    }
    for (std::size_t n = 0; n < encoder_dim; ++n) d.H[i][n] += out.alpha[i] * g[n];  // and it is in the context
  }
  return d;
}

// ---- side by side --------------------------------------------------------------------------------------------

double largest_difference = 0.0;

std::string row_text(const Vector& row) {
  std::string text;
  for (const double value : row) text += fmt::format("{:>8.4f}", value);
  return text;
}

double difference(const Vector& a, const Vector& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

void compare(std::string_view name, const Matrix& by_hand, const Tensor& tape) {
  const std::size_t columns = by_hand[0].size();
  const Vector numbers = tape.to_vector();
  fmt::print("\n{}\n", name);
  fmt::print("  {:<{}}   backward\n", "by hand", 8 * columns);
  for (std::size_t i = 0; i < by_hand.size(); ++i) {
    const auto start = numbers.begin() + static_cast<std::ptrdiff_t>(i * columns);
    const Vector row(start, start + static_cast<std::ptrdiff_t>(columns));
    fmt::print("  {}   {}\n", row_text(by_hand[i]), row_text(row));
    largest_difference = std::max(largest_difference, difference(by_hand[i], row));
  }
}

void compare(std::string_view name, const Vector& by_hand, const Tensor& tape) {
  compare(name, Matrix{by_hand}, tape);
}

// ---- the tape ------------------------------------------------------------------------------------------------

Vector to_vector(const Tensor& x) {
  return x.to_vector();
}

Matrix to_matrix(const Tensor& x) {
  Matrix rows;
  for (std::int64_t i = 0; i < x.size(0); ++i) rows.push_back(x[i].to_vector());
  return rows;
}

// Row i is the gradient of alpha_i alone: what backward gives when only alpha_i counts.
Tensor jacobian_from_tape(const Tensor& alpha, const Tensor& e) {
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < alpha.size(0); ++i) {
    rows.push_back(grad(alpha, {e}, {.grad_output = autograd::eye(alpha.size(0), float64)[i]})[0]);
  }
  return autograd::stack(rows);
}

}  // namespace

int main() {
  autograd::manual_seed(3);
  const Tensor W_a = autograd::randn({attention_dim, decoder_dim}, float64).requires_grad_();
  const Tensor U_a = autograd::randn({attention_dim, encoder_dim}, float64).requires_grad_();
  const Tensor v_a = autograd::randn({attention_dim}, float64).requires_grad_();
  const Tensor s = autograd::randn({decoder_dim}, float64).requires_grad_();
  const Tensor H = autograd::randn({source_length, encoder_dim}, float64).requires_grad_();
  const Tensor y = autograd::randn({encoder_dim}, float64);

  const Tensor u = tanh(W_a.matmul(s) + H.matmul(U_a.t()));  // [T, d_a]
  const Tensor e = u.matmul(v_a);                            // [T]
  const Tensor alpha = e.softmax(-1);                        // [T]
  const Tensor c = alpha.matmul(H);                          // [d_h]
  const Tensor L = 0.5 * (c - y).pow(2).sum();
  for (const Tensor& middle : {e, alpha, c}) middle.retain_grad();
  L.backward();

  const Inputs in{to_matrix(W_a), to_matrix(U_a), to_vector(v_a), to_vector(s), to_matrix(H), to_vector(y)};
  const Forward out = forward(in);
  const Vector g = context_gradient(in, out);
  const Vector dalpha = weight_gradient(g, in.H);
  const Vector de = score_gradient(dalpha, out.alpha);
  const Gradients d = input_gradients(in, out, g, de);

  fmt::print("Attention over {} positions; decoder_dim {}, encoder_dim {}, attention_dim {}\n", source_length,
             decoder_dim, encoder_dim, attention_dim);
  compare("alpha = softmax(e), the weights", out.alpha, alpha);
  compare("dL/dc = c - y", g, c.grad());
  compare("dL/dalpha_i = dL/dc . h_i", dalpha, alpha.grad());
  compare("dL/de_i = dL/dalpha_i alpha_i (1 - alpha_i) - sum_{j != i} dL/dalpha_j alpha_j alpha_i",
          score_gradient_as_sum(dalpha, out.alpha), e.grad());
  compare("dL/de_i = alpha_i (dL/dalpha_i - sum_j alpha_j dL/dalpha_j), the same", de, e.grad());
  compare("dalpha_i/de_j = alpha_i (delta_ij - alpha_j), row i for alpha_i", softmax_jacobian(out.alpha),
          jacobian_from_tape(alpha, e));
  compare("dL/dv_a = sum_i dL/de_i tanh(z_i), where z_i = W_a s + U_a h_i", d.v_a, v_a.grad());
  compare("dL/dW_a = sum_i dL/dz_i s^T, where dL/dz_i = dL/de_i v_a * (1 - tanh(z_i)^2)", d.W_a, W_a.grad());
  compare("dL/ds = W_a^T sum_i dL/dz_i", d.s, s.grad());
  compare("dL/dU_a = sum_i dL/dz_i h_i^T", d.U_a, U_a.grad());
  compare("dL/dh_i = alpha_i dL/dc + U_a^T dL/dz_i, row i for h_i", d.H, H.grad());

  const bool equal = largest_difference < 1e-12;
  fmt::print("\nThe largest difference between any two numbers above: {:.1e}{}\n", largest_difference,
             equal ? ", rounding errors" : ", WRONG");
  return equal ? 0 : 1;
}
