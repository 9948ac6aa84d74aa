// The edges: NaN, and more taken off than there is.

#include "op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

void add_nans(Table& table) {
  table.add("relu", {{"nan", [](In x) { return relu(x[0]); }}});
  table.add("abs", {{"nan", [](In x) { return abs(x[0]); }}});
  table.add("clamp", {{"nan", [](In x) { return clamp(x[0], -0.5, 0.75); }}});
  table.add("maximum", {{"nan", [](In x) { return maximum(x[0], x[1]); }}});
  table.add("minimum", {{"nan", [](In x) { return minimum(x[0], x[1]); }}});
  table.add("amax", {{"nan", [](In x) { return amax(x[0], 1); }}});
  table.add("amin", {{"nan", [](In x) { return amin(x[0], 1); }}});
  table.add("max", {{"nan", [](In x) { return max(x[0], 1).values; }}});
  table.add("min", {{"nan", [](In x) { return min(x[0], 1).values; }}});
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

}  // namespace

void add_edge_cases(Table& table) {
  add_nans(table);
  add_corrections(table);
}

}  // namespace op_cases
