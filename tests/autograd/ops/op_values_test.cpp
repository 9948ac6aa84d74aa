// Every op against PyTorch: the value, the gradient for the fixture's cotangent, and the second derivatives, at
// ordinary points and at special ones (ties, limits, infinities, empty tensors). Shapes and dtypes are compared too.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "tests/autograd/ops/op_cases.h"
#include "tests/support/fixtures.h"

namespace op_values_test {

using namespace autograd;
using fixtures::Json;

constexpr fixtures::Tolerance float64_tolerance{.relative = 1e-12, .absolute = 1e-13};
constexpr fixtures::Tolerance float32_tolerance{.relative = 1e-6, .absolute = 1e-7};

testing::AssertionResult near(const Tensor& actual, const Json& expected) {
  const bool coarse = expected["dtype"] == "float32";
  return fixtures::near(actual, expected, coarse ? float32_tolerance : float64_tolerance);
}

testing::AssertionResult near_in_float32(const Tensor& actual, const Json& expected) {
  const Tensor rounded = fixtures::tensor(expected);
  return fixtures::near(actual, is_floating(rounded.dtype()) ? rounded.to(float32) : rounded,
                        {.relative = 1e-5, .absolute = 1e-5});
}

bool exists_in_float32(const std::string& id) {
  const bool names_a_dtype = id.rfind("to/", 0) == 0;
  const bool beyond_its_range = id == "exp/special" || id == "log/special" || id == "relu/zero";
  return !names_a_dtype && !beyond_its_range;
}

// The derivatives of <cotangent, output>; zeros where output does not depend on an input.
std::vector<Tensor> gradients_of(const Tensor& output, const std::vector<Tensor>& inputs, const Tensor& cotangent,
                                 bool create_graph) {
  std::vector<Tensor> found(inputs.size());
  if (output.requires_grad()) {
    found = grad(output, inputs, {.grad_output = cotangent, .create_graph = create_graph, .allow_unused = true});
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!found[i].defined()) found[i] = zeros_like(inputs[i]);
  }
  return found;
}

// One case of ops.json, with its call made here.
class Example {
 public:
  explicit Example(const std::string& id)
      : fixture(fixtures::find("ops.json", id)), inputs(fixtures::tensors(fixture["inputs"])) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (fixture["gradients"][i].is_null()) continue;
      leaves.push_back(inputs[i].requires_grad_());
      gradients.push_back(fixture["gradients"][i]);
      directions.push_back(fixtures::tensor(fixture["cotangent2"][i]));
      second.push_back(fixture["second"][i]);
    }
    output = op_cases::find(id).call(inputs);
    cotangent = fixtures::tensor(fixture["cotangent"]);
  }

  const Json& fixture;
  std::vector<Tensor> inputs;
  Tensor output;
  Tensor cotangent;
  // Of the inputs that take a gradient, in order:
  std::vector<Tensor> leaves;
  std::vector<Json> gradients;
  std::vector<Tensor> directions;
  std::vector<Json> second;
};

class OpValues : public testing::TestWithParam<std::string> {};

TEST_P(OpValues, Output) {
  const Example example(GetParam());
  EXPECT_TRUE(near(example.output, example.fixture["output"])) << example.fixture["note"];
}

TEST_P(OpValues, Gradients) {
  const Example example(GetParam());
  if (example.leaves.empty()) {
    EXPECT_FALSE(example.output.requires_grad());
    return;
  }
  const std::vector<Tensor> found = gradients_of(example.output, example.leaves, example.cotangent, false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(near(found[i], example.gradients[i])) << "gradient " << i << " of " << example.fixture["note"];
  }
}

TEST_P(OpValues, SecondDerivatives) {
  const Example example(GetParam());
  if (example.fixture["second_cotangent"].is_null()) return;  // PyTorch has none, or it is not finite
  example.cotangent.requires_grad_();
  const std::vector<Tensor> first = gradients_of(example.output, example.leaves, example.cotangent, true);
  Tensor product = zeros({}, float64);
  for (std::size_t i = 0; i < first.size(); ++i)
    product = product + (example.directions[i] * first[i]).sum().to(float64);

  std::vector<Tensor> variables = example.leaves;
  variables.push_back(example.cotangent);
  const std::vector<Tensor> found = gradients_of(product, variables, ones({}, float64), false);
  for (std::size_t i = 0; i < example.leaves.size(); ++i) {
    EXPECT_TRUE(near(found[i], example.second[i])) << "second derivative " << i << " of " << example.fixture["note"];
  }
  EXPECT_TRUE(near(found.back(), example.fixture["second_cotangent"])) << "of " << example.fixture["note"];
}

std::string where_nan(const Tensor& x) {
  std::string text;
  for (const double value : x.to_vector()) text += std::isnan(value) ? '1' : '0';
  return text;
}

// Where a NaN arrives is not PyTorch's: what is masked or ignored is not read here; PyTorch's loops over vectors and
// over single numbers differ (elu, max, norm), or it takes other ways to the same derivative (prod, layers).
bool has_nans_of_its_own(const std::string& id) {
  for (const char* family : {"cross_entropy/", "scaled_dot_product_attention/", "elu", "max/all", "min/all", "norm/p",
                             "prod/", "gru_layer/", "lstm_layer/"}) {
    if (id.rfind(family, 0) == 0) return true;
  }
  return false;
}

// A NaN in the first element of an input arrives in the same elements of the output and of all gradients.
TEST_P(OpValues, NaN) {
  if (has_nans_of_its_own(GetParam())) return;
  for (std::size_t i = 0; i < fixtures::find("ops.json", GetParam())["nan"].size(); ++i) {
    const Json& expected = fixtures::find("ops.json", GetParam())["nan"][i];
    if (expected.is_null()) continue;
    SCOPED_TRACE("input " + std::to_string(i));
    const Example example(GetParam());
    {
      const NoGradGuard no_grad;
      example.inputs[i].view(-1).set_({0}, std::numeric_limits<double>::quiet_NaN());
    }
    const Tensor output = op_cases::find(GetParam()).call(example.inputs);
    EXPECT_EQ(where_nan(output), expected[0].get<std::string>()) << "the output of " << example.fixture["note"];
    const std::vector<Tensor> found = gradients_of(output, example.leaves, example.cotangent, false);
    for (std::size_t j = 0; j < found.size(); ++j) {
      EXPECT_EQ(where_nan(found[j]), expected[j + 1].get<std::string>())
          << "gradient " << j << " of " << example.fixture["note"];
    }
  }
}

// The same calls in float32: nothing is promoted on the way, and the numbers are the same to five digits.
TEST_P(OpValues, Float32) {
  const std::string id = GetParam();
  if (!exists_in_float32(id)) return;
  const Example example(id);
  std::vector<Tensor> inputs;
  std::vector<Tensor> leaves;
  for (const Tensor& x : example.inputs) {
    inputs.push_back(is_floating(x.dtype()) ? x.detach().to(float32) : x);
    if (x.requires_grad()) leaves.push_back(inputs.back().requires_grad_());
  }
  const Tensor output = op_cases::find(id).call(inputs);
  EXPECT_TRUE(near_in_float32(output, example.fixture["output"])) << example.fixture["note"];
  if (leaves.empty()) return;
  const std::vector<Tensor> found = gradients_of(output, leaves, example.cotangent.to(float32), false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(near_in_float32(found[i], example.gradients[i]))
        << "gradient " << i << " of " << example.fixture["note"];
  }
}

INSTANTIATE_TEST_SUITE_P(PyTorch, OpValues, testing::ValuesIn(fixtures::ids("ops.json")), fixtures::test_name);

// ---- the table is complete ---------------------------------------------------------------------------------

std::set<std::string> ids_of_table() {
  std::set<std::string> ids;
  for (const op_cases::OpCase& one : op_cases::all()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id << " is in the table twice";
  }
  return ids;
}

TEST(OpCases, CoverAllFixtures) {
  const std::set<std::string> written = ids_of_table();
  for (const std::string& id : fixtures::ids("ops.json")) {
    EXPECT_TRUE(written.contains(id)) << id
                                      << " of ops.json has no C++ case; add it to tests/autograd/ops/op_cases_*.cpp";
  }
}

TEST(OpCases, HaveFixturesOrInputsOfTheirOwn) {
  const std::vector<std::string> list = fixtures::ids("ops.json");
  const std::set<std::string> known(list.begin(), list.end());
  for (const op_cases::OpCase& one : op_cases::all()) {
    EXPECT_NE(known.contains(one.id), static_cast<bool>(one.inputs))
        << one.id << " needs either a case in ops.json or inputs of its own";
  }
}

}  // namespace op_values_test
