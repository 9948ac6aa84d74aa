// Reading tests/fixtures/*.json, the numbers computed by PyTorch, and comparing with them. What each file holds
// is described at the head of the script that makes it (fixtures/*_cases.py).
//
//   const Json& one = fixtures::find("modules.json", "linear/bias");
//   Tensor x = fixtures::tensor(one["inputs"]["x"]);
//   EXPECT_TRUE(fixtures::near(y, one["outputs"]["y"]));
#pragma once

#include <autograd/autograd.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fixtures {

using Json = nlohmann::json;

// The path of a file in tests/fixtures.
std::string path(const std::string& file);

// All cases of one file, in order; read once.
const std::vector<Json>& cases(const std::string& file);

// The case with that id.
const Json& find(const std::string& file, const std::string& id);

// The ids that begin with `prefix`, in order: the values of a parameterised test.
std::vector<std::string> ids(const std::string& file, const std::string& prefix = "");

// An id as GoogleTest wants a test's name: letters, digits and underscores.
std::string test_name(const testing::TestParamInfo<std::string>& info);

// A number, or one of the three that JSON lacks: "inf", "-inf" and "nan".
double number(const Json& json);

autograd::DType dtype(const std::string& name);

autograd::Shape shape(const Json& json);

// A tensor; undefined for null.
autograd::Tensor tensor(const Json& json);

std::vector<autograd::Tensor> tensors(const Json& list);

// Equal as far as rounding allows: |actual - expected| <= relative * |expected| + absolute; infinities and NaN
// only equal themselves.
struct Tolerance {
  double relative = 1e-9;
  double absolute = 1e-12;
};

bool near_number(double actual, double expected, const Tolerance& tolerance);

// Same shape and dtype, and every element near its counterpart; the failure names the worst element.
testing::AssertionResult near(const autograd::Tensor& actual, const autograd::Tensor& expected,
                              const Tolerance& tolerance = {});
testing::AssertionResult near(const autograd::Tensor& actual, const Json& expected, const Tolerance& tolerance = {});

}  // namespace fixtures
