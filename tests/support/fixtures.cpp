#include "tests/support/fixtures.h"

#include <fmt/core.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>

namespace fixtures {

std::string path(const std::string& file) {
  return std::string(BACKSTEP_FIXTURES) + "/" + file;
}

const std::vector<Json>& cases(const std::string& file) {
  static std::map<std::string, std::vector<Json>> read;
  const auto known = read.find(file);
  if (known != read.end()) return known->second;
  std::ifstream stream(path(file));
  if (!stream) throw std::runtime_error("cannot open " + path(file));
  return read[file] = Json::parse(stream).get<std::vector<Json>>();
}

const Json& find(const std::string& file, const std::string& id) {
  for (const Json& one : cases(file)) {
    if (one["id"] == id) return one;
  }
  throw std::runtime_error("no case " + id + " in " + file);
}

std::vector<std::string> ids(const std::string& file, const std::string& prefix) {
  std::vector<std::string> found;
  for (const Json& one : cases(file)) {
    const std::string id = one["id"];
    if (id.rfind(prefix, 0) == 0) found.push_back(id);
  }
  return found;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

double number(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw std::runtime_error("not a number: " + json.dump());
}

autograd::DType dtype(const std::string& name) {
  if (name == "float32") return autograd::float32;
  if (name == "float64") return autograd::float64;
  if (name == "int64") return autograd::int64;
  if (name == "bool") return autograd::boolean;
  throw std::runtime_error("unknown dtype " + name);
}

autograd::Shape shape(const Json& json) {
  return autograd::Shape(json.get<std::vector<std::int64_t>>());
}

autograd::Tensor tensor(const Json& json) {
  if (json.is_null()) return {};
  if (json["dtype"] == "int64")
    return autograd::ids(json["data"].get<std::vector<std::int64_t>>(), shape(json["shape"]));
  std::vector<double> values;
  for (const Json& value : json["data"]) values.push_back(number(value));
  return autograd::from_vector(values, shape(json["shape"]), dtype(json["dtype"]));
}

std::vector<autograd::Tensor> tensors(const Json& list) {
  std::vector<autograd::Tensor> result;
  for (const Json& json : list) result.push_back(tensor(json));
  return result;
}

bool near_number(double actual, double expected, const Tolerance& tolerance) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected)) return actual == expected;
  return std::abs(actual - expected) <= tolerance.relative * std::abs(expected) + tolerance.absolute;
}

testing::AssertionResult near(const autograd::Tensor& actual, const autograd::Tensor& expected,
                              const Tolerance& tolerance) {
  if (!actual.defined() || !expected.defined()) {
    if (actual.defined() == expected.defined()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << (actual.defined() ? "is defined, should be" : "is") << " undefined";
  }
  if (!(actual.shape() == expected.shape()) || actual.dtype() != expected.dtype()) {
    return testing::AssertionFailure() << fmt::format("is {} {}, should be {} {}", actual.dtype(), actual.shape(),
                                                      expected.dtype(), expected.shape());
  }
  const std::vector<double> found = actual.to_vector();
  const std::vector<double> wanted = expected.to_vector();
  std::size_t wrong = 0;
  std::size_t worst = 0;
  double worst_error = -1.0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (near_number(found[i], wanted[i], tolerance)) continue;
    ++wrong;
    const double error = std::abs(found[i] - wanted[i]);
    if (!(error <= worst_error)) {  // so written that NaN counts as the worst
      worst = i;
      worst_error = error;
    }
  }
  if (wrong == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << fmt::format(
             "{} of {} elements of {} differ, most of all number {}: {:.17g}, should be {:.17g}", wrong, wanted.size(),
             expected.shape(), worst, found[worst], wanted[worst]);
}

testing::AssertionResult near(const autograd::Tensor& actual, const Json& expected, const Tolerance& tolerance) {
  return near(actual, tensor(expected), tolerance);
}

}  // namespace fixtures
