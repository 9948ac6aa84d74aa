// Optimisers, schedules, clipping, initial values and measures. These are only called.
#include <nn/nn.h>

#include "words.h"

namespace random_programs {
namespace {

using namespace autograd;

// Copies of what was given, with gradients, as an optimiser wants them: every second one has one already.
std::vector<Tensor> parameters(In x) {
  std::vector<Tensor> list;
  for (const Tensor& given : x.operands) {
    if (!given.defined() || !is_floating(given.dtype())) continue;
    list.push_back(given.detach().clone().requires_grad_());
    if ((static_cast<std::size_t>(x.n(0)) + list.size()) % 2 == 0) list.back().set_grad(ones_like(list.back()));
  }
  return list;
}

template <class Optimizer, class Options> Result stepped(In x, const Options& options) {
  const std::vector<Tensor> list = parameters(x);
  Optimizer optimizer(list, options);
  optimizer.step();
  optimizer.step();
  std::vector<Tensor> values;
  for (const Tensor& parameter : list) values.push_back(parameter.detach());
  return values;
}

template <class Schedule, class Options> Result scheduled(const Options& options) {
  const Tensor x = ones({2}).requires_grad_();
  nn::SGD optimizer({x}, {.lr = 0.5});
  Schedule schedule(optimizer, options);
  for (int i = 0; i < 4; ++i) schedule.step();
  return optimizer.lr();
}

Result on_plateau(In x) {
  const Tensor leaf = ones({2}).requires_grad_();
  nn::SGD optimizer({leaf}, {.lr = 0.5});
  nn::ReduceLROnPlateau schedule(
      optimizer,
      {.factor = x.real(0), .patience = x.n(0), .threshold = x.real(1), .cooldown = x.n(1), .min_lr = x.real(2)});
  for (std::size_t i = 3; i < 8; ++i) schedule.step(x.real(i));
  return optimizer.lr();
}

Result clipped(In x) {
  constexpr double norms[] = {1.0, 2.0, 3.0, 0.0, -1.0};
  return nn::clip_grad_norm_(parameters(x), x.real(), norms[x.n(1)]);
}

Result gain(In x) {
  const char* const names[] = {"tanh", "relu", "linear", "", "gelu"};
  return nn::init::calculate_gain(names[x.n(0)]);
}

std::function<Result(In)> initial(void (*initialise)(In)) {
  return [=](In x) -> Result {
    initialise(x);
    return x[0];
  };
}

double count(const auto& list) {
  return static_cast<double>(list.size());
}

}  // namespace

Words training_words() {
  using enum Kind;
  using enum Expect;
  return {
      {"SGD", "real(-0.1,1) real(-0.1,1) real(0,1) real(-0.1,1) flag tensors[mn]",
       [](In x) {
         return stepped<nn::SGD, nn::SGDOptions>(x, {x.real(0), x.real(1), x.real(2), x.real(3), x.flag(0)});
       },
       any_values},
      {"Adam", "real(-0.1,1) real(-0.1,1) real(-0.1,1) real(0,0.1) real(-0.1,1) flag tensors[mn]",
       [](In x) {
         return stepped<nn::Adam, nn::AdamOptions>(
             x, {x.real(0), {x.real(1), x.real(2)}, x.real(3), x.real(4), x.flag(0)});
       },
       any_values},
      {"AdamW", "real(-0.1,1) real(-0.1,1) real(0,0.1) real(-0.1,1) flag tensors[mn]",
       [](In x) {
         return stepped<nn::AdamW, nn::AdamWOptions>(x, {x.real(0), {x.real(1), 0.9}, x.real(2), x.real(3), x.flag(0)});
       },
       any_values},
      {"Adadelta", "real(-0.1,1) real(-0.1,1.1) real(0,0.1) real(-0.1,1) flag tensors[mn]",
       [](In x) {
         return stepped<nn::Adadelta, nn::AdadeltaOptions>(x, {x.real(0), x.real(1), x.real(2), x.real(3)});
       },
       any_values},
      {"clip_grad_norm_", "real(0,2) flag choice(5) tensors[mn]", clipped, any_values},
      {"StepLR", "int(1,3) real(0,1)",
       [](In x) {
         return scheduled<nn::StepLR, nn::StepLROptions>({x.n(0), x.real()});
       },
       any_values},
      {"ExponentialLR", "real(0,1)",
       [](In x) { return scheduled<nn::ExponentialLR, nn::ExponentialLROptions>({x.real()}); }, any_values},
      {"CosineAnnealingLR", "int(1,3) real(0,0.1)",
       [](In x) {
         return scheduled<nn::CosineAnnealingLR, nn::CosineAnnealingLROptions>({x.n(0), x.real()});
       },
       any_values},
      {"LinearLR", "real(0,1) real(0,1) int(1,3)",
       [](In x) {
         return scheduled<nn::LinearLR, nn::LinearLROptions>({x.real(0), x.real(1), x.n(0)});
       },
       any_values},
      {"ReduceLROnPlateau", "real(0,1) int(0,2) real(0,0.1) int(0,2) real(0,0.1) real real real real real", on_plateau,
       any_values},
      {"uniform_", "changeable[mn] real real", initial([](In x) { nn::init::uniform_(x[0], x.real(0), x.real(1)); }),
       change},
      {"normal_", "changeable[mn] real real(-0.1,2)",
       initial([](In x) { nn::init::normal_(x[0], x.real(0), x.real(1)); }), change},
      {"constant_", "changeable[mn] real", initial([](In x) { nn::init::constant_(x[0], x.real()); }), change},
      {"xavier_uniform_", "changeable[mn] real", initial([](In x) { nn::init::xavier_uniform_(x[0], x.real()); }),
       change},
      {"xavier_normal_", "changeable[mn] real", initial([](In x) { nn::init::xavier_normal_(x[0], x.real()); }),
       change},
      {"orthogonal_", "changeable[mn] real", initial([](In x) { nn::init::orthogonal_(x[0], x.real()); }), change},
      {"calculate_gain", "choice(5)", gain},
      {"perplexity", "real int(1,3)", [](In x) { return nn::perplexity(x.real(), x.n(0)); }, any_values},
      {"strongest_links", "[ts]", [](In x) { return count(nn::strongest_links(x[0])); }, any_values},
      {"links_above", "[ts] real(-0.1,1)", [](In x) { return count(nn::links_above(x[0], x.real())); }, any_values},
      {"attention_entropy", "[ts]", [](In x) { return count(nn::attention_entropy(x[0])); }, any_values},
      {"attention_coverage", "[ts]", [](In x) { return count(nn::attention_coverage(x[0])); }, any_values},
  };
}

}  // namespace random_programs
