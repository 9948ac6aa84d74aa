// Reductions, and softmax, which is made of them.

#include <limits>

#include "autograd/ops/parts.h"
#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

constexpr bool keepdim = true;
constexpr double infinity = std::numeric_limits<double>::infinity();

// sum, mean
template <class F> void add_average(Table& table, const std::string& op, F f) {
  const auto over = [f](const Dims& dims, bool keep = false) { return [=](In x) { return f(x[0], dims, keep); }; };
  table.add(op, {
                    {"all", over({})},
                    {"dim0", over(0)},
                    {"dim1_keepdim", over(1, keepdim)},
                    {"dim-1", over(-1)},
                    {"dims0_2", over({0, 2})},
                    {"dims-1_0_keepdim", over({-1, 0}, keepdim)},
                    {"zero_dim", over({})},
                    {"size_1", over(1)},
                    {"transposed", [f](In x) { return f(x[0].t(), 0, false); }},
                    {"expanded",
                     [f](In x) {
                       return f(x[0].expand({4, 3}), 1, false);
                     }},
                    {"empty", over(1)},
                    {"over_empty", over(0)},
                });
}

// amax, amin
template <class F> void add_extreme(Table& table, const std::string& family, const std::string& op, F f) {
  const auto over = [f](const Dims& dims, bool keep = false) { return [=](In x) { return f(x[0], dims, keep); }; };
  table.add(family, op,
            {
                {"all", over({})},
                {"dim1", over(1)},
                {"dims0_2", over({0, 2})},
                {"dims-1_0_keepdim", over({-1, 0}, keepdim)},
                {"ties_dim2", over(2)},
                {"ties_dims1_2", over({1, 2})},
                {"ties_all", over({})},
                {"empty", over(1)},
            });
}

// max, min: of all, and along a dim with the position
template <class F, class All>
void add_extreme_along_dim(Table& table, const std::string& family, const std::string& op, F f,
                           const std::string& op_over_all, All over_all) {
  const auto all_of = [over_all](In x) { return over_all(x[0]); };
  table.add(family, op_over_all, {{"all", all_of}, {"all_ties", all_of}});
  table.add(family, op,
            {
                {"dim0", [f](In x) { return f(x[0], 0, false).values; }},
                {"dim-1_keepdim", [f](In x) { return f(x[0], -1, keepdim).values; }},
                {"transposed", [f](In x) { return f(x[0].t(), 1, false).values; }},
                {"size_1", [f](In x) { return f(x[0], 1, false).values; }},
            });
  table.add(family, no_derivative,
            {
                {"dim0_indices", [f](In x) { return f(x[0], 0, false).indices; }},
                {"dim-1_keepdim_indices", [f](In x) { return f(x[0], -1, keepdim).indices; }},
            });
}

// argmax, argmin
template <class F, class All> void add_position(Table& table, const std::string& family, F f, All over_all) {
  table.add(family, no_derivative,
            {
                {"all", [over_all](In x) { return over_all(x[0]); }},
                {"dim1", [f](In x) { return f(x[0], 1, false); }},
                {"dim0_keepdim", [f](In x) { return f(x[0], 0, keepdim); }},
            });
}

// var, std
template <class F> void add_spread(Table& table, const std::string& family, F f) {
  for (const bool unbiased : {true, false}) {
    const std::int64_t correction = unbiased ? 1 : 0;
    const std::string kind = unbiased ? "unbiased_" : "biased_";
    table.add(family, composed,
              {
                  {kind + "all", [=](In x) { return f(x[0], {}, correction, false); }},
                  {kind + "dim1", [=](In x) { return f(x[0], 1, correction, false); }},
                  {kind + "dims0_2_keepdim",
                   [=](In x) {
                     return f(x[0], {0, 2}, correction, keepdim);
                   }},
                  {kind + "transposed", [=](In x) { return f(x[0].t(), -1, correction, false); }},
              });
  }
}

// softmax, log_softmax
template <class F> void add_softmax(Table& table, const std::string& op, F f) {
  const auto along = [f](std::int64_t dim) { return [=](In x) { return f(x[0], dim); }; };
  table.add(op, {
                    {"dim0", along(0)},
                    {"dim1", along(1)},
                    {"dim2", along(2)},
                    {"dim-1", along(-1)},
                    {"1d", along(0)},
                    {"zero_dim", along(0)},
                    {"size_1", along(1)},
                    {"transposed", [f](In x) { return f(x[0].t(), 1); }},
                    {"empty", along(1)},
                    {"large", along(1)},
                    {"minus_infinity", along(1)},
                });
}

}  // namespace

void add_reduction_cases(Table& table) {
  add_average(table, "sum", [](const Tensor& x, const Dims& dims, bool keep) { return sum(x, dims, keep); });
  add_average(table, "mean", [](const Tensor& x, const Dims& dims, bool keep) { return mean(x, dims, keep); });
  add_extreme(table, "amax", "amax", [](const Tensor& x, const Dims& dims, bool keep) { return amax(x, dims, keep); });
  add_extreme(table, "amin", composed,
              [](const Tensor& x, const Dims& dims, bool keep) { return amin(x, dims, keep); });

  const auto largest = [](const Tensor& x, std::int64_t dim, bool keep) { return max(x, dim, keep); };
  const auto smallest = [](const Tensor& x, std::int64_t dim, bool keep) { return min(x, dim, keep); };
  add_extreme_along_dim(table, "max", "max", largest, "amax", [](const Tensor& x) { return max(x); });
  add_extreme_along_dim(table, "min", composed, smallest, composed, [](const Tensor& x) { return min(x); });
  const auto position_of_largest = [](const Tensor& x, std::int64_t dim, bool keep) { return argmax(x, dim, keep); };
  const auto position_of_smallest = [](const Tensor& x, std::int64_t dim, bool keep) { return argmin(x, dim, keep); };
  add_position(table, "argmax", position_of_largest, [](const Tensor& x) { return x.argmax(); });
  add_position(table, "argmin", position_of_smallest, [](const Tensor& x) { return x.argmin(); });

  const auto log_sum = [](const Dims& dims, bool keep = false) {
    return [=](In x) { return logsumexp(x[0], dims, keep); };
  };
  table.add("logsumexp", {
                             {"dim1", log_sum(1)},
                             {"dim-1_keepdim", log_sum(-1, keepdim)},
                             {"dims0_2", log_sum({0, 2})},
                             {"dims0_1_keepdim", log_sum({0, 1}, keepdim)},
                             {"transposed", [](In x) { return logsumexp(x[0].t(), 0); }},
                             {"size_1", log_sum(1)},
                             {"large", log_sum(1)},
                             {"some_minus_infinity", log_sum(1)},
                             {"empty", log_sum(1)},
                         });

  const auto variance = [](const Tensor& x, const Dims& dims, std::int64_t correction, bool keep) {
    return var(x, dims, correction, keep);
  };
  const auto deviation = [](const Tensor& x, const Dims& dims, std::int64_t correction, bool keep) {
    return x.std(dims, correction, keep);
  };
  add_spread(table, "var", variance);
  add_spread(table, "std", deviation);
  table.add("var", composed, {{"biased_size_1", [](In x) { return var(x[0], 1, 0); }}});

  const auto sums = [](std::int64_t dim) { return [=](In x) { return cumsum(x[0], dim); }; };
  table.add("cumsum", {
                          {"dim0", sums(0)},
                          {"dim-1", sums(-1)},
                          {"transposed", [](In x) { return cumsum(x[0].t(), 1); }},
                          {"empty", sums(0)},
                      });

  add_softmax(table, "softmax", [](const Tensor& x, std::int64_t dim) { return softmax(x, dim); });
  add_softmax(table, "log_softmax", [](const Tensor& x, std::int64_t dim) { return log_softmax(x, dim); });
  const auto masked = [](In x) { return softmax(x[0].masked_fill(x[1], -infinity), 1); };
  const auto masked_3d = [](In x) { return softmax(x[0].masked_fill(x[1].unsqueeze(1), -infinity), -1); };
  table.add("softmax", {{"masked", masked}, {"masked_3d", masked_3d}});

  // Not in ops.json: the parts of var, std and norm; a square, which the wrong dim fits too; softmax under a mask.
  const auto cube = [] { return Tensors{normal({2, 3, 4})}; };
  const auto square = [] { return Tensors{normal({3, 3})}; };
  const auto mean_of_squares = [](const Dims& dims, bool keep = false) {
    return [=](In x) { return mean_square(x[0], dims, 5.0, keep); };
  };
  const auto root = [](const Dims& dims, bool keep = false, double eps = 0.5) {
    return [=](In x) { return root_mean_square(x[0], dims, 5.0, eps, keep); };
  };
  table.add("mean_square", {{"all", mean_of_squares({}), cube},
                            {"dims0_2_keepdim", mean_of_squares({0, 2}, keepdim), cube},
                            {"square", mean_of_squares(1), square}});
  table.add("root_mean_square", {{"all", root({}), cube},
                                 {"dims0_2_keepdim", root({0, 2}, keepdim), cube},
                                 {"square", root(1), square},
                                 {"without_eps", root(1, false, 0.0), square}});
  table.add("sum", {{"square", [](In x) { return sum(x[0], 1); }, [] { return Tensors{normal({3, 3})}; }}});
  const auto attend = [](In x) { return masked_softmax(x[0], x[1]); };
  const auto two_lengths = [] { return Tensors{normal({2, 4}), length_mask({4, 2})}; };
  const auto nothing_to_attend = [] {
    return Tensors{normal({2, 3}), mask({{true, true, true}, {false, false, false}})};
  };
  const auto one_mask_for_all_rows = [] { return Tensors{normal({2, 3, 4}), mask({true, false, true, true})}; };
  const auto holes = [] { return Tensors{normal({2, 3}), mask({{false, true, true}, {true, false, true}})}; };
  table.add("masked_softmax", {
                                  {"lengths", attend, two_lengths},
                                  {"fully_masked_row", attend, nothing_to_attend},
                                  {"broadcast", attend, one_mask_for_all_rows},
                                  {"holes", attend, holes},
                              });
}

}  // namespace op_cases
