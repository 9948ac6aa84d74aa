// A GRU reads six words, one after the other. How much does each of them still matter at the end?
//
// What it shows: one cell is used six times, so each of its weights gets six contributions to its gradient, the last
// word's first. What arrives at the first words is small: on its way back it has come through the gates of every step.
//
// Try next: a bias of 3 for the update gate z (cell.bias_hh, the second third of it), so that the cell keeps its state.
// Which words matter then?
//
//   BACKSTEP=trace:gru.html build/release/examples/10_gru_through_time      each step beside the next, on a page
#include <autograd/autograd.h>
#include <fmt/core.h>
#include <nn/nn.h>

#include <vector>

using autograd::Tensor;

int main() {
  autograd::manual_seed(7);
  const nn::GRUCell cell({.input_size = 2, .hidden_size = 3});

  std::vector<Tensor> words;
  for (int t = 1; t <= 6; ++t)
    words.push_back(autograd::randn({1, 2}).set_name(fmt::format("word {}", t)).requires_grad_());

  Tensor state;
  for (const Tensor& word : words) state = cell(word, state);
  state.pow(2).sum().backward();

  fmt::print("The state at the end: {:.3f}\n\n", state);
  fmt::print("  word   |dL/dword|\n");
  for (const Tensor& word : words) fmt::print("  {:<6} {:>10.4f}\n", word.name().substr(5), word.grad().norm().item());
}
