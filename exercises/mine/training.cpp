#include "mine/training.h"

#include <fmt/format.h>
#include <nn/adam.h>
#include <nn/clip_grad.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <numbers>

#include "mine/decoder.h"

namespace mine {
namespace {

volatile std::sig_atomic_t interrupts = 0;
void note(int) {
  interrupts = 1;
}

constexpr int batch_size = 32;
constexpr double largest_gradient = 1.0;

Optimizer optimizer_for(const Tensors& parameters) {
  if (parts.optimizer) return parts.optimizer(parameters);
  const auto adam = std::make_shared<nn::Adam>(parameters);
  return [adam](double learning_rate) {
    adam->set_lr(learning_rate);
    adam->step();
  };
}

void clip(const Tensors& parameters, double largest) {
  if (parts.clip) {
    parts.clip(parameters, largest);
  } else {
    nn::clip_grad_norm_(parameters, largest);
  }
}

// Returns the loss before it.
double step(const Task& task, const Batch& batch, const Tensors& parameters, const Optimizer& optimizer,
            double learning_rate, double largest = largest_gradient) {
  for (const Tensor& parameter : parameters) parameter.zero_grad();
  const Tensor loss = task.translator->loss(batch);
  loss.backward({.release_graph = true});
  clip(parameters, largest);
  optimizer(learning_rate);
  return loss.item();
}

std::vector<Pair> draw(const Task& task, autograd::Generator& random) {
  std::vector<Pair> pairs;
  for (int i = 0; i < batch_size; ++i) pairs.push_back(task.draw(random));
  return pairs;
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

std::vector<double> few_steps(const Task& task, const Batch& batch, int steps) {
  const Tensors parameters = task.translator->tensors();
  const Optimizer optimizer = optimizer_for(parameters);
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    const double largest = i == 1 ? 0.1 : 100.0;  // below the gradient's length, and above
    losses.push_back(step(task, batch, parameters, optimizer, task.learning_rate, largest));
  }
  return losses;
}

Trained train(const Task& task, int steps) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  autograd::Generator random(0);
  const Tensors parameters = task.translator->tensors();
  const Optimizer optimizer = optimizer_for(parameters);
  Trained trained;
  for (int i = 1; i <= steps && !stop_wanted(); ++i) {
    const double rate = task.learning_rate * 0.5 * (1.0 + std::cos(std::numbers::pi * (i - 1) / steps));
    const double loss = step(task, batch_of(draw(task, random)), parameters, optimizer, rate);
    trained.losses.push_back(loss);
    show(i, steps, loss, seconds());
    if (!std::isfinite(loss)) break;
  }
  trained.seconds = seconds();
  if (::isatty(STDERR_FILENO)) fmt::print(stderr, "\r\x1b[K");
  return trained;
}

double share_exact(const Task& task) {
  const Translation translation = translate(*task.translator, batch_of(task.held_out), task.most_words);
  std::size_t exact = 0;
  for (std::size_t i = 0; i < task.held_out.size(); ++i) {
    exact += translation.sentences[i] == task.held_out[i].target ? 1 : 0;
  }
  return static_cast<double>(exact) / static_cast<double>(task.held_out.size());
}

namespace {

// Sentence b alone, filled up as in its batch.
Batch only(const Batch& batch, std::int64_t b) {
  const auto its = [b](const Tensor& of_all) { return of_all.narrow(0, b, 1); };
  return {its(batch.source),
          its(batch.mask),
          {batch.lengths[static_cast<std::size_t>(b)]},
          {its(batch.targets.in), its(batch.targets.out)}};
}

// By the learner's own function. It may go through a batch sentence by sentence, but a stepper looks at the sources of
// all sentences that it was made for: so each sentence has a stepper of its own.
double share_by_accuracy(const Translator& translator, const Batch& batch) {
  double right = 0.0;
  double all = 0.0;
  for (std::int64_t b = 0; b < batch.source.size(0); ++b) {
    const Batch one = only(batch, b);
    const auto [stepper, state] = translator.begin(one);
    const double words = (one.targets.out != padding).to(autograd::float64).sum().item();
    right += words * parts.accuracy(stepper, state, one.targets.out);
    all += words;
  }
  return right / all;
}

}  // namespace

double share_of_words(const Task& task) {
  const autograd::NoGradGuard no_grad;
  const Batch batch = batch_of(task.held_out);
  if (parts.accuracy) return share_by_accuracy(*task.translator, batch);
  const Translation translation = translate(*task.translator, batch, batch.targets.out.size(1));
  double right = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < task.held_out.size(); ++i) {
    Sentence said = translation.sentences[i];
    Sentence wanted = task.held_out[i].target;
    said.push_back(eos);
    wanted.push_back(eos);
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      right += t < said.size() && said[t] == wanted[t] ? 1.0 : 0.0;
      all += 1.0;
    }
  }
  return right / all;
}

double held_out_loss(const Task& task) {
  const autograd::NoGradGuard no_grad;
  const Batch batch = batch_of(task.held_out);
  const auto [stepper, state] = task.translator->begin(batch);
  const Tensor logits = decoder::teacher_forced(stepper, state, batch.targets.in);
  const Tensor& out = batch.targets.out;
  if (parts.sentence_loss) return parts.sentence_loss(logits, out).item();
  return autograd::cross_entropy(logits.flatten(0, 1), out.flatten(), {.ignore_index = padding}).item();
}

}  // namespace mine
