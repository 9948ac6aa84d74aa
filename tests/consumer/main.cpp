#include <autograd/autograd.h>
#include <autograd/gradcheck/gradcheck.h>
#include <nn/nn.h>

using autograd::Tensor;

void consumer_is_done() {}

int main() {
  autograd::manual_seed(42);
  nn::AdditiveAttention attention({.decoder_dim = 3, .encoder_dim = 4, .attention_dim = 5});
  const Tensor encoder_outputs = autograd::randn({2, 6, 4});
  const Tensor decoder_state = autograd::randn({2, 3}).requires_grad_();
  auto [context, weights] = attention(decoder_state, encoder_outputs);
  const Tensor loss = context.pow(2).sum();
  loss.backward();
  fmt::print("{} {}\n", weights.shape(), decoder_state.grad().shape());
  consumer_is_done();
}
