// Attention over three words, small enough to be followed by eye: the program of docs/debugger.md.
#include <autograd/autograd.h>
#include <fmt/core.h>

using namespace autograd;

int main() {
  const Tensor query = tensor({{0.5, -1.0}}, float64).set_name("query");
  const Tensor words = tensor({{1.0, 0.5}, {-0.5, 2.0}, {0.25, -1.0}}, float64).set_name("words");
  const Tensor W = tensor({{0.6, -0.2}, {0.1, 0.8}}, float64).requires_grad_().set_name("W");
  const Tensor v = tensor({{1.0}, {-2.0}}, float64).requires_grad_().set_name("v");

  const Tensor keys = matmul(words, W).set_name("keys");                  // [3, 2]
  const Tensor asked = matmul(query, W).set_name("asked");                // [1, 2], the same W
  const Tensor hidden = tanh(keys + asked).set_name("hidden");            // [3, 2]
  const Tensor scores = matmul(hidden, v).set_name("scores");             // [3, 1]
  const Tensor weights = softmax(scores, 0).set_name("weights");          // [3, 1]
  const Tensor context = matmul(weights.t(), words).set_name("context");  // [1, 2]
  const Tensor loss = (context - query).pow(2).sum().set_name("loss");

  loss.backward();
  fmt::print("dL/dW\n{:.4f}\n", W.grad());
}
