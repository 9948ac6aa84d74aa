// Optimisers, schedules, clipping, initial values and measures.
#include <nn/nn.h>

#include "calls.h"

namespace random_calls {
namespace {

using namespace autograd;

// Copies of what was given, with gradients, as an optimiser wants them.
std::vector<Tensor> parameters(Args& a) {
  std::vector<Tensor> list;
  for (const Tensor& x : a.tensors("mn")) {
    if (!x.defined() || !is_floating(x.dtype())) continue;
    list.push_back(x.detach().clone().requires_grad_());
    if (a.flag()) list.back().set_grad(ones_like(list.back()));
  }
  return list;
}

template <class Optimizer, class Options> Result stepped(Args& a, const Options& options) {
  const std::vector<Tensor> list = parameters(a);
  Optimizer optimizer(list, options);
  optimizer.step();
  optimizer.step();
  std::vector<Tensor> values;
  for (const Tensor& x : list) values.push_back(x.detach());
  return values;
}

Calls optimisers() {
  Calls calls = {
      {"SGD",
       [](Args& a) {
         return stepped<nn::SGD, nn::SGDOptions>(
             a, {a.real(-0.1, 1.0), a.real(-0.1, 1.0), a.real(0.0, 1.0), a.real(-0.1, 1.0), a.flag()});
       }},
      {"Adam",
       [](Args& a) {
         return stepped<nn::Adam, nn::AdamOptions>(a, {a.real(-0.1, 1.0),
                                                       {a.real(-0.1, 1.0), a.real(-0.1, 1.0)},
                                                       a.real(0.0, 0.1),
                                                       a.real(-0.1, 1.0),
                                                       a.flag()});
       }},
      {"AdamW",
       [](Args& a) {
         return stepped<nn::AdamW, nn::AdamWOptions>(
             a, {a.real(-0.1, 1.0), {a.real(-0.1, 1.0), 0.9}, a.real(0.0, 0.1), a.real(-0.1, 1.0), a.flag()});
       }},
      {"Adadelta",
       [](Args& a) {
         return stepped<nn::Adadelta, nn::AdadeltaOptions>(
             a, {a.real(-0.1, 1.0), a.real(-0.1, 1.1), a.real(0.0, 0.1), a.real(-0.1, 1.0)});
       }},
      {"clip_grad_norm_",
       [](Args& a) -> Result {
         const double norm = a.real(0.0, 2.0);
         return nn::clip_grad_norm_(parameters(a), norm, a.one_of<double>({1.0, 2.0, 3.0, 0.0, -1.0}));
       }},
  };
  for (Call& call : calls) call.values = Values::any;
  return calls;
}

template <class Schedule, class Options> Result scheduled(const Options& options) {
  const Tensor x = ones({2}).requires_grad_();
  nn::SGD optimizer({x}, {.lr = 0.5});
  Schedule schedule(optimizer, options);
  for (int i = 0; i < 4; ++i) schedule.step();
  return optimizer.lr();
}

Calls schedules() {
  Calls calls = {
      {"StepLR",
       [](Args& a) {
         return scheduled<nn::StepLR, nn::StepLROptions>({a.integer(1, 3), a.real(0.0, 1.0)});
       }},
      {"ExponentialLR",
       [](Args& a) { return scheduled<nn::ExponentialLR, nn::ExponentialLROptions>({a.real(0.0, 1.0)}); }},
      {"CosineAnnealingLR",
       [](Args& a) {
         return scheduled<nn::CosineAnnealingLR, nn::CosineAnnealingLROptions>({a.integer(1, 3), a.real(0.0, 0.1)});
       }},
      {"LinearLR",
       [](Args& a) {
         return scheduled<nn::LinearLR, nn::LinearLROptions>({a.real(0.0, 1.0), a.real(0.0, 1.0), a.integer(1, 3)});
       }},
      {"ReduceLROnPlateau",
       [](Args& a) -> Result {
         const Tensor x = ones({2}).requires_grad_();
         nn::SGD optimizer({x}, {.lr = 0.5});
         nn::ReduceLROnPlateau schedule(optimizer, {.factor = a.real(0.0, 1.0),
                                                    .patience = a.integer(0, 2),
                                                    .threshold = a.real(0.0, 0.1),
                                                    .cooldown = a.integer(0, 2),
                                                    .min_lr = a.real(0.0, 0.1)});
         for (int i = 0; i < 5; ++i) schedule.step(a.real());
         return optimizer.lr();
       }},
  };
  for (Call& call : calls) call.values = Values::any;
  return calls;
}

template <class Initialise> std::function<Result(Args&)> initial(Initialise initialise) {
  return [=](Args& a) -> Result {
    const Tensor x = a.changeable("mn");
    initialise(a, x);
    return x;
  };
}

Calls initial_values() {
  Calls calls = {
      {"uniform_", initial([](Args& a, const Tensor& x) {
         const double low = a.real();
         nn::init::uniform_(x, low, a.real());
       })},
      {"normal_", initial([](Args& a, const Tensor& x) {
         const double mean = a.real();
         nn::init::normal_(x, mean, a.real(-0.1, 2.0));
       })},
      {"constant_", initial([](Args& a, const Tensor& x) { nn::init::constant_(x, a.real()); })},
      {"xavier_uniform_", initial([](Args& a, const Tensor& x) { nn::init::xavier_uniform_(x, a.real()); })},
      {"xavier_normal_", initial([](Args& a, const Tensor& x) { nn::init::xavier_normal_(x, a.real()); })},
      {"orthogonal_", initial([](Args& a, const Tensor& x) { nn::init::orthogonal_(x, a.real()); })},
  };
  for (Call& call : calls) {
    call.values = Values::any;
    call.effect = Effect::changes_first;
  }
  calls.push_back({"calculate_gain", [](Args& a) -> Result {
                     return nn::init::calculate_gain(a.one_of<std::string>({"tanh", "relu", "linear", "", "gelu"}));
                   }});
  return calls;
}

Calls measures() {
  Calls calls = {
      {"perplexity", [](Args& a) -> Result { return nn::perplexity(a.real(), a.integer(1, 3)); }},
      {"strongest_links",
       [](Args& a) -> Result { return static_cast<double>(nn::strongest_links(a.tensor("ts")).size()); }},
      {"links_above",
       [](Args& a) -> Result {
         const Tensor weights = a.tensor("ts");
         return static_cast<double>(nn::links_above(weights, a.real(-0.1, 1.0)).size());
       }},
      {"attention_entropy",
       [](Args& a) -> Result { return static_cast<double>(nn::attention_entropy(a.tensor("ts")).size()); }},
      {"attention_coverage",
       [](Args& a) -> Result { return static_cast<double>(nn::attention_coverage(a.tensor("ts")).size()); }},
  };
  for (Call& call : calls) call.values = Values::any;
  return calls;
}

}  // namespace

Calls training_calls() {
  Calls together;
  for (const Calls& some : {optimisers(), schedules(), initial_values(), measures()}) {
    together.insert(together.end(), some.begin(), some.end());
  }
  return together;
}

}  // namespace random_calls
