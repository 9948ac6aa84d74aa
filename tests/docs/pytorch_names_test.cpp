// docs/from-pytorch.md names everything that PyTorch and the public headers both have, and nothing else. PyTorch's
// names are in a fixture (tests/fixtures/pytorch_names.py).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/fixtures.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace pytorch_names_test {

using Names = std::set<std::string>;
const std::string source = BACKSTEP_SOURCE;

Names names_in(const std::string& text, const std::string& pattern) {
  const std::vector<std::string> found = fixtures::matches(text, pattern);
  return Names(found.begin(), found.end());
}

// The headers that autograd.h, the rooms of nn and gradcheck.h include, without their comments.
std::string public_headers() {
  Names files{"autograd/gradcheck/gradcheck.h", "nn/optim/optimizer.h"};
  for (const char* all : {"/autograd/autograd.h", "/nn/layers.h", "/nn/optim.h", "/nn/saving.h", "/nn/attention.h",
                          "/nn/translation.h", "/nn/measures.h"}) {
    files.merge(names_in(fixtures::content_of(source + all), "#include \"((?:autograd|nn)/[^\"]+)\""));
  }
  std::string text;
  for (const std::string& file : files) text += fixtures::content_of(source + "/" + file);
  return fixtures::replace(text, "//[^\n]*", "");
}

Names names_of_pytorch() {
  std::istringstream text(fixtures::content_of(fixtures::path("pytorch_names.txt")));
  Names names{std::istream_iterator<std::string>(text), {}};
  names.insert("scaled_dot_product_attention");  // since 2.0
  return names;
}

// The same words for other things.
const Names unrelated{"DType",  "Node",         "Sequence",  "T",    "as_tensor", "bool", "broadcast_shapes",
                      "double", "element_size", "is_tensor", "name", "normal",    "set_", "set_state",
                      "type",   "uniform"};

TEST(NamesOfPyTorch, AreOnThePageIfTheHeadersHaveThem) {
  const std::string headers = public_headers();
  Names here = names_in(headers, "\\b([A-Za-z_]\\w*)\\s*\\(");
  here.merge(names_in(headers, "\\b(?:class|struct) (\\w+)"));
  ASSERT_GT(here.size(), 200u);
  const std::string page = fixtures::content_of(source + "/docs/from-pytorch.md");
  const std::size_t begin = page.find("## The same");
  const Names told = names_in(page.substr(begin, page.find("\n## ", begin) - begin), "`([A-Za-z_]\\w*)`");
  Names both;
  for (const std::string& name : names_of_pytorch()) {
    if (here.contains(name) && !unrelated.contains(name)) both.insert(name);
  }
  EXPECT_THAT(told, testing::ContainerEq(both)) << "in docs/from-pytorch.md, \"The same\"";
}

}  // namespace pytorch_names_test
