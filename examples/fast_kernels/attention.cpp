// The additive score v . tanh(query + key) of all pairs of a step and a source word.
#include <fmt/core.h>
#include <nn/nn.h>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

struct Inputs {
  Tensor query;  // [batch, steps, attention]
  Tensor key;    // [batch, source, attention]
  Tensor v;      // [attention]

  Inputs in(autograd::DType dtype) const { return {query.to(dtype), key.to(dtype), v.to(dtype)}; }
};

// 1. In tensor ops: two tensors as large as batch * steps * source * attention, and as many again backwards.
Tensor by_ops(const Inputs& in) {
  const Tensor sums = in.query.unsqueeze(2) + in.key.unsqueeze(1);  // [batch, steps, source, attention]
  return autograd::matmul(autograd::tanh(sums), in.v);              // [batch, steps, source]
}

// 3. The engine's op, for training.
Tensor shipped(const Inputs& in) {
  return autograd::additive_score(in.query, in.key, in.v);
}

template <class Score> Tensors scores_and_gradients(const Inputs& in, const Tensor& dscores, const Score& score) {
  const Inputs leaves = {in.query.detach().requires_grad_(), in.key.detach().requires_grad_(),
                         in.v.detach().requires_grad_()};
  const Tensor scores = score(leaves);
  scores.backward(dscores);
  return {scores.detach(), leaves.query.grad(), leaves.key.grad(), leaves.v.grad()};
}

// 2. Pair by pair. Backwards tanh is computed again: this takes less time than to write it to memory and read it.
Tensors by_hand(const Inputs& in, const Tensor& dscores, bool with_gradients) {
  const Tensor scores = autograd::empty(dscores.shape());
  const AdditiveScore score = {.batch = in.query.size(0),
                               .steps = in.query.size(1),
                               .source = in.key.size(1),
                               .attention = in.v.size(0),
                               .query = in.query.data_ptr<float>(),
                               .key = in.key.data_ptr<float>(),
                               .v = in.v.data_ptr<float>(),
                               .scores = scores.data_ptr<float>()};
  vectors().additive_score(score);
  if (!with_gradients) return {scores};
  const Tensor dquery = autograd::zeros_like(in.query);
  const Tensor dkey = autograd::zeros_like(in.key);
  const Tensor dv = autograd::zeros_like(in.v);
  vectors().additive_score_backward(score, {.dscores = dscores.data_ptr<float>(),
                                            .dquery = dquery.data_ptr<float>(),
                                            .dkey = dkey.data_ptr<float>(),
                                            .dv = dv.data_ptr<float>()});
  return {scores, dquery, dkey, dv};
}

// An element is a number of the tensor that the formula has in its middle. Only what is around it has to come from
// memory.
Work work_of(const Inputs& in, double flops_per_element) {
  const double pairs = double(in.query.size(0) * in.query.size(1) * in.key.size(1));
  const double elements = pairs * double(in.v.size(0));
  return {.flops = flops_per_element * elements,
          .bytes = 4 * (double(in.query.numel() + in.key.numel()) + pairs),
          .elements = elements,
          .unit = Work::Unit::elements};
}

}  // namespace

bool attention(const Options& options) {
  const int64_t batch = options.size[0], steps = options.size[1], source = options.size[2], dim = options.size[3];
  const Inputs in = {autograd::randn({batch, steps, dim}), autograd::randn({batch, source, dim}),
                     autograd::randn({dim})};
  const Tensor dscores = autograd::randn({batch, steps, source});
  const Inputs exact = in.in(autograd::float64);
  const Tensors reference = scores_and_gradients(exact, dscores.to(autograd::float64), by_ops);
  const std::string sizes = fmt::format("batch {}, {} steps, {} source words, dim {}", batch, steps, source, dim);
  const Tolerance tolerance = {.ulp = 256, .of_largest = true};

  Table forward(fmt::format("attention: additive score, {}, forward", sizes), work_of(in, 30), {reference[0]},
                tolerance, options);
  forward.version("tensor ops", [&] {
    const autograd::NoGradGuard no_grad;
    return Tensors{by_ops(in)};
  });
  forward.version("pair by pair, nothing kept", [&] { return by_hand(in, dscores, false); });
  forward.version("shipped: autograd::additive_score", [&] {
    const autograd::NoGradGuard no_grad;
    return Tensors{shipped(in)};
  });

  fmt::print("\n");
  Table both("attention: forward and backward", work_of(in, 64), reference, tolerance, options);
  both.version("tensor ops", [&] { return scores_and_gradients(in, dscores, by_ops); });
  both.version("pair by pair, tanh computed twice", [&] { return by_hand(in, dscores, true); });
  both.version("shipped: autograd::additive_score", [&] { return scores_and_gradients(in, dscores, shipped); });
  return forward.all_right() && both.all_right();
}

}  // namespace fast_kernels
