#include "tests/autograd/ops/op_cases.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tests/support/fixtures.h"

namespace op_cases {
namespace {

std::vector<OpCase> make_table() {
  Table table;
  add_elementwise_cases(table);
  add_choice_cases(table);
  add_reduction_cases(table);
  add_product_cases(table);
  add_shape_cases(table);
  add_slice_cases(table);
  add_gather_cases(table);
  add_loss_cases(table);
  add_recurrent_cases(table);
  add_attention_cases(table);
  add_composite_cases(table);
  add_edge_cases(table);
  return table.cases;
}

Tensors fixture_inputs(const std::string& id) {
  const fixtures::Json& fixture = fixtures::find("ops.json", id);
  Tensors inputs = fixtures::tensors(fixture["inputs"]);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!fixture["gradients"][i].is_null()) inputs[i].requires_grad_();
  }
  return inputs;
}

}  // namespace

void Table::add(const std::string& family, const std::string& op, const std::vector<Row>& rows) {
  for (const Row& row : rows) cases.push_back({family + "/" + row.kind, op, row.call, row.inputs});
}

const std::vector<OpCase>& all() {
  static const std::vector<OpCase> table = make_table();
  return table;
}

std::vector<OpCase> about(const std::string& op) {
  std::vector<OpCase> found;
  for (const OpCase& one : all()) {
    if (one.op == op) found.push_back(one);
  }
  return found;
}

const OpCase& find(const std::string& id) {
  static const std::map<std::string, const OpCase*> by_id = [] {
    std::map<std::string, const OpCase*> index;
    for (const OpCase& one : all()) index[one.id] = &one;
    return index;
  }();
  const auto found = by_id.find(id);
  if (found == by_id.end()) throw std::runtime_error("no op case " + id);
  return *found->second;
}

// FNV-1a of the id: the same on every machine, which std::hash is not.
std::uint64_t seed_of(const OpCase& one) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : one.id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

Tensors inputs_of(const OpCase& one) {
  if (!one.inputs) return fixture_inputs(one.id);
  autograd::manual_seed(seed_of(one));
  return one.inputs();
}

bool is_differentiable(const OpCase& one) {
  const Tensors inputs = inputs_of(one);
  return std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
}

bool agrees_with_pytorch(const OpCase& one) {
  const fixtures::Json& fixture = fixtures::find("ops.json", one.id);
  const Tensors inputs = inputs_of(one);
  const Tensor output = one.call(inputs);
  const Tensor cotangent = fixtures::tensor(fixture["cotangent"]);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad()) continue;
    const Tensor gradient = autograd::grad(output, {inputs[i]}, {.grad_output = cotangent, .allow_unused = true})[0];
    const Tensor found = gradient.defined() ? gradient : autograd::zeros_like(inputs[i]);
    if (!fixtures::near(found, fixture["gradients"][i])) return false;
  }
  return true;
}

Tensor normal(const autograd::Shape& shape) {
  return autograd::randn(shape, autograd::float64).requires_grad_();
}

Tensor positive(const autograd::Shape& shape) {
  const autograd::NoGradGuard no_grad;
  return (autograd::abs(normal(shape)) + 0.25).requires_grad_();
}

Tensor values(const std::vector<double>& numbers, const autograd::Shape& shape) {
  return autograd::from_vector(numbers, shape, autograd::float64).requires_grad_();
}

}  // namespace op_cases
