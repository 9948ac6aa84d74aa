// The scores of additive attention. PyTorch has no such op by itself; attention_test.cpp compares the layer with one
// made of PyTorch's ops.

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {

void add_attention_cases(Table& table) {
  const auto scores = [](In x) { return additive_score(x[0], x[1], x[2]); };
  const auto row_of_weights = [](In x) { return additive_score(x[0], x[1], x[2].t()); };
  const auto transposed = [](In x) { return additive_score(x[0].t(), x[1].transpose(1, 2), x[2]); };
  const auto same_keys = [](In x) { return additive_score(x[0], x[0], x[1]); };
  table.add("additive_score", composed,
            {
                {"one_query", scores,
                 [] {
                   return Tensors{normal({2, 5}), normal({2, 3, 5}), normal({5})};
                 }},
                {"all_pairs", scores,
                 [] {
                   return Tensors{normal({2, 4, 5}), normal({2, 3, 5}), normal({5})};
                 }},
                {"many_features", scores,  // whole vectors and a rest
                 [] {
                   return Tensors{normal({1, 2, 13}), normal({1, 3, 13}), normal({13})};
                 }},
                {"row_of_weights", row_of_weights,
                 [] {
                   return Tensors{normal({2, 3}), normal({2, 4, 3}), normal({3, 1})};
                 }},
                {"transposed", transposed,
                 [] {
                   return Tensors{normal({4, 2}), normal({2, 4, 3}), normal({4})};
                 }},
                {"same_keys", same_keys,
                 [] {
                   return Tensors{normal({2, 3, 4}), normal({4})};
                 }},
                {"empty_source", scores,
                 [] {
                   return Tensors{normal({2, 3}), normal({2, 0, 3}), normal({3})};
                 }},
                {"empty_batch", scores,
                 [] {
                   return Tensors{normal({0, 2, 3}), normal({0, 4, 3}), normal({3})};
                 }},
            });
}

}  // namespace op_cases
