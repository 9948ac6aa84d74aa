// Bahdanau attention in a translation-like setting: two sentences, of 8 and of 6 words.
//
// What it shows: a decoder asks "where should I look?". Each encoder position gets a score, softmax makes weights that
// add up to 1, and the context is the encoder's outputs, weighted. Positions beyond a sentence's end get exactly 0.
// Then one call differentiates all of it.
//
// Try next: lengths {8, 0}, a sentence without any word; scaling decoder_state by 100 (the weights get sharp); the
// gradients of the masked positions, encoder_outputs.grad()[1][7].
//
//   build/release/examples/05_bahdanau_demonstration
#include <autograd/autograd.h>
#include <fmt/core.h>
#include <nn/nn.h>

using autograd::Tensor;

int main() {
  autograd::manual_seed(42);
  const nn::AdditiveAttention attention({.decoder_dim = 256, .encoder_dim = 512, .attention_dim = 128});
  const Tensor encoder_outputs = autograd::randn({2, 8, 512}).requires_grad_();  // 512: both directions of 256
  const Tensor decoder_state = autograd::randn({2, 256}).requires_grad_();
  const Tensor mask = autograd::length_mask({8, 6});  // [2, 8], true where there is a word

  const auto [context, weights] = attention(decoder_state, encoder_outputs, mask);

  fmt::print("Bahdanau attention\n\n");
  fmt::print("  encoder outputs    {}\n", encoder_outputs.shape());
  fmt::print("  decoder state      {}\n", decoder_state.shape());
  fmt::print("  context            {}\n", context.shape());
  fmt::print("  attention weights  {}\n\n", weights.shape());
  fmt::print("  weights, sample 1: {:.3f}\n", weights[0]);
  fmt::print("  weights, sample 2: {:.3f}\n", weights[1]);
  fmt::print("  (the last two are 0: sample 2 has only 6 words)\n");
  fmt::print("  sums: {:.3f}\n", weights.sum(1));

  context.pow(2).sum().backward();

  fmt::print("\nGradients of the sum of context^2\n\n");
  const auto print_gradient = [](std::string_view name, const Tensor& x) {
    fmt::print("  {:<16} {:<12} norm {:>7.2f}\n", name, to_string(x.grad().shape()),
               x.grad().pow(2).sum().sqrt().item());
  };
  print_gradient("encoder outputs", encoder_outputs);
  print_gradient("decoder state", decoder_state);
  for (const auto& [name, parameter] : attention.named_parameters()) print_gradient(name, parameter);
  fmt::print("\n  norm at the masked positions of sample 2: {:.4f}\n",
             encoder_outputs.grad().index({1, autograd::Slice{6}}).pow(2).sum().sqrt().item());
}
