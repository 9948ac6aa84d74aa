// What the tests of the kinds of attention share: several steps of a decoder, and their comparison with PyTorch.
#pragma once

#include <nn/attention/attention_mechanism.h>
#include <nn/attention/coverage_attention.h>
#include <nn/gradcheck.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/nn/nn_fixtures.h"

namespace fixtures {

struct AttentionSteps {
  autograd::Tensor contexts;       // [B, T, E]
  autograd::Tensor weights;        // [B, T, S]
  autograd::Tensor coverage_loss;  // [B, T]
};

// queries [B, T, D], one step after the other, with one memory.
inline AttentionSteps run_steps(const nn::AttentionMechanism& attention, const autograd::Tensor& queries,
                                const nn::AttentionSource& source) {
  nn::AttentionMemory memory;
  std::vector<autograd::Tensor> contexts;
  std::vector<autograd::Tensor> weights;
  for (std::int64_t t = 0; t < queries.size(1); ++t) {
    const auto step = attention(queries.select(1, t), source, memory);
    contexts.push_back(step.context);
    weights.push_back(step.weights);
  }
  const autograd::Tensor all_weights = autograd::stack(weights, 1);
  return {autograd::stack(contexts, 1), all_weights, nn::coverage_loss_of_steps(all_weights)};
}

// A case of attention.json of that name, whose parameters are loaded into `attention`.
inline void expect_equals_pytorch(const std::string& name, const nn::AttentionMechanism& attention,
                                  const autograd::Tensor& segments = {},
                                  const std::map<std::string, std::string>& renamed = {}) {
  ModuleCase one("kind/" + name, "attention.json");
  one.load(attention, renamed);
  const autograd::Tensor outputs = one.input("outputs");
  const autograd::Tensor mask = autograd::length_mask(one.lengths("lengths"), outputs.size(1));
  nn::AttentionSource source = attention.read_source(outputs, mask);
  source.segments = segments;
  const AttentionSteps steps = run_steps(attention, one.input("states"), source);
  one.check(attention,
            {{"contexts", steps.contexts}, {"weights", steps.weights}, {"coverage_loss", steps.coverage_loss}});
}

// Gradients of contexts and weights of all steps with respect to queries, outputs and all parameters, and the
// gradients of these gradients.
inline autograd::GradcheckReport check_steps(const nn::AttentionMechanism& attention, const autograd::Tensor& queries,
                                             const autograd::Tensor& outputs, const autograd::Tensor& mask = {},
                                             const autograd::Tensor& segments = {},
                                             autograd::GradcheckOptions options = {}) {
  options.second_order = true;
  const auto run = [&] {
    nn::AttentionSource source = attention.read_source(outputs, mask);
    source.segments = segments;
    const AttentionSteps steps = run_steps(attention, queries, source);
    return autograd::cat({steps.contexts.flatten(), steps.weights.flatten()});
  };
  return nn::gradcheck(attention, run, {queries, outputs}, options);
}

// x [B, S, ..] with `padding` more positions that hold NaN.
inline autograd::Tensor with_nan_padding(const autograd::Tensor& x, std::int64_t padding) {
  autograd::Shape shape = x.shape();
  shape[1] = padding;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return autograd::cat({x, autograd::full(shape, nan, x.dtype())}, 1);
}

inline std::vector<std::string> parameter_names(const nn::Module& module) {
  std::vector<std::string> names;
  for (const auto& [name, parameter] : module.named_parameters()) names.push_back(name);
  return names;
}

}  // namespace fixtures
