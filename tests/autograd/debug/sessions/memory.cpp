// Programs for memory_test.cmake, which end by saying how much memory they took: 82,000 ops on single numbers, or a
// recurrent layer, whose weights get a gradient as large as themselves at each of its steps.
#include <autograd/autograd.h>

#include <fstream>
#include <string>

using namespace autograd;

namespace {

void numbers() {
  const Tensor w = tensor({0.5}).requires_grad_();
  Tensor y = w;
  for (int i = 0; i < 41'000; ++i) y = y * w + 1.0;
  y.sum().backward();
}

void recurrent_layer() {
  constexpr int steps = 1000;
  const Tensor input_weight = (randn({128, 128}) * 0.05).requires_grad_();
  const Tensor weight = (randn({128, 128}) * 0.05).requires_grad_();
  const Tensor bias = zeros({128}).requires_grad_();
  Tensor h = zeros({4, 128});
  for (int t = 0; t < steps; ++t) {
    const StepScope step(t);
    h = tanh(matmul(randn({4, 128}), input_weight) + matmul(h, weight) + bias);
  }
  h.sum().backward();
}

// "VmHWM:    41160 kB", the most memory that this process has had.
std::string most_memory() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("VmHWM:", 0) == 0) return line;
  }
  return "no VmHWM";
}

}  // namespace

int main(int, char** arguments) {
  std::string(arguments[1]) == "numbers" ? numbers() : recurrent_layer();
  fmt::print("{}\n", most_memory());
}
