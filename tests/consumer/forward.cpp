// Never calls backward().
#include <autograd/autograd.h>

int main() {
  const autograd::Tensor x = autograd::tensor({0.0, 1.0}).requires_grad_();
  fmt::print("{}\n", log(x));
}
