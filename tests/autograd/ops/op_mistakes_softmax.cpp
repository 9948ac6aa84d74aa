// Mistakes in softmax, in its logarithm, and in softmax under a mask.

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

using DimOf = std::function<std::int64_t(In run)>;

std::int64_t softmax_dim(In run) {
  return dim_of([](const Tensor& x, std::int64_t dim) { return softmax(x, dim); }, run);
}

std::int64_t log_softmax_dim(In run) {
  return dim_of([](const Tensor& x, std::int64_t dim) { return log_softmax(x, dim); }, run);
}

std::int64_t last_dim(In run) {
  return run.x[0].dim() - 1;
}

// y * (dy - sum(y * dy)), done wrong.
Mistakes jacobian_mistakes(const std::string& op, const DimOf& dim) {
  const auto weighted_mean = [=](In run) { return sum(run.y * run.dy, dim(run), true); };
  const auto diagonal = [](In run) { return run.y * (1.0 - run.y) * run.dy; };
  const auto factor_forgotten = [=](In run) { return run.dy - weighted_mean(run); };
  const auto plain_mean = [=](In run) { return run.y * (run.dy - run.dy.mean(dim(run), true)); };
  const auto of_log_softmax = [=](In run) { return run.dy - run.y * run.dy.sum(dim(run), true); };
  const auto over_wrong_dim = [=](In run) {
    const std::int64_t wrong_dim = (dim(run) + 1) % run.x[0].dim();
    return run.y * (run.dy - sum(run.y * run.dy, wrong_dim, true));
  };
  return {
      {op, "S01 diagonal of the Jacobian only", dx(diagonal)},
      {op, "S02 outer factor y forgotten", dx(factor_forgotten)},
      {op, "S03 plain mean instead of the weighted one", dx(plain_mean)},
      {op, "S04 formula of log_softmax", dx(of_log_softmax)},
      {op, "S05 weighted mean missing: y dy", dx([](In run) { return run.y * run.dy; })},
      {op, "S06 sign turned round", scaled(-1.0)},
      {op, "S07 returns 0", path_dropped()},
      {op, "S08 sum over the wrong dim", dx(over_wrong_dim)},
      {op, "S09 treated as the identity", dx([](In run) { return run.dy; })},
  };
}

Mistakes logarithm_mistakes() {
  const auto total = [](In run) { return run.dy.sum(log_softmax_dim(run), true); };
  const auto exp_forgotten = [=](In run) { return run.dy - run.y * total(run); };
  const auto of_softmax = [](In run) {
    const Tensor p = exp(run.y);
    return p * (run.dy - (p * run.dy).sum(log_softmax_dim(run), true));
  };
  const auto safe_logarithm = [](In run) {  // as if y = log(p + 1e-5)
    const Tensor p = exp(run.y);
    const Tensor dp = run.dy / (p + 1e-5);
    return p * (dp - (p * dp).sum(log_softmax_dim(run), true));
  };
  return {
      {"log_softmax", "S10 log probability instead of probability", dx(exp_forgotten)},
      {"log_softmax", "S11 assumes that dy sums to 1", dx([](In run) { return run.dy - exp(run.y); })},
      {"log_softmax", "S12 formula of softmax", dx(of_softmax)},
      {"log_softmax", "S13 diagonal of the Jacobian only", dx([](In run) { return run.dy * (1.0 - exp(run.y)); })},
      {"log_softmax", "1e-5 added under the logarithm", dx(safe_logarithm)},
  };
}

Mistakes masked_softmax_mistakes() {
  const auto leak = [](In run) { return where(run.y == 0.0, run.dy, run.right[0]); };
  const auto mask_forgotten = [](In run) {
    const Tensor y = softmax(run.x[0], -1);
    return y * (run.dy - (y * run.dy).sum(-1, true));
  };
  return {
      {"masked_softmax", "S23 gradient leaks into the masked places", dx(leak)},
      {"masked_softmax", "S23b mask forgotten in backward", dx(mask_forgotten)},
  };
}

}  // namespace

Mistakes softmax_mistakes() {
  return joined({
      jacobian_mistakes("softmax", softmax_dim),
      logarithm_mistakes(),
      jacobian_mistakes("masked_softmax", last_dim),
      masked_softmax_mistakes(),
  });
}

}  // namespace op_mistakes
