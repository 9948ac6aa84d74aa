// Other shapes, joining, and conversions.

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

void add_views(Table& table) {
  const auto swap = [](std::int64_t a, std::int64_t b) { return [=](In x) { return x[0].transpose(a, b); }; };
  table.add("transpose", "permute",
            {
                {"2d", swap(0, 1)},
                {"negative", swap(-1, 0)},
                {"same", swap(1, 1)},
                {"t", [](In x) { return x[0].t(); }},
                {"empty", swap(0, 1)},
            });
  const auto order = [](const Dims& dims) { return [=](In x) { return x[0].permute(dims); }; };
  table.add("permute", {{"3d", order({2, 0, 1})}, {"negative", order({-1, 0, 1})}, {"4d", order({0, 2, 1, 3})}});

  const auto reshaped = [](const Shape& shape) { return [=](In x) { return x[0].reshape(shape); }; };
  const auto viewed = [](const Shape& shape) { return [=](In x) { return x[0].view(shape); }; };
  table.add("reshape", "view",
            {
                {"plain", reshaped({3, 4})},
                {"infer", reshaped({4, -1})},
                {"transposed", [](In x) { return x[0].t().reshape(-1); }},
                {"to_zero_dim", reshaped({})},
                {"from_zero_dim", reshaped({1, 1})},
                {"empty", reshaped({0, 6})},
            });
  table.add("view", {{"plain", viewed({6, 2})}, {"infer", viewed({-1, 2})}});

  const auto without = [](std::int64_t dim) { return [=](In x) { return x[0].squeeze(dim); }; };
  table.add("squeeze", {
                           {"all", [](In x) { return x[0].squeeze(); }},
                           {"dim", without(1)},
                           {"dim-1", without(-1)},
                           {"not_size_1", without(0)},
                       });
  const auto with = [](std::int64_t dim) { return [=](In x) { return x[0].unsqueeze(dim); }; };
  table.add("unsqueeze", {{"dim0", with(0)}, {"dim-1", with(-1)}, {"zero_dim", with(0)}});

  const auto repeated = [](const Shape& shape) { return [=](In x) { return x[0].expand(shape); }; };
  table.add("expand", {
                          {"size_1", repeated({2, 3})},
                          {"keep", repeated({4, -1, 3})},
                          {"new_dims", repeated({2, 3, 4})},
                          {"zero_dim", repeated({2, 3})},
                          {"to_empty", repeated({0, 3})},
                      });
}

void add_joins(Table& table) {
  const auto joined = [](std::int64_t dim) { return [=](In x) { return cat(x, dim); }; };
  table.add("cat", {
                       {"dim0", joined(0)},
                       {"dim-1", joined(-1)},
                       {"middle", joined(1)},
                       {"with_empty", joined(0)},
                       {"transposed",
                        [](In x) {
                          return cat({x[0].t(), x[1]}, 1);
                        }},
                       {"same_tensor",
                        [](In x) {
                          return cat({x[0], x[0]}, 0);
                        }},
                       {"one", joined(0)},
                   });
  const auto stacked = [](std::int64_t dim) { return [=](In x) { return stack(x, dim); }; };
  table.add("stack", "cat",
            {{"dim0", stacked(0)}, {"dim1", stacked(1)}, {"dim-1", stacked(-1)}, {"zero_dim", stacked(0)}});
}

}  // namespace

void add_shape_cases(Table& table) {
  add_views(table);
  const auto reversed = [](const Dims& dims) { return [=](In x) { return flip(x[0], dims); }; };
  table.add("flip", {{"dim0", reversed(0)}, {"dims0_2", reversed({0, 2})}, {"negative", reversed(-1)}});
  add_joins(table);

  const auto to_float64 = [](In x) { return x[0].to(float64); };
  table.add("to", {
                      {"float64", to_float64},
                      {"float32", [](In x) { return x[0].to(float32); }},
                      {"same", to_float64},
                  });
  table.add("to", composed, {{"mixed", [](In x) { return x[0].to(float64) * x[1]; }}});
  table.add("to", no_derivative, {{"from_int64", to_float64}, {"from_bool", to_float64}});

  // Not in ops.json: squares, where the wrong dims have the right shape; and clone.
  table.add("transpose", "permute",
            {{"square", [](In x) { return x[0].t(); },
              [] {
                return Tensors{normal({3, 3})};
              }}});
  const auto turned = [](In x) { return x[0].permute({2, 0, 1}); };
  table.add("permute", {{"cube", turned, [] { return Tensors{normal({2, 2, 2})}; }}});
  table.add("expand", {{"square", [](In x) { return x[0].expand({3, 3}); }, [] { return Tensors{normal({3, 1})}; }}});
  const auto matrix = [] { return Tensors{normal({2, 3})}; };
  table.add("clone", {
                         {"plain", [](In x) { return x[0].clone(); }, matrix},
                         {"transposed", [](In x) { return x[0].t().clone(); }, matrix},
                         {"contiguous", [](In x) { return x[0].t().contiguous(); }, matrix},
                     });
}

}  // namespace op_cases
