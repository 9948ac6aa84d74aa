#include "autograd/debug/trace/element_origins.h"

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>

#include "autograd/tensor/factories.h"

namespace autograd::debug {
namespace {

constexpr std::array<std::string_view, 13> copying{"transpose", "permute", "expand",     "slice",  "slice_backward",
                                                   "select",    "flip",    "cat",        "gather", "index_select",
                                                   "embedding", "where",   "masked_fill"};
constexpr std::array<std::string_view, 9> along{"softmax", "log_softmax", "cumsum", "sum",      "mean",
                                                "amax",    "max",         "min",    "logsumexp"};

template <std::size_t N> bool is_one_of(const Node& node, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), node.name()) != names.end();
}

// Each element of the inputs is its position, from 1, times `sign`. Elements of a copy follow the sign, constants do
// not.
std::vector<double> run_on_positions(const Node& node, const Inputs& inputs, double sign) {
  Inputs marked;
  double position = 0;
  for (const Tensor& input : inputs) {
    std::vector<double> values(static_cast<std::size_t>(input.numel()));
    for (double& value : values) value = sign * ++position;
    marked.push_back(from_vector(values, input.shape(), float64));
  }
  return node.forward(marked).to_vector();
}

Tensor find_copies(const Node& node, const Inputs& inputs) {
  std::vector<double> from = run_on_positions(node, inputs, 1);
  const std::vector<double> negative = run_on_positions(node, inputs, -1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = from[i] == -negative[i] ? from[i] - 1 : -1;  // none: 0
  return from_vector(from, node.shape, int64);
}

// Two elements are in one row if a change of the first changes what the op makes of the second: the first of all, and
// its neighbour along each dim.
std::vector<std::int64_t> find_dims(const Node& node, const Tensor& input) {
  constexpr std::array<std::string_view, 3> keeping{"softmax", "log_softmax", "cumsum"};
  const bool keeps_shape = is_one_of(node, keeping);
  const auto count = static_cast<std::size_t>(input.numel());
  const auto run = [&](const std::vector<double>& values) {
    return node.forward({from_vector(values, input.shape(), float64)}).to_vector();
  };
  std::vector<double> values(count, 0);
  const std::vector<double> before = run(values);
  std::vector<std::int64_t> dims;
  std::size_t stride = count;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(input.dim()); ++dim) {
    const std::int64_t size = input.shape()[dim];
    stride /= static_cast<std::size_t>(size);
    if (size == 1) continue;  // along it or not: the same elements
    const std::size_t changed = keeps_shape ? 0 : stride;
    const std::size_t seen = keeps_shape ? stride : 0;
    values[changed] = std::string_view(node.name()) == "min" ? -1 : 1;
    if (run(values)[seen] != before[seen]) dims.push_back(static_cast<std::int64_t>(dim));
    values[changed] = 0;
  }
  return dims;
}

// The op is linear: what it makes of a 1 at one place, and of 0 elsewhere.
Tensor find_factors(const Node& node, const Tensor& input) {
  const auto columns = static_cast<std::size_t>(input.numel());
  const auto rows = static_cast<std::size_t>(node.shape.numel());
  std::vector<double> values(columns, 0);
  std::vector<double> found(rows * columns);
  for (std::size_t j = 0; j < columns; ++j) {
    values[j] = 1;
    const std::vector<double> made = node.forward({from_vector(values, input.shape(), float64)}).to_vector();
    for (std::size_t i = 0; i < rows; ++i) found[i * columns + j] = made[i];
    values[j] = 0;
  }
  return from_vector(found, {node.shape.numel(), input.numel()}, float64);
}

}  // namespace

bool has_origins(const Node& node) {
  return is_one_of(node, copying) || is_one_of(node, along) || std::string_view(node.name()) == "nll_loss";
}

Tensor copied_from(const Node& node, const Inputs& inputs) {
  if (!is_one_of(node, copying) || node.shape.numel() == 0) return {};
  try {
    return find_copies(node, inputs);
  } catch (const std::exception&) {  // what it kept has been overwritten or released
    return {};
  }
}

std::vector<std::int64_t> along_dims(const Node& node, const Inputs& inputs) {
  if (!is_one_of(node, along) || inputs.size() != 1 || inputs[0].numel() == 0) return {};
  try {
    return find_dims(node, inputs[0]);
  } catch (const std::exception&) {
    return {};
  }
}

Tensor factors(const Node& node, const Inputs& inputs) {
  constexpr std::int64_t most = 4096;
  if (std::string_view(node.name()) != "nll_loss" || inputs[0].numel() * node.shape.numel() > most) return {};
  try {
    return find_factors(node, inputs[0]);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace autograd::debug
