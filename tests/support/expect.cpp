#include "tests/support/expect.h"

#include <fmt/format.h>

#include <cmath>

namespace fixtures {

testing::AssertionResult holds(const autograd::Tensor& tensor, const std::vector<double>& expected) {
  if (!tensor.defined()) return testing::AssertionFailure() << "the tensor is undefined";
  const std::vector<double> found = tensor.to_vector();
  bool equal = found.size() == expected.size();
  for (std::size_t i = 0; equal && i < found.size(); ++i) {
    equal = found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]));
  }
  if (equal) return testing::AssertionSuccess();
  return testing::AssertionFailure() << fmt::format("it holds\n{}\nand not [{}]", tensor, fmt::join(expected, ", "));
}

testing::AssertionResult has_shape(const autograd::Tensor& tensor, const autograd::Shape& expected) {
  if (tensor.shape() == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure() << fmt::format("its shape is {}, not {}", tensor.shape(), expected);
}

testing::AssertionResult mentions(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (text.find(part) == std::string::npos)
      return testing::AssertionFailure() << "\"" << part << "\" is not in:\n" << text;
  }
  return testing::AssertionSuccess();
}

std::string place(autograd::Where where, int lines_below) {
  where.line += lines_below;
  return autograd::to_string(where);
}

}  // namespace fixtures
