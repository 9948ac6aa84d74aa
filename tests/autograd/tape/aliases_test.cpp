// Arguments that share memory with one another, or with what is changed: each call gives what it would give for copies,
// and no tensor changes but the one that is to.
#include <autograd/autograd.h>
#include <autograd/tape/node.h>
#include <autograd/tape/observer.h>
#include <autograd/tape/record.h>
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

// ---- gradients that are changed in place ----------------------------------------------------------------------

using Meddle = void (*)(const Tensor& gradient);
const std::vector<std::pair<const char*, Meddle>> meddlings = {
    {"mul_", [](const Tensor& g) { g.mul_(10.0); }},
    {"zero_", [](const Tensor& g) { g.zero_(); }},
    {"copy_", [](const Tensor& g) { g.copy_(g.clamp(-0.5, 0.5)); }},
    {"add_", [](const Tensor& g) { g.add_(ones_like(g), 2.0); }},
    {"set_",
     [](const Tensor& g) {
       g.set_({0, 0}, 5.0);
     }},
    {"addcmul_", [](const Tensor& g) { g.addcmul_(ones_like(g), ones_like(g)); }},
    {"scale_all_", [](const Tensor& g) { scale_all_({g}, 3.0); }},
    {"through detach", [](const Tensor& g) { g.detach().mul_(10.0); }},
    {"through a row", [](const Tensor& g) { g[1].fill_(0.0); }},
    {"through transpose", [](const Tensor& g) { g.t().div_(3.0); }},
};
Meddle meddle = nullptr;  // what runs at the place below; nothing if null

void meddle_with(const Tensor& gradient) {
  if (meddle) meddle(gradient);
}

struct Meddler final : Node {
  static constexpr OpText text{"meddler", "y = x", "dx = dy"};
  Tensor forward(const Inputs& x) const override { return x[0]; }
  Grads backward(const Tensor& dy) override {
    meddle_with(dy);
    return {dy};
  }
};
Tensor meddler(const Tensor& x) {
  Tensor y = x.detach().clone();
  record<Meddler>(y, {&x}, Where::current());
  return y;
}

// Where a gradient meets the user's code: x is a leaf, h computed from it.
struct Place {
  const char* name;
  Tensor (*make)(const Tensor& x);
};
const std::vector<Place> places = {
    {"a hook",
     [](const Tensor& x) {
       const Tensor h = x * 2.0;
       h.register_hook([](const Tensor& g) { return meddle_with(g), Tensor(); });
       return h;
     }},
    {"a leaf's hook",
     [](const Tensor& x) {
       x.register_hook([](const Tensor& g) { return meddle_with(g), Tensor(); });
       return x * 2.0;
     }},
    {"the hook of a leaf that gets dy itself",
     [](const Tensor& x) {
       const Tensor added = leaf();
       added.register_hook([](const Tensor& g) { return meddle_with(g), Tensor(); });
       return x * 2.0 + added;
     }},
    {"the second hook",
     [](const Tensor& x) {
       const Tensor h = x * 2.0;
       h.register_hook([](const Tensor& g) { return g * 1.0; });
       h.register_hook([](const Tensor& g) { return meddle_with(g), Tensor(); });
       return h;
     }},
    {"an op's backward", [](const Tensor& x) { return meddler(x * 2.0); }},
};

// Functions of the place and the leaf in which dy reaches both, as it is or as a view.
using Joined = Tensor (*)(const Tensor& h, const Tensor& x);
const std::vector<Joined> joined = {
    [](const Tensor& h, const Tensor& x) { return x + h; },
    [](const Tensor& h, const Tensor& x) { return h + x; },
    [](const Tensor& h, const Tensor& x) { return (h.t() + x.t()).t(); },
    [](const Tensor& h, const Tensor& x) {
      return stack({h, x}).sum({0});
    },
    [](const Tensor& h, const Tensor& x) {
      return (h + x).sum().expand({2, 2});
    },
};

// Refused before anything has changed, so that the next pass is right.
TEST(Gradients, AreNotChangedInPlaceByUsersCode) {
  for (const auto& [change, run] : meddlings) {
    for (const Place& place : places) {
      for (const Joined join : joined) {
        SCOPED_TRACE(std::string(change) + " in " + place.name);
        meddle = nullptr;
        const Tensor x = leaf();
        const Tensor y = join(place.make(x), x);
        const Tensor given = tensor({{1.0, 2.0}, {3.0, 4.0}}, float64);
        y.backward(given);
        const std::vector<double> right = x.grad().to_vector();
        x.zero_grad();
        meddle = run;
        fixtures::message_of(ErrorId::wrong_gradient, [&] { y.backward(given); });
        EXPECT_FALSE(x.grad().defined());
        fixtures::message_of(ErrorId::wrong_gradient, [&] { backward({y, y}, {given, given}); });
        EXPECT_TRUE(holds(given, {1, 2, 3, 4}));
        meddle = nullptr;
        y.backward(given);
        EXPECT_TRUE(holds(x.grad(), right));
        given.mul_(2.0);  // once the pass has ended, it is the caller's
      }
    }
  }
}

TEST(Gradients, AreNotChangedInPlaceByAnObserver) {
  struct Changing : Observer {
    Grads run(Node& node, const Tensor& dy) override {
      dy.mul_(10.0);
      return node.backward(dy);
    }
  };
  const Tensor x = leaf();
  const Tensor y = x + x * 2.0;
  const Tensor given = ones({2, 2}, float64);
  {
    Changing observer;
    const ObserverGuard guard(observer);
    fixtures::message_of(ErrorId::wrong_gradient, [&] { y.backward(given); });
  }
  EXPECT_TRUE(holds(given, {1, 1, 1, 1}));
  y.backward(given);
  EXPECT_TRUE(holds(x.grad(), {3, 3, 3, 3}));
}

// A buffer that hooks share would change the gradient that the first of them has returned.
TEST(Gradients, ReturnedByHooksAreNotChangedLaterInThePass) {
  const Tensor x = leaf();
  const Tensor buffer = zeros({2, 2}, float64);
  const Tensor a = x + 0.0;
  const Tensor b = x + 0.0;
  for (const Tensor& y : {a, b}) {
    y.register_hook([&](const Tensor& g) { return buffer.copy_(g * 2.0), buffer; });
  }
  fixtures::message_of(ErrorId::wrong_gradient, [&] { (a + b).sum().backward(); });
  a.backward(ones({2, 2}, float64));  // one at a time is right
  b.backward(ones({2, 2}, float64));
  EXPECT_TRUE(holds(x.grad(), {4, 4, 4, 4}));
}

TEST(Gradients, KeptByHooksAreTheUsersAfterThePass) {
  const Tensor x = leaf();
  const Tensor y = x + 0.0;
  std::vector<Tensor> kept;
  for (const Tensor& at : {x, y}) {
    at.register_hook([&](const Tensor& g) { return kept.push_back(g), Tensor(); });
  }
  const Tensor given = ones({2, 2}, float64);
  y.backward(given);
  ASSERT_EQ(kept.size(), 2u);
  kept[0].mul_(5.0);
  EXPECT_TRUE(holds(kept[1], {1, 1, 1, 1}));
  kept[1].mul_(3.0);
  EXPECT_TRUE(holds(kept[0], {5, 5, 5, 5}));
  EXPECT_TRUE(holds(given, {1, 1, 1, 1}));
  EXPECT_TRUE(holds(x.grad(), {1, 1, 1, 1}));
}

// What a hook may change: what no gradient on its way lies in.
TEST(Gradients, LeaveTheUsersOwnTensorsToHooks) {
  const Tensor x = leaf();
  const Tensor y = x * 2.0;
  const Tensor other = leaf();
  const Tensor apart = leaf();
  x.register_hook([&](const Tensor& g) {
    const GradModeGuard recording(true);
    const Tensor v = ones_like(g);
    const std::vector<Tensor> nested = grad(apart + 0.0, {apart}, {.grad_output = v});
    nested[0].mul_(4.0);  // the result of a pass that has ended, and what it started from
    v.mul_(2.0);
    other.grad().mul_(0.5);  // a gradient that has arrived
    return nested[0] + v;
  });
  (y + (other + 0.0)).backward(ones({2, 2}, float64));
  EXPECT_TRUE(holds(x.grad(), {6, 6, 6, 6}));
  EXPECT_TRUE(holds(other.grad(), {0.5, 0.5, 0.5, 0.5}));
}

// ---- what is handed out ----------------------------------------------------------------------------------------

// Changing one of them changes no other.
void expect_apart(const std::vector<Tensor>& tensors) {
  for (const Tensor& changed : tensors) {
    std::vector<std::vector<double>> before;
    for (const Tensor& one : tensors) before.push_back(one.to_vector());
    {
      const NoGradGuard no_grad;
      changed.add_(1.0);
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].impl() == changed.impl()) continue;
      EXPECT_TRUE(holds(tensors[i], before[i])) << i;
    }
  }
}

TEST(Results, OfGradAreApart) {
  const std::vector<Joined> sums = {
      [](const Tensor& a, const Tensor& b) { return a + b; },
      [](const Tensor& a, const Tensor& b) {
        return a.t() + b.reshape({4}).reshape({2, 2});
      },
      [](const Tensor& a, const Tensor& b) {
        return (a + b).sum().expand({2, 2});
      },
      [](const Tensor& a, const Tensor& b) { return exp(a) + b; },
      [](const Tensor& a, const Tensor&) { return a; },
  };
  for (const Joined f : sums) {
    for (const bool create_graph : {false, true}) {
      const Tensor a = leaf();
      const Tensor b = leaf();
      const Tensor middle = a + 0.0;
      const Tensor given = tensor({{1.0, 2.0}, {3.0, 4.0}}, float64);
      for (const Tensor& seed : {given, a, b.detach()}) {
        const GradOptions options{.grad_output = seed, .create_graph = create_graph, .allow_unused = true};
        const auto again = [&] { return grad(f(middle, b), {a, b, middle, a}, options); };
        std::vector<Tensor> all = again();
        const std::vector<Tensor> once_more = again();
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (!all[i].defined()) continue;
          EXPECT_TRUE(holds(once_more[i], all[i].to_vector()));
        }
        all.insert(all.end(), once_more.begin(), once_more.end());
        std::erase_if(all, [](const Tensor& one) { return !one.defined(); });
        for (const Tensor& one : {given, a, b, middle}) all.push_back(one);
        expect_apart(all);
      }
    }
  }
}

TEST(Results, OfRetainGradAreApart) {
  const Tensor x = leaf();
  const Tensor y = x + 0.0;
  const Tensor z = y + 0.0;
  y.retain_grad();
  z.retain_grad();
  const Tensor given = ones({2, 2}, float64);
  z.backward(given);
  expect_apart({x.grad(), y.grad(), z.grad(), given, x});
}

// Its backward notes where the memory of its gradient lies.
struct Noting final : Node {
  static constexpr OpText text{"noting", "y = x", "dx = dy"};
  static inline const double* made = nullptr;
  Tensor forward(const Inputs& x) const override { return x[0].detach().clone(); }
  Grads backward(const Tensor& dy) override {
    const Tensor dx = 2.0 * dy;
    made = dx.data_ptr<double>();
    return {dx};
  }
};

TEST(Results, AreNotCopiedIfNobodyElseHasThem) {
  const auto noting = [](const Tensor& x) {
    Tensor y = x.detach().clone();
    record<Noting>(y, {&x}, Where::current());
    return y;
  };
  const Tensor x = leaf();
  noting(x).sum().backward();
  EXPECT_EQ(x.grad().data_ptr<double>(), Noting::made);
  const Tensor z = leaf();
  EXPECT_EQ(grad(noting(z).sum(), {z})[0].data_ptr<double>(), Noting::made);
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
