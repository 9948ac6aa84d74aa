// Matrix products.

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {

void add_product_cases(Table& table) {
  const auto product = [](In x) { return matmul(x[0], x[1]); };
  for (const char* kind : {"1d_1d", "2d_1d", "1d_2d", "2d_2d", "batched", "batch_broadcast", "batch_broadcast_1",
                           "3d_2d", "2d_3d", "3d_1d", "1d_3d", "outer", "empty_inner", "empty_rows"}) {
    table.add("matmul", {{kind, product}});
  }
  table.add("matmul", {
                          {"transposed_left", [](In x) { return matmul(x[0].t(), x[1]); }},
                          {"transposed_right", [](In x) { return matmul(x[0], x[1].t()); }},
                          {"batched_transposed", [](In x) { return matmul(x[0], x[1].transpose(1, 2)); }},
                          {"permuted",
                           [](In x) {
                             return matmul(x[0].permute({1, 0, 2}), x[1]);
                           }},
                          {"same_tensor", [](In x) { return matmul(x[0], x[0].t()); }},
                      });

  const auto products = [](In x) { return bmm(x[0], x[1]); };
  table.add("bmm", {
                       {"plain", products},
                       {"transposed", [](In x) { return bmm(x[0], x[1].transpose(1, 2)); }},
                       {"one_row", [](In x) { return bmm(x[0].unsqueeze(1), x[1]).squeeze(1); }},
                       {"empty_batch", products},
                   });

  const auto layer = [](In x) { return linear(x[0], x[1], x[2]); };
  const auto without_bias = [](In x) { return linear(x[0], x[1]); };
  table.add("linear", {
                          {"2d", layer},
                          {"2d_no_bias", without_bias},
                          {"3d", layer},
                          {"3d_no_bias", without_bias},
                          {"1d", layer},
                          {"one_output", [](In x) { return linear(x[0], x[1]).squeeze(-1); }},
                          {"transposed", [](In x) { return linear(x[0].t(), x[1], x[2]); }},
                          {"empty_batch", layer},
                      });

  // Not in ops.json: squares, where a forgotten transpose has the right shape.
  table.add("matmul", {{"square", product, [] { return Tensors{normal({3, 3}), normal({3, 3})}; }}});
  table.add("bmm", {{"square", products, [] { return Tensors{normal({2, 3, 3}), normal({2, 3, 3})}; }}});
  const auto square_layer = [] { return Tensors{normal({2, 3}), normal({3, 3}), normal({3})}; };
  table.add("linear", {{"square", layer, square_layer}});
}

}  // namespace op_cases
