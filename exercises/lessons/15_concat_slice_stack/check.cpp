#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"first", 2}, {"second", 5}, {"features", 3}, {"windows", 4},
                          {"size", 6},  {"rows", 8},   {"time", 13}};

namespace {

Tensor part(const std::vector<Tensor>& parts, std::size_t i) {
  return i < parts.size() ? parts[i] : Tensor();
}

// Neither the first dim nor the second, and not the last either.
void check_over_the_third_of_four_dims(const Answer& answer, Check& check) {
  const std::vector<std::int64_t> sizes = {check.size("first"), check.size("second")};
  const Tensor dy_of_cat = check.randn("dy of cat over dim 2", {"rows", "features", sizes[0] + sizes[1], "windows"});
  const std::vector<Tensor> joined = answer.cat_backward(dy_of_cat, sizes, 2);
  check.compare("part 0 of cat over dim 2", part(joined, 0));
  check.compare("part 1 of cat over dim 2", part(joined, 1));

  const Tensor dy_of_stack = check.randn("dy of stack over dim 2", {"rows", "features", 2, "windows"});
  const std::vector<Tensor> stacked = answer.stack_backward(dy_of_stack, 2);
  check.compare("part 0 of stack over dim 2", part(stacked, 0));
  check.compare("part 1 of stack over dim 2", part(stacked, 1));

  const Tensor x = check.randn("x of narrow over dim 2", {"first", "features", "time", "second"});
  const std::int64_t start = check.size("time") / 3;
  const Tensor dy = check.randn("dy of narrow over dim 2", {"first", "features", "size", "second"});
  check.gradient("dx of narrow over dim 2", answer.narrow_backward(dy, x.shape(), 2, start), x,
                 [=] { return (dy * x.narrow(2, start, dy.size(2))).sum(); });
}

}  // namespace

void check(const Answer& answer, Check& check) {
  {
    const Tensor left = check.randn("left", {"rows", "first"});
    const Tensor right = check.randn("right", {"rows", "second"});
    const Tensor dy = check.randn("dy of cat", {"rows", check.size("first") + check.size("second")});
    const std::vector<Tensor> parts = answer.cat_backward(dy, {check.size("first"), check.size("second")}, 1);
    const auto loss = [=] { return (dy * autograd::cat({left, right}, 1)).sum(); };
    check.compare("number of parts of cat", static_cast<double>(parts.size()));
    check.gradient("d_left", part(parts, 0), left, loss);
    check.gradient("d_right", part(parts, 1), right, loss);
  }
  {
    const Tensor above = check.randn("above", {"first", "features"});
    const Tensor middle = check.randn("middle", {"second", "features"});
    const Tensor below = check.randn("below", {"time", "features"});
    const std::vector<std::int64_t> sizes = {check.size("first"), check.size("second"), check.size("time")};
    const Tensor dy = check.randn("dy of cat over dim 0", {sizes[0] + sizes[1] + sizes[2], "features"});
    const std::vector<Tensor> parts = answer.cat_backward(dy, sizes, 0);
    const auto loss = [=] { return (dy * autograd::cat({above, middle, below}, 0)).sum(); };
    check.gradient("d_above", part(parts, 0), above, loss);
    check.gradient("d_middle", part(parts, 1), middle, loss);
    check.gradient("d_below", part(parts, 2), below, loss);
  }
  {
    const Tensor first = check.randn("first", {"rows", "features"});
    const Tensor second = check.randn("second", {"rows", "features"});
    const Tensor dy = check.randn("dy of stack", {"rows", 2, "features"});
    const std::vector<Tensor> parts = answer.stack_backward(dy, 1);
    const auto loss = [=] { return (dy * autograd::stack({first, second}, 1)).sum(); };
    check.compare("number of parts of stack", static_cast<double>(parts.size()));
    check.gradient("d_first", part(parts, 0), first, loss);
    check.gradient("d_second", part(parts, 1), second, loss);
  }
  {
    const Tensor dy = check.randn("dy of stack over dim 0", {3, "rows", "features"});
    const std::vector<Tensor> parts = answer.stack_backward(dy, 0);
    check.compare("number of parts of stack over dim 0", static_cast<double>(parts.size()));
    for (std::size_t i = 0; i < 3; ++i) {
      check.compare("part " + std::to_string(i) + " of stack over dim 0", part(parts, i));
    }
  }
  {  // A size of 1 is a size like any other, where it is the tensors' own.
    const Tensor dy = check.randn("dy of stacked columns", {"rows", 2, 1});
    const std::vector<Tensor> parts = answer.stack_backward(dy, 1);
    check.compare("number of stacked columns", static_cast<double>(parts.size()));
    for (std::size_t i = 0; i < 2; ++i) check.compare("stacked column " + std::to_string(i), part(parts, i));
  }
  {
    const Tensor x = check.randn("x of narrow", {"rows", "time", "features"});
    const std::int64_t start = check.size("time") / 3;
    const Tensor dy = check.randn("dy of narrow", {"rows", "size", "features"});
    check.gradient("dx of narrow", answer.narrow_backward(dy, x.shape(), 1, start), x,
                   [=] { return (dy * x.narrow(1, start, dy.size(1))).sum(); });
  }
  for (const bool at_the_end : {false, true}) {
    const std::string name = at_the_end ? "narrow up to the end" : "narrow from the beginning";
    const Tensor x = check.randn("x of " + name, {"time", "features"});
    const std::int64_t start = at_the_end ? check.size("time") - check.size("size") : 0;
    const Tensor dy = check.randn("dy of " + name, {"size", "features"});
    check.gradient("dx of " + name, answer.narrow_backward(dy, x.shape(), 0, start), x,
                   [=] { return (dy * x.narrow(0, start, dy.size(0))).sum(); });
  }
  for (const std::int64_t step : {2, 3}) {
    const std::string with_step = step == 2 ? "" : " with step 3";
    // One element is in no window.
    const std::int64_t covered = (check.size("windows") - 1) * step + check.size("size");
    const Tensor x = check.randn("x of windows" + with_step, {covered + 1, "features"});
    const Tensor dy = check.randn("dy of windows" + with_step, {"windows", "size", "features"});
    const Tensor uses = autograd::zeros(autograd::Shape{x.size(0), 1}, autograd::float64);
    for (std::int64_t window = 0; window < dy.size(0); ++window) uses.narrow(0, window * step, dy.size(1)).add_(1.0);
    const auto loss = [=] {
      std::vector<Tensor> windows;
      for (std::int64_t window = 0; window < dy.size(0); ++window) {
        windows.push_back(x.narrow(0, window * step, dy.size(1)));
      }
      return (dy * autograd::stack(windows)).sum();
    };
    check.gradient("dx of windows" + with_step, answer.windows_backward(dy, x.shape(), step), x, loss,
                   {.regions = {{"elements that are in several windows", uses > 1.0}}});
  }
  check_over_the_third_of_four_dims(answer, check);
}
