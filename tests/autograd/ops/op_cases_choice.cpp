// Choices: the larger and the smaller, where, masks, limits.

#include <limits>

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {

void add_choice_cases(Table& table) {
  const auto larger = [](In x) { return maximum(x[0], x[1]); };
  const auto smaller = [](In x) { return minimum(x[0], x[1]); };
  table.add("maximum", {
                           {"plain", larger},
                           {"broadcast", larger},
                           {"ties", larger},
                           {"transposed", [](In x) { return maximum(x[0].t(), x[1]); }},
                       });
  table.add("minimum", composed,
            {
                {"plain", smaller},
                {"broadcast", smaller},
                {"ties", smaller},
                {"transposed", [](In x) { return minimum(x[0].t(), x[1]); }},
            });

  const auto choose = [](In x) { return where(x[0], x[1], x[2]); };
  table.add("where", {{"plain", choose}, {"broadcast", choose}, {"zero_dim", choose}, {"empty", choose}});

  const double infinity = std::numeric_limits<double>::infinity();
  const auto fill = [](double value) { return [value](In x) { return x[0].masked_fill(x[1], value); }; };
  table.add("masked_fill", {
                               {"plain", fill(-1.5)},
                               {"broadcast", fill(0.0)},
                               {"minus_infinity", fill(-infinity)},
                               {"transposed", [](In x) { return x[0].t().masked_fill(x[1], 2.0); }},
                               {"zero_dim_mask", fill(2.0)},
                           });

  const auto between = [](double low, double high) { return [=](In x) { return clamp(x[0], low, high); }; };
  table.add("clamp", {
                         {"both", between(-0.5, 0.75)},
                         {"min", between(-0.25, infinity)},
                         {"max", between(-infinity, 0.25)},
                         {"at_bounds", between(-0.5, 0.5)},
                         {"min_at_bound", between(0.0, infinity)},
                     });
}

}  // namespace op_cases
