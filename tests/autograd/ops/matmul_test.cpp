// Products whose factors do not fit: too few rows in the second, or too many.
#include <autograd/autograd.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace ops_matmul_test {

using namespace autograd;
using fixtures::message_of;

TEST(Matmul, RefusesInnerSizesThatDiffer) {
  std::vector<std::string> said;
  for (const std::int64_t rows : {2, 4}) {
    const std::string rows_text = "the " + std::to_string(rows) + " rows";
    const auto refused = [&](const auto& f) { return message_of(ErrorId::shape_mismatch, f); };
    said.push_back(refused([&] { matmul(ones({2, 3}), ones({rows, 5})); }));
    said.push_back(refused([&] { matmul(ones({4, 2, 3}), ones({rows, 5})); }));
    // Vectors, as they were given.
    const std::string entries = std::to_string(rows);
    said.push_back(refused([&] { matmul(ones({3}), ones({rows, 5})); }));
    said.push_back(refused([&] { matmul(ones({2, 3}), ones({rows})); }));
    said.push_back(refused([&] { matmul(ones({4, 2, 3}), ones({rows})); }));
    said.push_back(refused([&] { bmm(ones({2, 1, 3}), ones({2, rows, 5})); }));
  }
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

TEST(Matmul, AdvisesWhatFits) {
  const auto advice = [](const Shape& a, const Shape& b) {
    return fixtures::error_of(ErrorId::shape_mismatch, [&] { matmul(ones(a), ones(b)); }).advice();
  };
  const std::string transpose = advice({2, 3}, {4, 3});
  const std::string exchange = advice({4, 5}, {3, 4});
  const std::string dims = advice({2, 3}, {4, 5});
  EXPECT_EQ((std::set{transpose, exchange, dims}).size(), 3U);
  EXPECT_TRUE(fixtures::says("autograd_ops", {transpose, exchange, dims}));
  for (const auto& [a, b] :
       std::vector<std::pair<Shape, Shape>>{{{3, 2}, {3, 4}}, {{7, 2, 3}, {4, 3}}, {{3}, {4, 3}}, {{3, 2}, {3}}}) {
    EXPECT_EQ(advice(a, b), transpose);
  }
  for (const auto& [a, b] : std::vector<std::pair<Shape, Shape>>{{{3}, {4, 5}}, {{2, 3}, {4}}}) {
    EXPECT_EQ(advice(a, b), dims);
  }
}

TEST(Bmm, RefusesAnotherBatch) {
  std::vector<std::string> said;
  for (const std::int64_t batch : {1, 3}) {
    const auto call = [&] { bmm(ones({2, 1, 3}), ones({batch, 3, 5})); };
    said.push_back(message_of(ErrorId::shape_mismatch, call));
  }
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

TEST(Linear, RefusesInputsAndBiasesThatDoNotFit) {
  std::vector<std::string> said;
  for (const std::int64_t size : {2, 4}) {
    const auto input = [&] { linear(ones({5, size}), ones({6, 3})); };
    said.push_back(message_of(ErrorId::shape_mismatch, input));
    const auto bias = [&] { linear(ones({5, 3}), ones({3, 3}), ones({size})); };
    said.push_back(message_of(ErrorId::shape_mismatch, bias));
  }
  EXPECT_TRUE(fixtures::says("autograd_ops", said));
}

}  // namespace ops_matmul_test
