// The edges: NaN, single numbers that are asked for a dim, lists of nothing.

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

void add_nans(Table& table) {
  table.add("relu", {{"nan", [](In x) { return relu(x[0]); }}});
  table.add("abs", {{"nan", [](In x) { return abs(x[0]); }}});
  table.add("clamp", {{"nan", [](In x) { return clamp(x[0], -0.5, 0.75); }}});
  table.add("maximum", {{"nan", [](In x) { return maximum(x[0], x[1]); }}});
  table.add("minimum", composed, {{"nan", [](In x) { return minimum(x[0], x[1]); }}});
  table.add("amax", {{"nan", [](In x) { return amax(x[0], 1); }}});
  table.add("amin", composed, {{"nan", [](In x) { return amin(x[0], 1); }}});
  table.add("max", {{"nan", [](In x) { return max(x[0], 1).values; }}});
  table.add("min", composed, {{"nan", [](In x) { return min(x[0], 1).values; }}});
  table.add("pow", {
                       {"exponent_0_at_nan", [](In x) { return x[0].pow(0); }},
                       {"tensor_exponent_at_nan", [](In x) { return pow(x[0], x[1]); }},
                   });
}

void add_corrections(Table& table) {
  const auto spread = [](const Dims& dims, std::int64_t correction, bool keepdim = false) {
    return [=](In x) { return var(x[0], dims, correction, keepdim); };
  };
  table.add("var", composed,
            {
                {"correction_above_n", spread(1, 5)},
                {"correction_above_n_dims0_1", spread({0, 1}, 9, true)},
                {"correction_above_n_no_spread", spread(0, 3)},
            });
}

void add_single_numbers(Table& table, std::int64_t dim) {
  const std::string kind = "zero_dim_dim" + std::to_string(dim);
  table.add("sum", {{kind, [=](In x) { return sum(x[0], dim); }}});
  table.add("mean", {{kind, [=](In x) { return mean(x[0], dim); }}});
  table.add("amax", {{kind, [=](In x) { return amax(x[0], dim); }}});
  table.add("amin", composed, {{kind, [=](In x) { return amin(x[0], dim); }}});
  table.add("cumsum", {{kind, [=](In x) { return cumsum(x[0], dim); }}});
  table.add("logsumexp", {{kind, [=](In x) { return logsumexp(x[0], dim); }}});
  table.add("argmax", no_derivative, {{kind, [=](In x) { return argmax(x[0], dim); }}});
  table.add("argmin", no_derivative, {{kind, [=](In x) { return argmin(x[0], dim); }}});
  table.add("max", {{kind, [=](In x) { return max(x[0], dim).values; }}});
  table.add("max", no_derivative, {{kind + "_indices", [=](In x) { return max(x[0], dim).indices; }}});
  table.add("min", composed, {{kind, [=](In x) { return min(x[0], dim).values; }}});
  table.add("min", no_derivative, {{kind + "_indices", [=](In x) { return min(x[0], dim).indices; }}});
  table.add("softmax", {{kind, [=](In x) { return softmax(x[0], dim); }}});
  table.add("log_softmax", {{kind, [=](In x) { return log_softmax(x[0], dim); }}});
  table.add("var", composed, {{kind, [=](In x) { return var(x[0], dim, 0); }}});
  table.add("squeeze", composed, {{kind, [=](In x) { return 2.0 * squeeze(x[0], dim); }}});
  table.add("unsqueeze", {{kind, [=](In x) { return unsqueeze(x[0], dim); }}});
  table.add("flip", {{kind, [=](In x) { return flip(x[0], dim); }}});
  table.add("transpose", "permute", {{kind, [=](In x) { return transpose(x[0], 0, dim); }}});
  table.add("flatten", composed, {{kind, [=](In x) { return flatten(x[0], dim, -1); }}});
  table.add("gather", {{kind, [=](In x) { return gather(x[0], dim, x[1]); }}});
  table.add("scatter_add", {{kind, [=](In x) { return scatter_add(x[0], dim, x[2], x[1]); }}});
  table.add("index_select", {{kind, [=](In x) { return index_select(x[0], dim, x[1]); }}});
  table.add("index_add", {{kind, [=](In x) { return index_add(x[0], dim, x[2], x[1]); }}});
}

void add_nothing(Table& table) {
  const auto joined = [](std::int64_t dim) { return [=](In x) { return cat(x, dim); }; };
  table.add("cat", {
                       {"nothing_first", joined(1)},
                       {"nothing_between", joined(-2)},
                       {"nothing_but_nothing", joined(0)},
                   });
}

}  // namespace

void add_edge_cases(Table& table) {
  add_nans(table);
  add_corrections(table);
  add_single_numbers(table, 0);
  add_single_numbers(table, -1);
  table.add("sum", {{"zero_dim_keepdim", [](In x) { return sum(x[0], 0, true); }}});
  add_nothing(table);
}

}  // namespace op_cases
