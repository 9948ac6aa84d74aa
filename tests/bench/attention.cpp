// Additive attention: one query per sentence, all pairs of positions at once, and a gradient check by hand.

#include <nn/gradcheck.h>
#include <nn/nn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/differentiated.h"
#include "bench/workload.h"

namespace bench {
namespace {

using autograd::DType;
using autograd::Tensor;

struct AttentionSizes {
  std::int64_t batch, source, decoder, encoder, attention;
  DType dtype;
};

constexpr AttentionSizes demo{2, 8, 256, 512, 128, autograd::float32};
constexpr AttentionSizes exercise{2, 5, 8, 8, 8, autograd::float64};

// The module with its inputs; the second sentence ends two positions early.
struct Problem {
  explicit Problem(const AttentionSizes& sizes)
      : attention({.decoder_dim = sizes.decoder,
                   .encoder_dim = sizes.encoder,
                   .attention_dim = sizes.attention,
                   .dtype = sizes.dtype}),
        state(autograd::randn({sizes.batch, sizes.decoder}, sizes.dtype).requires_grad_()),
        encoded(autograd::randn({sizes.batch, sizes.source, sizes.encoder}, sizes.dtype).requires_grad_()),
        mask(autograd::length_mask({sizes.source, sizes.source - 2})) {
    leaves = {state, encoded};
    for (const Tensor& parameter : attention.parameters()) leaves.push_back(parameter);
  }

  std::vector<Tensor> forward() const {
    const auto [context, weights] = attention(state, encoded, mask);
    return {context, weights};
  }

  nn::AdditiveAttention attention;
  Tensor state, encoded, mask;
  std::vector<Tensor> leaves;
};

void one_query(const Run& run, const AttentionSizes& sizes) {
  const Problem problem(sizes);
  record_forward_backward(run, "us", 1.0, problem.leaves, [&] { return problem.forward(); });
}

// A fixed random combination of all outputs: one number to be differentiated.
class Objective {
 public:
  explicit Objective(const Problem& problem) : problem_(problem) {
    for (const Tensor& output : problem.forward()) mix_.push_back(autograd::randn(output.shape(), output.dtype()));
  }
  Tensor operator()() const {
    const std::vector<Tensor> outputs = problem_.forward();
    return (outputs[0] * mix_[0]).sum() + (outputs[1] * mix_[1]).sum();
  }

 private:
  const Problem& problem_;
  std::vector<Tensor> mix_;
};

struct Difference {
  std::int64_t evaluations = 0;
  double worst = 0.0;  // |numeric - exact|
};

// The gradient in `x` against central differences in each of its elements.
void compare_with_differences(const Objective& objective, const Tensor& x, Difference& result) {
  constexpr double h = 1e-6;
  const std::vector<double> exact = x.grad().to_vector();
  auto* values = x.data_ptr<double>();
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double kept = values[i];
    values[i] = kept + h;
    const double up = objective().item();
    values[i] = kept - h;
    const double down = objective().item();
    values[i] = kept;
    result.evaluations += 2;
    result.worst = std::max(result.worst, std::abs((up - down) / (2.0 * h) - exact[i]));
  }
}

Difference check_by_hand(const Problem& problem, const Objective& objective) {
  for (const Tensor& leaf : problem.leaves) leaf.zero_grad();
  objective().backward();
  const autograd::NoGradGuard no_grad;
  Difference result;
  for (const Tensor& leaf : problem.leaves) compare_with_differences(objective, leaf, result);
  return result;
}

void gradcheck_attention(const Run& run) {
  const Problem problem(exercise);
  const Objective objective(problem);
  Difference result;
  const Timing by_hand = run.time([&] { result = check_by_hand(problem, objective); });
  run.record_time("total", by_hand, "ms");
  run.record("evaluations", static_cast<double>(result.evaluations), "count");
  run.record_time("evaluation", by_hand, "us", static_cast<double>(result.evaluations));
  run.record("worst_difference", result.worst, "absolute");

  const auto both = [&] { return autograd::cat(problem.forward(), -1); };
  const Timing checked = run.time([&] {
    keep(nn::gradcheck(problem.attention, both, {problem.state, problem.encoded}).passed());
  });
  run.record_time("nn_gradcheck", checked, "ms");
}

// Every decoder position against every source position.
void all_pairs(const Run& run) {
  constexpr std::int64_t batch = 32;
  constexpr std::int64_t queries = 20;
  constexpr std::int64_t source = 20;
  constexpr std::int64_t dim = 256;
  const nn::AdditiveAttention attention({.decoder_dim = dim, .encoder_dim = dim});
  const Tensor states = autograd::randn({batch, queries, dim}).requires_grad_();
  const Tensor encoded = autograd::randn({batch, source, dim}).requires_grad_();
  std::vector<Tensor> leaves = {states, encoded};
  for (const Tensor& parameter : attention.parameters()) leaves.push_back(parameter);
  record_forward_backward(run, "ms", 1.0, leaves,
                          [&] { return std::vector<Tensor>{attention(states, encoded).context}; });
}

}  // namespace

void add_attention(std::vector<Workload>& all) {
  all.push_back(
      {"attention_demo", "B=2 S=8 dec=256 enc=512 attn=128 f32, masked", [](const Run& run) { one_query(run, demo); }});
  all.push_back({"attention_exercise", "B=2 S=5 dec=8 enc=8 attn=8 f64, masked",
                 [](const Run& run) { one_query(run, exercise); }});
  all.push_back(
      {"gradcheck_attention", "attention_exercise: central differences in all 232 elements", gradcheck_attention});
  all.push_back({"attention_all_pairs", "B=32 Tq=20 S=20 d=256 f32", all_pairs});
}

}  // namespace bench
