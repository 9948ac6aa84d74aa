// Fused ops and derivatives, and slices that add to their input's gradient, against the formulas that run where
// somebody watches: each case both ways, and mistakes planted in each fused op.
#include <autograd/autograd.h>
#include <autograd/ops/fused.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tests/autograd/ops/op_cases.h"
#include "tests/autograd/ops/op_mistakes.h"
#include "tests/support/fixtures.h"

namespace fused_cases_test {

using namespace autograd;
using op_cases::OpCase;
using op_cases::Tensors;

// ---- one case, both ways ---------------------------------------------------------------------------------------

Tensors inputs_in(const OpCase& one, DType dtype) {
  Tensors inputs;
  for (const Tensor& x : op_cases::inputs_of(one)) {
    inputs.push_back(is_floating(x.dtype()) ? x.detach().to(dtype).requires_grad_(x.requires_grad()) : x);
  }
  return inputs;
}

struct Results {
  Tensor y;
  Tensors gradients;  // of the inputs that take one
};

// The case twice, so that the second gradients meet what has arrived of the first.
Results run(const OpCase& one, DType dtype, Observer* of_backward = nullptr) {
  manual_seed(op_cases::seed_of(one));
  const Tensors inputs = inputs_in(one, dtype);
  const Tensor y = one.call(inputs);
  const Tensor again = one.call(inputs);
  Results results{y, {}};
  if (!y.requires_grad()) return results;
  const Tensors dy = {randn(y.shape(), y.dtype()), randn(y.shape(), y.dtype())};
  const ObserverGuard guard(of_backward);
  backward({y, again}, dy);
  for (const Tensor& x : inputs) {
    if (x.requires_grad()) results.gradients.push_back(x.grad());
  }
  return results;
}

Results run_watched(const OpCase& one, DType dtype) {
  Observer watching;
  const ObserverGuard guard(watching);
  return run(one, dtype, &watching);
}

// Kernels add in another order than the ops that the formula is made of.
double tolerance_of(DType dtype) {
  return dtype == float32 ? 2e-5 : 1e-12;
}

bool agree(const Tensor& fast, const Tensor& formula, double tolerance) {
  if (!fast.defined() || !formula.defined()) return fast.defined() == formula.defined();
  if (!is_floating(fast.dtype())) return fast.to_vector() == formula.to_vector();
  const std::vector<double> a = fast.to_vector();
  const std::vector<double> b = formula.to_vector();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    if (!same && !(std::abs(a[i] - b[i]) <= tolerance * std::max(1.0, std::abs(b[i])))) return false;
  }
  return fast.shape() == formula.shape();
}

bool agree(const Results& fast, const Results& formula, double tolerance) {
  if (!agree(fast.y, formula.y, tolerance) || fast.gradients.size() != formula.gradients.size()) return false;
  for (std::size_t i = 0; i < fast.gradients.size(); ++i) {
    if (!agree(fast.gradients[i], formula.gradients[i], tolerance)) return false;
  }
  return true;
}

const std::set<std::string> fused_ops = {"additive_score", "cross_entropy", "gru_gates",
                                         "gru_layer",      "lstm_gates",    "lstm_layer"};

// The cases of these ops, and of functions of these names.
std::vector<std::string> ids_of(const std::set<std::string>& ops) {
  std::vector<std::string> ids;
  for (const OpCase& one : op_cases::all()) {
    if (ops.contains(one.op) || ops.contains(one.id.substr(0, one.id.find('/')))) ids.push_back(one.id);
  }
  return ids;
}

std::vector<std::string> cases_with_two_ways() {
  std::set<std::string> ops = fused_ops;
  ops.insert({"slice", "select", "narrow", "split", "chunk", "sigmoid", "softmax", "masked_softmax"});
  return ids_of(ops);
}

class TwoWays : public testing::TestWithParam<std::string> {};

TEST_P(TwoWays, GiveWhatTheFormulasGive) {
  const OpCase& one = op_cases::find(GetParam());
  for (const DType dtype : {float32, float64}) {
    EXPECT_TRUE(agree(run(one, dtype), run_watched(one, dtype), tolerance_of(dtype))) << fmt::format("{}", dtype);
  }
}
INSTANTIATE_TEST_SUITE_P(Cases, TwoWays, testing::ValuesIn(cases_with_two_ways()), fixtures::test_name);

// ---- what is not finite, what is changed in place, what needs a gradient, second derivatives ----------------------------

constexpr double inf = std::numeric_limits<double>::infinity();
const std::vector<double> odd_numbers = {std::nan(""), inf, -inf, 0.0, 1e300};

// The same tensor, with a number planted in one or two places that depend on `seed`.
Tensor planted_in(const Tensor& x, double number, int seed) {
  if (x.numel() == 0) return x.detach();
  const Tensor result = x.detach().contiguous().clone();
  for (int i = 0; i <= seed % 2; ++i) result.reshape({-1}).set_({(7 * seed + 5 * i) % x.numel()}, number);
  return result;
}

// What a run gives: numbers, or an error.
struct Ending {
  std::string error;
  Results results = {};
};

bool agree(const Ending& fast, const Ending& formula, double tolerance) {
  return fast.error == formula.error && agree(fast.results, formula.results, tolerance);
}

struct Trial {
  Tensors inputs;                    // as values
  std::vector<bool> needs_gradient;  // of each
  std::vector<double> dy = {};       // planted in dy; none if empty
  int changed = -1;    // the input that is changed in place after the forward pass; the output: as many as there are
  bool twice = false;  // second derivatives too
  int seed = 0;
};

Ending run(const OpCase& one, const Trial& trial) {
  manual_seed(op_cases::seed_of(one));
  Tensors inputs;
  Tensors wanted;
  for (std::size_t i = 0; i < trial.inputs.size(); ++i) {
    const Tensor x = trial.inputs[i].clone().requires_grad_(bool{trial.needs_gradient[i]});
    // In the middle of a graph, so that some memory may be overwritten.
    inputs.push_back(trial.needs_gradient[i] ? reshape(x, x.shape()) * 1.0 : x);
    if (trial.needs_gradient[i]) wanted.push_back(x);
  }
  Ending ending;
  try {
    const Tensor y = one.call(inputs);
    ending.results.y = y.detach().clone();
    if (!y.requires_grad()) return ending;
    Tensor dy = randn(y.shape(), y.dtype());
    for (const double number : trial.dy) dy = planted_in(dy, number, trial.seed + 1);
    if (trial.changed >= 0) {
      const NoGradGuard no_grad;
      const Tensor& changed = trial.changed < static_cast<int>(inputs.size()) ? inputs[trial.changed] : y;
      changed.copy_(flip(changed.detach(), {}).clone());
    }
    ending.results.gradients = grad(y, wanted, {.grad_output = dy, .create_graph = trial.twice, .allow_unused = true});
    if (!trial.twice) return ending;
    Tensor total;
    for (const Tensor& gradient : ending.results.gradients) {
      if (!gradient.defined() || !gradient.requires_grad()) continue;
      const Tensor part = (gradient * randn(gradient.shape(), gradient.dtype())).sum();
      total = total.defined() ? total + part : part;
    }
    if (!total.defined()) return ending;
    for (const Tensor& second : grad(total, wanted, {.allow_unused = true})) ending.results.gradients.push_back(second);
  } catch (const Error& error) {
    ending.error = name(error.id());
    ending.results = {};
  }
  return ending;
}

testing::AssertionResult same_by_formula(const OpCase& one, const Trial& trial) {
  Ending fast = run(one, trial);
  Ending formula;
  {
    Observer watching;
    const ObserverGuard guard(watching);
    formula = run(one, trial);
  }
  if (agree(fast, formula, 1e-11)) return testing::AssertionSuccess();
  testing::AssertionResult differ = testing::AssertionFailure();
  differ << fmt::format("fast {}: y {}", fast.error, fast.results.y);
  for (const Tensor& x : fast.results.gradients) differ << fmt::format(", {}", x);
  differ << fmt::format("\nformula {}: y {}", formula.error, formula.results.y);
  for (const Tensor& x : formula.results.gradients) differ << fmt::format(", {}", x);
  for (const Tensor& x : trial.inputs) differ << fmt::format("\ninput {}", x);
  return differ;
}

Trial trial_of(const OpCase& one) {
  Trial trial;
  for (const Tensor& x : op_cases::inputs_of(one)) {
    trial.inputs.push_back(x.detach());
    trial.needs_gradient.push_back(x.requires_grad());
  }
  return trial;
}

// The trial with every set of its inputs taking a gradient, but for none.
template <class F> void for_each_choice(Trial trial, F f) {
  const std::vector<bool> all = trial.needs_gradient;
  for (unsigned set = 1; set < (1u << all.size()); ++set) {
    bool is_possible = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
      trial.needs_gradient[i] = (set >> i & 1) != 0;
      is_possible = is_possible && (all[i] || !trial.needs_gradient[i]);
    }
    if (is_possible) f(trial);
  }
}

bool is_small(const Trial& trial) {
  std::int64_t numbers = 0;
  for (const Tensor& x : trial.inputs) numbers += x.numel();
  return numbers < 400;
}

TEST_P(TwoWays, GiveNaNAndInfinityWhereTheFormulasDo) {
  const OpCase& one = op_cases::find(GetParam());
  const Trial plain = trial_of(one);
  if (!is_small(plain)) return;
  int seed = 0;
  for (const double number : odd_numbers) {
    for (int i = -1; i < static_cast<int>(plain.inputs.size()); ++i) {  // -1: in dy alone
      if (i >= 0 && !is_floating(plain.inputs[i].dtype())) continue;
      for (const std::vector<double>& in_dy : {std::vector<double>{}, {0.0}, {number}, {0.0, inf}}) {
        Trial trial = plain;
        trial.dy = in_dy;
        trial.seed = ++seed;
        if (i >= 0) trial.inputs[i] = planted_in(plain.inputs[i], number, seed);
        EXPECT_TRUE(same_by_formula(one, trial))
            << number << " in input " << i << ", in dy " << testing::PrintToString(in_dy);
      }
    }
  }
}

TEST_P(TwoWays, AcceptTheChangesInPlaceThatTheFormulasDo) {
  const OpCase& one = op_cases::find(GetParam());
  if (!is_small(trial_of(one))) return;
  for_each_choice(trial_of(one), [&](Trial trial) {
    for (int i = -1; i <= static_cast<int>(trial.inputs.size()); ++i) {
      trial.changed = i;
      for (const bool twice : {false, true}) {
        trial.twice = twice;
        EXPECT_TRUE(same_by_formula(one, trial)) << "changed: " << i << ", twice: " << twice << ", gradients of "
                                                 << testing::PrintToString(trial.needs_gradient);
      }
    }
  });
}

// ---- mistakes in them --------------------------------------------------------------------------------------------

// Makes the mistakes that people make by hand in the derivatives of one op.
class Planted : public Observer {
 public:
  explicit Planted(const op_mistakes::Mistake& mistake) : mistake_(mistake) {}

  Grads run(Node& node, const Tensor& dy) override {
    const Grads right = node.backward(dy);
    if (node.name() != std::string(mistake_.op)) return right;
    const auto& fused = static_cast<Fused&>(node);
    Inputs x;
    for (std::size_t i = 0; i < fused.inputs_kept.size(); ++i) x.push_back(fused.has(i) ? fused.input(i) : Tensor());
    const auto right_for = [&](const Tensor& other) { return node.backward(other); };
    return mistake_.backward({x, node.forward(x), dy, right, right_for});
  }

 private:
  const op_mistakes::Mistake& mistake_;
};

bool is_caught(const OpCase& one, Planted& planted) {
  return !agree(run(one, float64, &planted), run_watched(one, float64), tolerance_of(float64));
}

TEST(FusedOps, MistakesAreCaughtByTheirCases) {
  if (runs_formulas()) GTEST_SKIP() << "no op is fused in this build";
  std::set<std::string> with_mistakes;
  for (const op_mistakes::Mistake& mistake : op_mistakes::of_fused_ops()) {
    with_mistakes.insert(mistake.op);
    Planted planted(mistake);
    const std::vector<std::string> ids = ids_of({mistake.op});
    EXPECT_TRUE(std::any_of(ids.begin(), ids.end(),
                            [&](const std::string& id) { return is_caught(op_cases::find(id), planted); }))
        << mistake.op << ": " << mistake.name;
  }
  EXPECT_EQ(with_mistakes, fused_ops);
}

// ---- slices --------------------------------------------------------------------------------------------------------

// A loop that takes a slice per step writes each element once: the gradient stays in one place.
TEST(Slices, AddToOneGradient) {
  const Tensor x = randn({40, 3}, float64).requires_grad_();
  const Tensor y = x * 1.0;
  std::set<const void*> places;
  Tensor loss = zeros({}, float64);
  for (int t = 0; t < 40; ++t) {
    const Tensor part = y.select(0, t) * static_cast<double>(t);
    part.register_hook([&](const Tensor&) {
      const Tensor& so_far = y.grad_fn()->gradient;
      if (so_far.defined()) places.insert(so_far.impl()->first);
      return Tensor();
    });
    loss = loss + part.sum();
  }
  loss.backward();
  EXPECT_EQ(places.size(), 1u);
  for (int t = 0; t < 40; ++t) EXPECT_EQ(x.grad().select(0, t).to_vector(), std::vector<double>(3, t));
}

TEST(Slices, LeaveAGradientAloneThatSomebodyHolds) {
  const Tensor x = ones({3}).requires_grad_();
  const Tensor y = x * 1.0;
  const Tensor dy = ones({3});
  const Tensor part = y.narrow(0, 0, 2);
  backward({y, part}, {dy, ones({2})});
  EXPECT_EQ(dy.to_vector(), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(x.grad().to_vector(), (std::vector<double>{2, 2, 1}));
}

}  // namespace fused_cases_test
