// Slices, and what is composed of them: x[...], split, chunk.

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

constexpr std::int64_t end = Slice::to_end;

auto part(std::int64_t dim, Slice range) {
  return [=](In x) { return slice(x[0], dim, range); };
}

auto at(const std::vector<Index>& indices) {
  return [=](In x) { return index(x[0], indices); };
}

}  // namespace

void add_slice_cases(Table& table) {
  const auto narrowed = [](std::int64_t dim, std::int64_t start, std::int64_t length) {
    return [=](In x) { return x[0].narrow(dim, start, length); };
  };
  table.add("narrow", "slice",
            {
                {"dim0", narrowed(0, 1, 2)},
                {"dim-1", narrowed(-1, 2, 1)},
                {"nothing", narrowed(1, 3, 0)},
                {"transposed", [](In x) { return x[0].t().narrow(0, 1, 2); }},
            });
  const auto selected = [](std::int64_t dim, std::int64_t position) {
    return [=](In x) { return x[0].select(dim, position); };
  };
  table.add("select", {{"dim0", selected(0, 1)}, {"negative", selected(1, -1)}, {"to_zero_dim", selected(0, 2)}});
  table.add("slice", {
                         {"step", part(1, {0, end, 2})},
                         {"start_step", part(0, {1, end, 2})},
                         {"negative_start", part(1, {-2})},
                         {"negative_stop", part(0, {0, -1})},
                         {"nothing", part(0, {1, 1})},
                         {"all", part(0, {})},
                     });

  table.add("index", "slice",
            {
                {"mixed", at({Slice{1}, Slice{0, end, 2}, -1})},
                {"new_dim", at({Index::all(), Index::new_axis(), Slice{1}})},
                {"one_step", at({Index::all(), Slice{1, 2}})},
                {"ellipsis", at({0, Index::ellipsis(), Slice{1}})},
            });
  table.add("index", "select",
            {
                {"last_dim", at({Index::ellipsis(), 0})},
                {"integers", at({1, -2})},
                {"middle", at({Index::all(), 1, Index::all()})},
            });

  table.add("split", "slice",
            {
                {"first", [](In x) { return split(x[0], 2, 1)[0]; }},
                {"last_smaller", [](In x) { return split(x[0], 2, 1)[2]; }},
                {"sizes",
                 [](In x) {
                   return split(x[0], {1, 3}, -1)[1];
                 }},
            });
  const auto two_pieces = [](In x) { return split(x[0], {2, 1, 2}, 0); };
  table.add("split", composed, {{"two_used", [=](In x) { return two_pieces(x)[0] * two_pieces(x)[2]; }}});
  table.add("chunk", "slice",
            {
                {"even", [](In x) { return chunk(x[0], 3, 1)[1]; }},
                {"uneven", [](In x) { return chunk(x[0], 3, 0)[2]; }},
                {"fewer", [](In x) { return chunk(x[0], 4, -1)[2]; }},
            });

  // Not in ops.json.
  const auto overlapping = [](In x) { return x[0].narrow(0, 0, 4) + x[0].narrow(0, 2, 4); };
  table.add("slice", {{"overlapping", overlapping, [] { return Tensors{normal(6)}; }}});
  const auto put_back = [](const Shape& shape, std::int64_t dim, std::int64_t start, std::int64_t step) {
    return [=](In x) { return slice_backward(x[0], shape, dim, start, step); };
  };
  const auto source = [](const Shape& shape) { return [=] { return Tensors{normal(shape)}; }; };
  const auto transposed = [](In x) { return slice_backward(x[0].t(), {3, 4}, 1, 1, 1); };
  table.add("slice_backward", {
                                  {"rows", put_back({4, 3}, 0, 1, 1), source({2, 3})},
                                  {"step", put_back({2, 5}, -1, 0, 2), source({2, 3})},
                                  {"middle", put_back({2, 7, 3}, 1, 1, 3), source({2, 2, 3})},
                                  {"nothing", put_back({2, 3}, 1, 1, 1), source({2, 0})},
                                  {"transposed", transposed, source({2, 3})},
                              });
}

}  // namespace op_cases
