#include "mine/training.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <numbers>

namespace mine {
namespace {

volatile std::sig_atomic_t interrupts = 0;
void note(int) {
  interrupts = 1;
}

constexpr int batch_size = 32;
constexpr double highest_rate = 1e-2;

// Returns the loss before it.
double step(const Translator& translator, const Batch& batch, const Optimizer& optimizer, double learning_rate,
            double largest_gradient) {
  for (const Tensor& parameter : translator.parameters()) parameter.zero_grad();
  const Tensor loss = translator.loss(batch);
  loss.backward({.release_graph = true});
  parts.clip(translator.parameters(), largest_gradient);
  optimizer(learning_rate);
  return loss.item();
}

// One line that is written over in a terminal, and a line now and then in a file.
void show(int step, int steps, double loss, double seconds) {
  const bool is_terminal = ::isatty(STDERR_FILENO);
  const int every = is_terminal ? 5 : std::max(1, steps / 5);
  if (step % every != 0 && step != steps) return;
  const int left = static_cast<int>(seconds / step * (steps - step) + 0.5);
  fmt::print(stderr, "{}  step {:>3} of {}   loss {:.4f}   {} s left{}", is_terminal ? "\r" : "", step, steps, loss,
             left, is_terminal ? "\x1b[K" : "\n");
  std::fflush(stderr);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
}

bool stop_wanted() {
  return interrupts != 0;
}

std::vector<double> few_steps(const Translator& translator, const Batch& batch) {
  const Optimizer optimizer = parts.optimizer(translator.parameters());
  std::vector<double> losses;
  for (const double largest_gradient : {100.0, 0.1, 100.0, 100.0}) {  // above the gradient's length, and below
    losses.push_back(step(translator, batch, optimizer, highest_rate, largest_gradient));
  }
  return losses;
}

std::vector<double> train(const Translator& translator, int steps, const std::vector<Pair>& by_heart) {
  const auto start = std::chrono::steady_clock::now();
  autograd::Generator random(0);
  const Optimizer optimizer = parts.optimizer(translator.parameters());
  std::vector<double> losses;
  for (int i = 1; i <= steps && !stop_wanted(); ++i) {
    std::vector<Pair> pairs = by_heart;
    while (by_heart.empty() && pairs.size() < batch_size) pairs.push_back(draw(random));
    const double rate = highest_rate * 0.5 * (1.0 + std::cos(std::numbers::pi * (i - 1) / steps));
    losses.push_back(step(translator, batch_of(pairs), optimizer, rate, 1.0));
    show(i, steps, losses.back(), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!std::isfinite(losses.back())) break;
  }
  if (::isatty(STDERR_FILENO)) fmt::print(stderr, "\r\x1b[K");
  return losses;
}

}  // namespace mine
