#include "autograd/gradcheck/gradients.h"

#include <cstring>

#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/random.h"

namespace autograd::checker {
namespace {

Tensor random_cotangent(const Tensor& output, Generator& generator) {
  std::vector<double> values(static_cast<std::size_t>(output.numel()));
  for (double& value : values) {
    const double size = 0.5 + generator.uniform();
    value = generator.uniform() < 0.5 ? -size : size;
  }
  return from_vector(values, output.shape(), output.dtype());
}

}  // namespace

std::vector<Tensor> floating(const std::vector<Tensor>& outputs) {
  std::vector<Tensor> result;
  for (const Tensor& output : outputs) {
    if (output.defined() && is_floating(output.dtype())) result.push_back(output);
  }
  return result;
}

std::vector<Tensor> random_cotangents(const std::vector<Tensor>& outputs, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<Tensor> cotangents;
  for (const Tensor& output : outputs) cotangents.push_back(random_cotangent(output, generator));
  return cotangents;
}

std::vector<Tensor> scaled(const std::vector<Tensor>& cotangents, double factor) {
  const NoGradGuard no_grad;
  std::vector<Tensor> result;
  for (const Tensor& cotangent : cotangents) result.push_back(mul(cotangent.detach(), factor));
  return result;
}

std::vector<Tensor> gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& cotangents,
                              const std::vector<Tensor>& variables, bool create_graph) {
  const GradModeGuard graph_on(create_graph);
  std::vector<Tensor> totals(variables.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].requires_grad()) continue;
    const GradOptions options{.grad_output = cotangents[i], .create_graph = create_graph, .allow_unused = true};
    const std::vector<Tensor> parts = grad(outputs[i], variables, options);
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (!parts[v].defined()) continue;
      totals[v] = totals[v].defined() ? add(totals[v], parts[v]) : parts[v];
    }
  }
  return totals;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

bool same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].defined() != b[i].defined()) return false;
    if (a[i].defined() && !same_bits(a[i].to_vector<double>(), b[i].to_vector<double>())) return false;
  }
  return true;
}

}  // namespace autograd::checker
