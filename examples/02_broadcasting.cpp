// Broadcasting, and what it means for gradients.
//
//   y = x * row + column        x [2, 3], row [3], column [2, 1]
//
// What it shows: a row that meets a matrix is repeated for each of its rows. The one number row[j] then takes part in
// every y[i][j], so its gradient is the sum over i of what arrives there. The rule in short: where the value was
// repeated, the gradient is summed. This step is the most common mistake in derivatives written by hand.
//
// Try next: give x the shape [2, 1]; which sums appear now? Then leave out c: sum() alone sends 1 to every element,
// and hides many a mistake.
//
//   build/release/examples/02_broadcasting
#include <autograd/autograd.h>
#include <fmt/core.h>

using autograd::float64;
using autograd::Tensor;

int main() {
  const Tensor x = autograd::tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, float64).requires_grad_();
  const Tensor row = autograd::tensor({10.0, 20.0, 30.0}, float64).requires_grad_();
  const Tensor column = autograd::from_vector({100.0, 200.0}, {2, 1}, float64).requires_grad_();

  const Tensor y = x * row + column;
  fmt::print("x {}\n{}\n\nrow {}\n{}\n\ncolumn {}\n{}\n\n", x.shape(), x, row.shape(), row, column.shape(), column);
  fmt::print("y = x * row + column {}: row is used twice, column three times\n{}\n\n", y.shape(), y);

  // L = sum(c * y), so that dL/dy = c: a different number at every place.
  const Tensor c = autograd::tensor({{1.0, -2.0, 3.0}, {5.0, 7.0, -4.0}}, float64);
  const Tensor L = (c * y).sum();
  L.backward();
  fmt::print("dL/dy = c {}\n{}\n\n", c.shape(), c);

  fmt::print("dL/dx = dL/dy * row {}: nothing to sum, x was not repeated\n{}\n\n", x.grad().shape(), x.grad());

  const Tensor at_each_use_of_row = (c * x).detach();
  fmt::print("dL/dy * x {}: what arrives at each use of row\n{}\n", c.shape(), at_each_use_of_row);
  fmt::print("dL/drow {}: summed over dim 0, along which row was repeated\n{}\n", row.grad().shape(), row.grad());
  fmt::print("the same by hand: {}\n\n", at_each_use_of_row.sum(0));

  fmt::print("dL/dcolumn {}: dL/dy summed over dim 1, along which column was repeated\n{}\n", column.grad().shape(),
             column.grad());
  fmt::print("the same by hand:\n{}\n", c.sum(1, /*keepdim=*/true));
}
