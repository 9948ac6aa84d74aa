// Picking by positions, adding to positions, and embedding.

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

// PyTorch's x[i, j] with two lists of positions in a matrix; index() takes one of them.
Tensor pick_pairs(const Tensor& x, const Tensor& i, const Tensor& j) {
  const Tensor position = i * static_cast<double>(x.size(1)) + j;
  return x.flatten().index({position});
}

}  // namespace

void add_gather_cases(Table& table) {
  const auto by_list = [](In x) { return x[0].index({x[1]}); };
  const auto by_pairs = [](In x) { return pick_pairs(x[0], x[1], x[2]); };
  table.add("index", "index_select",
            {
                {"tensor", by_list},
                {"tensor_negative", by_list},
                {"tensor_2d", by_list},
                {"tensor_zero_dim", by_list},
                {"tensor_dim1",
                 [](In x) {
                   return x[0].index({Index::all(), x[1]});
                 }},
                {"tensor_pair", by_pairs},
                {"tensor_pair_broadcast", by_pairs},
                {"tensor_transposed", [](In x) { return x[0].t().index({x[1]}); }},
                {"tensor_empty", by_list},
            });

  const auto gathered = [](std::int64_t dim) { return [=](In x) { return gather(x[0], dim, x[1]); }; };
  table.add("gather", {
                          {"dim0", gathered(0)},
                          {"dim1", gathered(1)},
                          {"fewer_rows", gathered(1)},
                          {"dim-1_3d", gathered(-1)},
                          {"transposed", [](In x) { return gather(x[0].t(), 1, x[1]); }},
                      });
  const auto selected = [](std::int64_t dim) { return [=](In x) { return index_select(x[0], dim, x[1]); }; };
  table.add("index_select", {
                                {"dim0", selected(0)},
                                {"dim1", selected(1)},
                                {"dim-1_transposed", [](In x) { return index_select(x[0].t(), -1, x[1]); }},
                                {"empty", selected(0)},
                            });
  const auto scattered = [](std::int64_t dim) { return [=](In x) { return scatter_add(x[0], dim, x[2], x[1]); }; };
  table.add("scatter_add", {{"dim0", scattered(0)}, {"dim1", scattered(1)}});
  const auto added = [](std::int64_t dim) { return [=](In x) { return index_add(x[0], dim, x[2], x[1]); }; };
  table.add("index_add", {
                             {"dim0", added(0)},
                             {"dim1", added(1)},
                             {"alpha", [](In x) { return index_add(x[0], 0, x[2], -2.5 * x[1]); }},
                         });

  const auto looked_up = [](In x) { return embedding(x[1], x[0]); };
  const auto with_padding = [](std::int64_t id) { return [=](In x) { return embedding(x[1], x[0], id); }; };
  table.add("embedding", {
                             {"plain", looked_up},
                             {"repeats", looked_up},
                             {"padding", with_padding(0)},
                             {"padding_negative", with_padding(-1)},
                             {"zero_dim", looked_up},
                             {"empty", looked_up},
                         });
}

}  // namespace op_cases
