// Arguments that share memory with one another, or with what is changed: each call gives what it would give for copies,
// and no tensor changes but the one that is to.
#include <autograd/autograd.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/expect.h"

namespace aliases_test {

using namespace autograd;
using fixtures::holds;

// ---- changes in place -------------------------------------------------------------------------------------

// Two overlapping windows, and other views, of the same nine numbers.
struct Windows {
  Tensor memory = tensor({1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}, float64);
  Tensor changed = memory.narrow(0, 1, 4).reshape({2, 2});
};

using View = Tensor (*)(const Windows&);
struct NamedView {
  const char* name;
  View of;
};
const std::vector<NamedView> overlapping = {
    {"itself", [](const Windows& w) { return w.changed; }},
    {"the same memory", [](const Windows& w) { return w.changed.detach(); }},
    {"transposed", [](const Windows& w) { return w.changed.t(); }},
    {"one element behind",
     [](const Windows& w) {
       return w.memory.narrow(0, 2, 4).reshape({2, 2});
     }},
    {"one element before",
     [](const Windows& w) {
       return w.memory.narrow(0, 0, 4).reshape({2, 2});
     }},
    {"its second row, repeated",
     [](const Windows& w) {
       return w.changed[1].expand({2, 2});
     }},
    {"its last element", [](const Windows& w) { return w.changed[1][1]; }},
};

struct Change {
  const char* name;
  std::function<void(const Tensor& x, const Tensor& a, const Tensor& b)> run;
  bool needs_its_shape = false;  // of the operands
};
const std::vector<Change> changes = {
    {"add_", [](const Tensor& x, const Tensor& a, const Tensor&) { x.add_(a); }},
    {"add_ with alpha", [](const Tensor& x, const Tensor& a, const Tensor&) { x.add_(a, -0.5); }},
    {"sub_", [](const Tensor& x, const Tensor& a, const Tensor&) { x.sub_(a, 2.0); }},
    {"mul_", [](const Tensor& x, const Tensor& a, const Tensor&) { x.mul_(a); }},
    {"div_", [](const Tensor& x, const Tensor& a, const Tensor&) { x.div_(a); }},
    {"copy_", [](const Tensor& x, const Tensor& a, const Tensor&) { x.copy_(a); }},
    {"addcmul_", [](const Tensor& x, const Tensor& a, const Tensor& b) { x.addcmul_(a, b, 0.5); }, true},
    {"addcdiv_", [](const Tensor& x, const Tensor& a, const Tensor& b) { x.addcdiv_(a, b, 0.5); }, true},
    {"adam_step_, the gradient",
     [](const Tensor& x, const Tensor& a, const Tensor&) {
       const Tensor average = ones_like(x);
       const Tensor square = ones_like(x);
       adam_step_({{x, a, average, square, {.step_size = 0.1}}});
     },
     true},
};

TEST(Aliases, OfWhatIsChangedInPlaceCountAsTheyWereBefore) {
  for (const Change& change : changes) {
    for (const NamedView& a : overlapping) {
      for (const NamedView& b : overlapping) {
        const Windows windows;
        const Tensor a_ = a.of(windows);
        const Tensor b_ = b.of(windows);
        if (change.needs_its_shape && (a_.dim() < 2 || b_.dim() < 2)) continue;
        SCOPED_TRACE(std::string(change.name) + " with " + a.name + " and " + b.name);
        const Windows apart;
        change.run(apart.changed, a_.clone(), b_.clone());
        change.run(windows.changed, a_, b_);
        EXPECT_TRUE(holds(windows.memory, apart.memory.to_vector()));
      }
    }
  }
}

TEST(Aliases, OfTargetsAreCopiedAsTheyWere) {
  const Tensor a = tensor({1.0, 2.0}, float64);
  const Tensor b = tensor({3.0, 4.0}, float64);
  copy_all_({{a, b}, {b, a}});
  EXPECT_TRUE(holds(a, {3, 4}));
  EXPECT_TRUE(holds(b, {1, 2}));
}

// ---- gradients that are given ---------------------------------------------------------------------------------

Tensor leaf() {
  return tensor({{1.0, 2.0}, {3.0, 4.0}}, float64).requires_grad_();
}

TEST(Aliases, OfTheTensorAsItsGradientLeaveItsValuesAlone) {
  for (const bool detached : {false, true}) {
    const Tensor x = leaf();
    x.set_grad(detached ? x.detach() : x);
    (x * 10.0).sum().backward();
    EXPECT_TRUE(holds(x, {1, 2, 3, 4}));
    EXPECT_TRUE(holds(x.grad(), {11, 12, 13, 14}));
  }
}

TEST(Aliases, OfAnotherTensorsGradientStayApart) {
  const Tensor x = leaf();
  const Tensor y = leaf();
  x.sum().backward();
  y.set_grad(x.grad());
  y.sum().backward();
  EXPECT_TRUE(holds(y.grad(), {2, 2, 2, 2}));
  EXPECT_TRUE(holds(x.grad(), {1, 1, 1, 1}));
}

// A gradient that one holds is as it was, whatever runs later.
TEST(Aliases, OfTheGradientSeeNoLaterBackward) {
  const Tensor x = leaf();
  const Tensor y = x * x;
  y.sum().backward();
  const Tensor first = x.grad();
  const Tensor row = first[0];
  y.sum().backward();
  EXPECT_TRUE(holds(first, {2, 4, 6, 8}));
  EXPECT_TRUE(holds(row, {2, 4}));
  EXPECT_TRUE(holds(x.grad(), {4, 8, 12, 16}));
}

// What may be given as dL/dy, or returned by a hook.
using Seed = Tensor (*)(const Tensor& x);
struct NamedSeed {
  const char* name;
  Seed of;
};
const std::vector<NamedSeed> seeds = {
    {"the leaf", [](const Tensor& x) { return x; }},
    {"the leaf's values", [](const Tensor& x) { return x.detach(); }},
    {"the leaf, transposed", [](const Tensor& x) { return x.detach().t(); }},
    {"its gradient", [](const Tensor& x) { return x.grad(); }},
    {"its gradient, transposed", [](const Tensor& x) { return x.grad().t(); }},
    {"a row of its gradient, repeated",
     [](const Tensor& x) {
       return x.grad()[1].expand({2, 2});
     }},
};

// Functions through which the seed reaches the leaf as it is, as a view, or twice.
using Function = Tensor (*)(const Tensor& x);
const std::vector<Function> functions = {
    [](const Tensor& x) { return x; },
    [](const Tensor& x) { return x.t(); },
    [](const Tensor& x) { return x + x; },
    [](const Tensor& x) {
      return flip(x.reshape({4}), {0}).reshape({2, 2}) + x;
    },
    [](const Tensor& x) {
      return stack({x[1], x[0]});
    },
    [](const Tensor& x) { return x * x; },
};

// x with a gradient from before, made the same way each time.
Tensor leaf_with_gradient() {
  const Tensor x = leaf();
  (x * tensor({{0.5, 0.25}, {2.0, 8.0}}, float64)).sum().backward();
  return x;
}

TEST(Aliases, AsSeedsGiveWhatCopiesGive) {
  for (std::size_t f = 0; f < functions.size(); ++f) {
    for (const NamedSeed& seed : seeds) {
      SCOPED_TRACE("function " + std::to_string(f) + " from " + seed.name);
      const Tensor x = leaf_with_gradient();
      const Tensor given = seed.of(x);
      const Tensor apart = leaf_with_gradient();
      const std::vector<double> given_before = given.to_vector();
      const Tensor y = functions[f](x);
      y.backward(given);
      backward({y, y}, {given, given});
      const Tensor copy = seed.of(apart).detach().clone();
      const Tensor z = functions[f](apart);
      z.backward(copy);
      backward({z, z}, {copy, copy});
      EXPECT_TRUE(holds(x, {1, 2, 3, 4}));
      EXPECT_TRUE(holds(x.grad(), apart.grad().to_vector()));
      EXPECT_TRUE(holds(given, given_before));
      EXPECT_TRUE(
          holds(grad(y, {x}, {.grad_output = given})[0], grad(z, {apart}, {.grad_output = copy})[0].to_vector()));
    }
  }
}

TEST(Aliases, ReturnedByHooksGiveWhatCopiesGive) {
  for (const NamedSeed& seed : seeds) {
    SCOPED_TRACE(seed.name);
    const Tensor x = leaf_with_gradient();
    const Tensor y = x * 1.0;
    y.register_hook([&](const Tensor&) { return seed.of(x); });
    x.register_hook([](const Tensor& gradient) { return gradient; });
    const std::vector<double> given = seed.of(x).to_vector();
    const std::vector<double> before = x.grad().to_vector();
    (y + y).sum().backward();
    EXPECT_TRUE(holds(x, {1, 2, 3, 4}));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(x.grad().to_vector()[i], before[i] + given[i]) << i;
  }
}

// A hook that keeps the gradient sees it unchanged afterwards.
TEST(Aliases, KeptByHooksStayAsTheyWere) {
  const Tensor x = leaf();
  const Tensor y = x * 2.0;
  Tensor at_y;
  Tensor at_x;
  y.register_hook([&](const Tensor& gradient) { return at_y = gradient, Tensor(); });
  x.register_hook([&](const Tensor& gradient) { return at_x = gradient, Tensor(); });
  const Tensor z = y.tanh() + x;
  z.backward(ones({2, 2}, float64));
  const std::vector<double> y_then = at_y.to_vector();
  const std::vector<double> x_then = at_x.to_vector();
  const Tensor kept_y = at_y;
  const Tensor kept_x = at_x;
  z.backward(ones({2, 2}, float64));
  EXPECT_TRUE(holds(kept_y, y_then));
  EXPECT_TRUE(holds(kept_x, x_then));
}

// ---- views of the same shape ------------------------------------------------------------------------------

// Each is a tensor of its own: a hook on it is not one on x.
TEST(Aliases, OfTheSameShapeAreTensorsOfTheirOwn) {
  const std::vector<std::pair<const char*, Function>> views = {
      {"reshape",
       [](const Tensor& x) {
         return x.reshape({2, 2});
       }},
      {"view",
       [](const Tensor& x) {
         return x.view({2, 2});
       }},
      {"expand",
       [](const Tensor& x) {
         return x.expand({-1, 2});
       }},
      {"flatten", [](const Tensor& x) { return x.flatten(0, 0); }},
      {"squeeze", [](const Tensor& x) { return x.squeeze(0); }},
      {"permute",
       [](const Tensor& x) {
         return x.permute({0, 1});
       }},
      {"transpose", [](const Tensor& x) { return x.transpose(1, 1); }},
      {"narrow", [](const Tensor& x) { return x.narrow(0, 0, 2); }},
      {"chunk", [](const Tensor& x) { return x.chunk(1)[0]; }},
      {"flip", [](const Tensor& x) { return flip(x, {}); }},
      {"cat", [](const Tensor& x) { return cat({x}, 0); }},
      {"index",
       [](const Tensor& x) {
         return x.index({Index::all(), Index::all()});
       }},
  };
  for (const auto& [name, view] : views) {
    const Tensor x = leaf();
    const Tensor y = view(x);
    y.register_hook([](const Tensor& gradient) { return gradient * 10.0; });
    (y.sum() + x.sum()).backward();
    EXPECT_TRUE(holds(x.grad(), {11, 11, 11, 11})) << name;
  }
}

}  // namespace aliases_test
