// What exists for speed alone against the formulas: every op case both ways, and mistakes planted in every fast form.
#include <autograd/autograd.h>
#include <autograd/fast/fused.h>
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

namespace fast_test {

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
Results run(const OpCase& one, DType dtype) {
  manual_seed(op_cases::seed_of(one));
  const Tensors inputs = inputs_in(one, dtype);
  const Tensor y = one.call(inputs);
  const Tensor again = one.call(inputs);
  Results results{y, {}};
  if (!y.requires_grad()) return results;
  backward({y, again}, {randn(y.shape(), y.dtype()), randn(y.shape(), y.dtype())});
  for (const Tensor& x : inputs) {
    if (x.requires_grad()) results.gradients.push_back(x.grad());
  }
  return results;
}

Results run_by_formulas(const OpCase& one, DType dtype) {
  const FormulaGuard formulas;
  return run(one, dtype);
}

// Kernels add in another order than the ops that the formula is made of, and in float32 every sum is rounded: also on
// the way through to(float32).
double tolerance_of(const OpCase& one, DType dtype) {
  return dtype == float32 || one.id.starts_with("to/") ? 2e-5 : 1e-12;
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

std::vector<std::string> all_cases() {
  std::vector<std::string> ids;
  for (const OpCase& one : op_cases::all()) ids.push_back(one.id);
  return ids;
}

class FastForms : public testing::TestWithParam<std::string> {};

TEST_P(FastForms, GiveWhatTheFormulasGive) {
  const OpCase& one = op_cases::find(GetParam());
  const bool has_dtypes_of_its_own = one.id.starts_with("to/");
  for (const DType dtype : {float32, float64}) {
    if (dtype == float32 && has_dtypes_of_its_own) continue;
    EXPECT_TRUE(agree(run(one, dtype), run_by_formulas(one, dtype), tolerance_of(one, dtype)))
        << fmt::format("{}", dtype);
  }
}
INSTANTIATE_TEST_SUITE_P(Cases, FastForms, testing::ValuesIn(all_cases()), fixtures::test_name);

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
    const Tensor x = trial.inputs[i].clone().requires_grad_(trial.needs_gradient[i]);
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
    const FormulaGuard formulas;
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

TEST_P(FastForms, GiveNaNAndInfinityWhereTheFormulasDo) {
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

TEST_P(FastForms, AcceptTheChangesInPlaceThatTheFormulasDo) {
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

// While it lives, every shortcut of one op is another function.
class Replaced {
 public:
  Replaced(OpInfo& op, fast::Shortcut shortcut) : op_(op), before_(op.shortcut) { op_.shortcut = shortcut; }
  ~Replaced() { op_.shortcut = before_; }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

 private:
  OpInfo& op_;
  fast::Shortcut before_;
};

bool is_caught(const OpCase& one) {
  return !agree(run(one, float64), run_by_formulas(one, float64), tolerance_of(one, float64));
}

// By one of the cases of the op, or of the function that is one op here.
bool is_caught_by_a_case_of(const std::string& op) {
  for (const OpCase& one : op_cases::all()) {
    if ((one.op == op || one.id.starts_with(op + "/")) && is_caught(one)) return true;
  }
  return false;
}

// The right gradients, changed by f, are handed on in place of the shortcut's own.
template <class F> bool give_changed(Node& node, fast::Step& step, F f) {
  const Grads right = node.backward(step.dy());
  const Grads wrong = f(right);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (wrong[i].defined()) step.hand_on(i, wrong[i]);
  }
  return true;
}

bool slightly_off(Node& node, fast::Step& step) {
  return give_changed(node, step, [](Grads grads) {
    for (Tensor& gradient : grads) {
      if (gradient.defined()) gradient = gradient * (1.0 + 1e-9);
    }
    return grads;
  });
}

bool gives_nothing(Node&, fast::Step&) {
  return true;
}

bool last_gradient_lost(Node& node, fast::Step& step) {
  return give_changed(node, step, [](Grads grads) {
    for (std::size_t i = grads.size(); i-- > 0;) {
      if (!grads[i].defined()) continue;
      grads[i] = Tensor();
      break;
    }
    return grads;
  });
}

TEST(Shortcuts, AreEachUsedAndCheckedByACase) {
  for (OpInfo* op : fast::ops_with_shortcut()) {
    for (const fast::Shortcut wrong : {slightly_off, gives_nothing, last_gradient_lost}) {
      const Replaced replaced(*op, wrong);
      EXPECT_TRUE(is_caught_by_a_case_of(op->text.name)) << op->text.name;
    }
  }
}

// The mistakes that people make by hand, in the fast form.
const op_mistakes::Mistake* planted = nullptr;

bool planted_mistake(Node& node, fast::Step& step) {
  auto& fused = static_cast<fast::Fused&>(node);
  Inputs x;
  for (std::size_t i = 0; i < fused.inputs_kept.size(); ++i) x.push_back(fused.has(i) ? fused.input(i) : Tensor());
  const Tensor y = node.forward(x);
  return give_changed(node, step, [&](const Grads& right) {
    const auto right_for = [&](const Tensor& dy) { return node.backward(dy); };
    return planted->backward({x, y, step.dy(), right, right_for});
  });
}

OpInfo* fused_op(const std::string& name) {
  for (OpInfo* op : fast::ops_with_shortcut()) {
    if (op->text.name == name) return op;
  }
  return nullptr;
}

TEST(FusedOps, MistakesAreCaughtByTheirCases) {
  if (!fast::shortcut.run) GTEST_SKIP() << "compiled without fast/";
  std::set<std::string> with_mistakes;
  for (const op_mistakes::Mistake& mistake : op_mistakes::of_fused_ops()) {
    OpInfo* op = fused_op(mistake.op);
    ASSERT_NE(op, nullptr) << mistake.op;
    with_mistakes.insert(mistake.op);
    planted = &mistake;
    const Replaced replaced(*op, planted_mistake);
    EXPECT_TRUE(is_caught_by_a_case_of(mistake.op)) << mistake.op << ": " << mistake.name;
  }
  EXPECT_EQ(with_mistakes, (std::set<std::string>{"additive_score", "cross_entropy", "gru_gates", "gru_layer",
                                                  "lstm_gates", "lstm_layer"}));
}

// ---- p * p -----------------------------------------------------------------------------------------------------

// The gradients at x and at p = exp(x) of f(p), and what a hook on p saw.
Tensors gradients_at_square(Tensor (*f)(const Tensor& p), DType dtype, bool has_hook) {
  manual_seed(3);
  const Tensor x = randn({3, 1031}, dtype).requires_grad_();
  const Tensor p = exp(x);
  p.retain_grad();
  Tensors seen;
  if (has_hook) p.register_hook([&](const Tensor& gradient) { return seen.emplace_back(gradient.clone()); });
  f(p).backward(randn({3, 1031}, dtype));
  seen.push_back(x.grad());
  seen.push_back(p.grad());
  return seen;
}

// To the bit: the sum of two equal numbers is exact, whichever way it is computed.
TEST(Square, GradientIsThatOfTheFormulaToTheBit) {
  const auto square = [](const Tensor& p) { return p * p; };
  const auto later_square = [](const Tensor& p) { return tanh(p * p); };
  const auto second_use = [](const Tensor& p) { return p * p + tanh(p); };
  const auto first_use = [](const Tensor& p) { return tanh(p) + p * p; };
  const auto columns = [](const Tensor& p) { return (p.t() * p.t()).t(); };
  const auto product_with_copy = [](const Tensor& p) { return p * p.clone(); };
  for (Tensor (*f)(const Tensor&) : {+square, +later_square, +second_use, +first_use, +columns, +product_with_copy}) {
    for (const DType dtype : {float32, float64}) {
      for (const bool has_hook : {false, true}) {
        const Tensors fast = gradients_at_square(f, dtype, has_hook);
        const FormulaGuard formulas;
        const Tensors formula = gradients_at_square(f, dtype, has_hook);
        ASSERT_EQ(fast.size(), formula.size());
        for (std::size_t i = 0; i < fast.size(); ++i) EXPECT_EQ(fast[i].to_vector(), formula[i].to_vector());
      }
    }
  }
}

TEST(Square, WritesNotOverAGradientThatSomebodyHolds) {
  const Tensor p = tensor({1.0, 2.0, 3.0}).requires_grad_();
  const Tensor dy = ones({3});
  (p * p).backward(dy);
  EXPECT_EQ(dy.to_vector(), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(p.grad().to_vector(), (std::vector<double>{2, 4, 6}));
}

TEST(Square, HasASecondDerivative) {
  const Tensor p = tensor({1.0, 2.0, 3.0}).requires_grad_();
  const Tensor first = grad(sum(p * p * p), {p}, {.create_graph = true})[0];
  EXPECT_EQ(first.to_vector(), (std::vector<double>{3, 12, 27}));
  EXPECT_EQ(grad(sum(first), {p})[0].to_vector(), (std::vector<double>{6, 12, 18}));
}

}  // namespace fast_test
