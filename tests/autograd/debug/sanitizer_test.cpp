// The gradient sanitizer: names the wrong op, line and element among the hundreds of ops of a training step, and is
// silent about everything that is right. That the environment variable does the same is tested in switch/.

#include <autograd/debug/check/sanitizer.h>
#include <autograd/debug/recording.h>
#include <autograd/gradcheck/check_node.h>
#include <autograd/gradcheck/positions.h>
#include <autograd/ops/op.h>
#include <gtest/gtest.h>
#include <nn/nn.h>

#include <set>
#include <stdexcept>

#include "autograd/text/words.h"
#include "tests/autograd/ops/op_cases.h"
#include "tests/autograd/ops/op_formula.h"
#include "tests/autograd/ops/op_mistakes.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"

namespace sanitizer_test {

using namespace autograd;
using debug::ScopedGradientSanitizer;
using op_cases::OpCase;
using op_mistakes::Mistake;

// ---- a training step -----------------------------------------------------------------------------------------------

struct Program {
  nn::Seq2Seq model;
  Tensor source = ids({3, 5, 4, 6, 2, 6, 5, 0}, {2, 4});
  std::vector<std::int64_t> lengths = {4, 3};
  Tensor target_in = ids({1, 4, 3, 1, 5, 0}, {2, 3});
  Tensor target_out = ids({4, 3, 2, 5, 2, 0}, {2, 3});

  explicit Program(DType dtype = float64, std::int64_t hidden = 3)
      : model({.encoder = {.vocab_size = 7,
                           .embed_dim = 4,
                           .hidden_dim = hidden,
                           .dropout = 0.2,
                           .padding_idx = 0,
                           .dtype = dtype},
               .decoder = {.vocab_size = 6,
                           .embed_dim = 5,
                           .hidden_dim = hidden,
                           .dropout = 0.2,
                           .padding_idx = 0,
                           .dtype = dtype}}) {}

  // [6, 6]: for each word of the targets, a number for each word of the vocabulary.
  Tensor logits() const { return model(source, lengths, target_in).logits.flatten(0, 1); }
  Tensor loss(const Tensor& logits_) const {
    return cross_entropy(logits_, target_out.flatten(), {.ignore_index = 0, .label_smoothing = 0.1});
  }
};

// <y, random numbers>, so that no two elements of y get the same gradient.
Tensor weighed(const Tensor& y) {
  return (y * randn(y.shape(), y.dtype())).sum();
}

// The ops that the step itself does not use.
Tensor other_ops(const Tensor& z) {
  const Tensor positive = sigmoid(z) + 0.5;
  const Tensor other = randn(z.shape(), z.dtype());
  const Tensor mask = other > 0.3;
  const Tensor rows = ids({5, 0, 3, 3, 1, 2}, {6});
  const Tensor places = ids({0, 1, 5, 2, 2, 4, 3, 3, 0, 1, 4, 5}, {6, 2});
  Tensor sum = weighed(log(positive)) + weighed(sqrt(positive)) + weighed(exp(0.3 * z)) + weighed(pow(positive, other));
  sum = sum + weighed(sin(z)) + weighed(cos(z)) + weighed(abs(z)) + weighed(relu(z)) + weighed(neg(z));
  sum = sum + weighed(clamp(z, -0.3, 0.3)) + weighed(maximum(z, other)) + weighed(minimum(z, other));
  sum = sum + weighed(where(mask, z, positive)) + weighed(masked_fill(z, mask, -2.0)) + weighed(other / positive);
  sum = sum + weighed(z - z.mean({1}, true)) + weighed(amax(z, {1})) + weighed(amin(z, {0}));
  sum =
      sum + weighed(max(z, 1).values) + weighed(min(z, 0).values) + weighed(logsumexp(z, {1})) + weighed(cumsum(z, 1));
  sum = sum + weighed(matmul(z, positive)) + weighed(softmax(z, 1)) + weighed(gather(z, 1, places));
  sum = sum + weighed(scatter_add(z, 1, places, z.narrow(1, 0, 2))) + weighed(index_select(z, 0, rows));
  sum = sum + weighed(index_add(z, 0, rows, positive)) + weighed(dropout(z, 0.4)) + mse_loss(z, other);
  sum = sum + weighed(flip(z, {1})) + weighed(z.permute({1, 0})) + weighed(z.clone()) +
        weighed(z.to(float32).to(float64));
  sum = sum + weighed(bmm(z.view({2, 3, 6}), positive.view({2, 6, 3}))) + weighed(stack({z, positive}, 1));
  sum = sum + weighed(z.unsqueeze(1).expand({6, 4, 6})) + weighed(z.select(0, 2)) + weighed(z.index({Slice{0, 6, 2}}));
  return sum + weighed(layer_norm(z, {6}));
}

void training_step(const Program& program) {
  manual_seed(7);
  const Tensor logits = program.logits();
  (program.loss(logits) + 0.1 * other_ops(logits)).backward();
}

// ---- planting ------------------------------------------------------------------------------------------------------

struct Change {
  const char* name;
  Tensor (*change)(const Tensor& right, const Tensor& dy);
};

Tensor with_first_row_zero(const Tensor& right) {
  if (right.dim() == 0 || right.size(0) < 2) return right;
  return cat({zeros_like(right.narrow(0, 0, 1)), right.narrow(0, 1, right.size(0) - 1)}, 0);
}

Tensor with_one_element_wrong(const Tensor& right) {
  const Tensor changed = right.clone();
  changed.data_ptr<double>()[changed.numel() / 2] += right.abs().amax().item() + 0.1;
  return changed;
}

Tensor transposed_if_square(const Tensor& right) {
  return right.dim() >= 2 && right.size(-1) == right.size(-2) ? right.transpose(-2, -1) : right;
}

const Change changes[] = {
    {"the sign flipped", [](const Tensor& right, const Tensor&) { return -right; }},
    {"twice", [](const Tensor& right, const Tensor&) { return 2.0 * right; }},
    {"zero", [](const Tensor& right, const Tensor&) { return zeros_like(right); }},
    {"one element", [](const Tensor& right, const Tensor&) { return with_one_element_wrong(right); }},
    {"moved on by one", [](const Tensor& right, const Tensor&) { return op_mistakes::moved_on(right); }},
    {"transposed", [](const Tensor& right, const Tensor&) { return transposed_if_square(right); }},
    {"a term dropped", [](const Tensor& right, const Tensor&) { return right - right.mean(); }},
    {"the mean for the sum", [](const Tensor& right, const Tensor&) { return right / 3.0; }},
    {"a row left out", [](const Tensor& right, const Tensor&) { return with_first_row_zero(right); }},
    {"dy itself", [](const Tensor& right, const Tensor& dy) { return dy.shape() == right.shape() ? dy : right; }},
    {"squared", [](const Tensor& right, const Tensor&) { return right * right; }},
    {"no negative ones", [](const Tensor& right, const Tensor&) { return relu(right); }},
};

// What was changed: everything that the report must name.
struct Planted {
  std::uint64_t number = 0;
  Where where;
  std::string scope;
  std::string input;
  std::set<std::vector<std::int64_t>> elements;
};

// Changes what the backward of one op returns: the first one of that name for which the change makes a difference.
class PlantedOnce final : public Observer {
 public:
  PlantedOnce(std::string op, const Change& change) : op_(std::move(op)), change_(change) {}
  std::optional<Planted> planted;

  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = node.backward(dy);
    if (planted || node.name() != op_) return gradients;
    for (std::size_t i = 0; i < gradients.size() && !planted; ++i) {
      if (node.needs(i) && gradients[i].defined() && gradients[i].dtype() == float64) try_on(node, i, dy, gradients);
    }
    return gradients;
  }

 private:
  void try_on(const Node& node, std::size_t i, const Tensor& dy, Grads& gradients) {
    const Tensor changed = change_.change(gradients[i].contiguous(), dy);
    const Tensor right = checker::fitted(gradients[i], node.input_shape(i));
    const Tensor wrong = checker::fitted(changed, node.input_shape(i));
    const double size = right.abs().amax().item();
    if (!((wrong - right).abs().amax().item() > 1e-3 * size + 1e-6)) return;
    const std::string name = debug::label(*node.inputs[i]);
    planted = Planted{node.number, node.called_at, scope_path(node.scope), name, {}};
    if (name[0] == '%') planted->input = fmt::format("input {}", i);
    const std::vector<double> difference = (wrong - right).to_vector();
    for (std::size_t at = 0; at < difference.size(); ++at) {
      if (difference[at] != 0.0)
        planted->elements.insert(checker::index_of(static_cast<std::int64_t>(at), right.shape()));
    }
    gradients[i] = changed;
  }

  std::string op_;
  const Change& change_;
};

// The names of all ops that a step runs backward.
class OpNames final : public Observer {
 public:
  std::set<std::string> names;
  Grads run(Node& node, const Tensor& dy) override {
    if (!node.is_leaf()) names.insert(node.name());
    return node.backward(dy);
  }
};

std::set<std::string> ops_of_the_step() {
  OpNames ops;
  const ObserverGuard guard(ops);
  training_step(Program());
  return ops.names;
}

// False where the change makes no difference to any op of that name.
bool plant_and_find(const std::string& op, const Change& change) {
  manual_seed(1);
  const Program program;
  PlantedOnce inner(op, change);
  const ObserverGuard guard(inner);
  const ScopedGradientSanitizer sanitizer;
  training_step(program);
  if (!inner.planted) return false;
  SCOPED_TRACE(op + ": " + change.name);
  EXPECT_EQ(sanitizer.reports().size(), 1u);
  if (sanitizer.reports().size() != 1) return true;

  const NodeReport& report = sanitizer.reports()[0];
  EXPECT_EQ(report.op, op);
  EXPECT_EQ(report.number, inner.planted->number);
  EXPECT_EQ(to_string(report.where), to_string(inner.planted->where));
  EXPECT_EQ(report.scope, inner.planted->scope);
  const InputReport* wrong = report.wrong_input();
  EXPECT_EQ(wrong->name, inner.planted->input);
  // A gradient that is 0 everywhere does not show which row is padding, and is 0 there on purpose.
  const bool may_be_padding = op == "embedding" && change.name == std::string("zero");
  EXPECT_TRUE(may_be_padding || inner.planted->elements.contains(wrong->worst.index))
      << testing::PrintToString(wrong->worst.index);
  return true;
}

TEST(Sanitizer, NamesOpLineAndElementOfPlantedMistakesInATrainingStep) {
  constexpr std::size_t per_op = 2;
  constexpr std::size_t count = std::size(changes);
  int planted = 0;
  std::size_t first = 0;
  for (const std::string& op : ops_of_the_step()) {
    std::size_t of_this_op = 0;
    for (std::size_t i = 0; i < count && of_this_op < per_op; ++i) {
      of_this_op += plant_and_find(op, changes[(first + i) % count]);
    }
    EXPECT_GE(of_this_op, 1u) << op;
    planted += static_cast<int>(of_this_op);
    first += per_op;
  }
  EXPECT_GE(planted, 60);
}

TEST(Sanitizer, IsSilentAboutARightTrainingStep) {
  for (const DType dtype : {float64, float32}) {
    manual_seed(1);
    const Program program(dtype);
    const ScopedGradientSanitizer sanitizer;
    manual_seed(7);
    const Tensor logits = program.logits();
    const Tensor loss = program.loss(logits);
    (dtype == float64 ? loss + 0.1 * other_ops(logits) : loss).backward();
    EXPECT_TRUE(sanitizer.reports().empty()) << sanitizer.reports()[0];
    EXPECT_EQ(sanitizer.summary().ops, sanitizer.checked());
    EXPECT_GT(sanitizer.checked(), 100);
  }
}

// Some change every weight, and one element is wrong: it is found among them all.
TEST(Sanitizer, FindsOneWrongElementOfALargeWeight) {
  manual_seed(3);
  const nn::Linear layer({.in_features = 200, .out_features = 150});
  class OneElement final : public Observer {
    Grads run(Node& node, const Tensor& dy) override {
      Grads gradients = node.backward(dy);
      if (std::string_view(node.name()) == "linear") gradients[1].data_ptr<float>()[17 * 200 + 123] *= -2.0f;
      return gradients;
    }
  } inner;
  const ObserverGuard guard(inner);
  const ScopedGradientSanitizer sanitizer;
  weighed(layer(randn({40, 200})).tanh()).backward();
  ASSERT_EQ(sanitizer.reports().size(), 1u) << sanitizer.summary_text();
  EXPECT_EQ(sanitizer.reports()[0].wrong_input()->worst.index, (std::vector<std::int64_t>{17, 123}));
  EXPECT_GE(sanitizer.summary().elements_together, 200 * 150);
}

// ---- each op by itself ---------------------------------------------------------------------------------------------

void run_case(const OpCase& one, DType dtype) {
  op_cases::Tensors inputs = op_cases::inputs_of(one);
  for (Tensor& input : inputs) {
    if (input.dtype() == float64 && dtype == float32)
      input = input.detach().to(float32).requires_grad_(input.requires_grad());
  }
  const Tensor output = one.call(inputs);
  if (output.requires_grad()) output.backward(randn(output.shape(), output.dtype()));
}

TEST(Sanitizer, CatchesThePlantedMistakesOfEveryOp) {
  std::vector<std::string> missed;
  for (const Mistake& mistake : op_mistakes::all()) {
    bool caught = false;
    for (const OpCase& one : op_cases::about(mistake.op)) {
      op_mistakes::Planted planted(mistake);
      const ObserverGuard guard(planted);
      const ScopedGradientSanitizer sanitizer;
      run_case(one, float64);
      for (const NodeReport& report : sanitizer.reports()) caught |= report.op == mistake.op;
      if (caught) break;
    }
    if (!caught) missed.push_back(mistake.op + ": " + mistake.name);
  }
  fmt::print("{} of {} caught\n", op_mistakes::all().size() - missed.size(), op_mistakes::all().size());
  EXPECT_TRUE(missed.empty()) << testing::PrintToString(missed);
}

// Kinks are among them: relu at 0, ties of max, clamp at its bounds.
TEST(Sanitizer, IsSilentAboutEveryRightOp) {
  int kinks = 0;
  for (const DType dtype : {float64, float32}) {
    for (const OpCase& one : op_cases::all()) {
      if (!op_cases::is_differentiable(one)) continue;
      const ScopedGradientSanitizer sanitizer;
      try {
        run_case(one, dtype);
      } catch (const Error& error) {
        EXPECT_EQ(dtype, float32) << one.id << error.what();  // the call has float64 tensors of its own
      }
      EXPECT_TRUE(sanitizer.reports().empty()) << one.id << ' ' << name(dtype) << '\n' << sanitizer.reports()[0];
      kinks += static_cast<int>(sanitizer.summary().kinks);
    }
  }
  EXPECT_GE(kinks, 5);
}

TEST(Sanitizer, IsSilentAtKinksOfLargeInputs) {
  const ScopedGradientSanitizer sanitizer;
  const Tensor x = cat({zeros({40, 100}), ones({40, 100}), randn({40, 100})}, 0).requires_grad_();
  const Tensor twin = x.detach().clone().requires_grad_();
  weighed(relu(x)).backward();
  weighed(abs(x)).backward();
  weighed(clamp(x, -1.0, 1.0)).backward();
  weighed(maximum(x, twin)).backward();
  weighed(amax(x, {1})).backward();
  weighed(max(x, 0).values).backward();
  weighed(x.masked_fill(x > 1.0, -std::numeric_limits<double>::infinity()).softmax(1)).backward();
  EXPECT_TRUE(sanitizer.reports().empty()) << sanitizer.reports()[0];
  EXPECT_EQ(sanitizer.summary().ops, sanitizer.checked()) << sanitizer.summary_text();
  EXPECT_GE(sanitizer.summary().kinks, 3) << sanitizer.summary_text();
  EXPECT_LE(sanitizer.summary().undecided, 2) << sanitizer.summary_text();  // a thousand ties, each at its own value
}

// ---- what cannot be checked ----------------------------------------------------------------------------------------

struct Restless final : Node {
  static constexpr OpText text{"restless", "y = x * noise", "dx = dy * noise"};
  Tensor noise;
  Tensor forward(const Inputs& x) const override { return x[0] * rand(x[0].shape(), x[0].dtype()); }
  Grads backward(const Tensor& dy) override { return {dy * noise}; }
};

Tensor restless(const Tensor& x, Where where = Where::current()) {
  const Tensor noise = rand(x.shape(), x.dtype());
  Tensor y = x.detach() * noise;
  if (auto* node = record<Restless>(y, {&x}, where)) node->noise = noise;
  return y;
}

TEST(Sanitizer, SaysWhatItCouldNotCheck) {
  const Tensor x = randn({3}, float64).requires_grad_();
  const Tensor before = x.exp();
  const ScopedGradientSanitizer sanitizer;
  restless(before).sum().backward();
  EXPECT_TRUE(sanitizer.reports().empty());
  EXPECT_EQ(sanitizer.summary().ops, 3);
  EXPECT_EQ(sanitizer.checked(), 1);
  EXPECT_EQ(sanitizer.summary().skipped.size(), 2u);
  const std::string changing = "%[0-9]+|[0-9.]+ s\\b|[0-9.]+e-[0-9]+";
  const std::string summary = fixtures::replace(sanitizer.summary_text(), changing, "N");
  EXPECT_TRUE(fixtures::says("autograd_debug", lines_in(summary)));
}

// The copies are the sanitizer's own: a change in place afterwards, and ops that work in place, cause no trouble.
TEST(Sanitizer, ChangesInPlaceAreNoTrouble) {
  const Tensor x = randn({2, 3}, float64).requires_grad_();
  const ScopedGradientSanitizer sanitizer;
  const Tensor y = x * 2.0;
  y.add_(x).mul_(x).div_(3.0);
  const Tensor z = y + 1.0;
  {
    const NoGradGuard no_grad;
    x.mul_(0.5);  // x is not needed any more ... but mul_ kept it
  }
  fixtures::message_of(ErrorId::in_place_clobber, [total = z.sum()] { total.backward(); });
  EXPECT_FALSE(x.grad().defined());
  const Tensor w = randn({2, 3}, float64).requires_grad_();
  (w * 2.0).add_(w).mul_(w).sub_(1.0).sum().backward();
  EXPECT_TRUE(sanitizer.reports().empty());
}

TEST(Sanitizer, LeavesTheProgramAsItIs) {
  const auto gradients_of = [](bool checked) {
    manual_seed(1);
    const Program program;
    Observer nobody;  // the same ops as under the sanitizer, whose onlooker has them run one by one
    const ObserverGuard guard(nobody);
    std::optional<ScopedGradientSanitizer> sanitizer;
    if (checked) sanitizer.emplace();
    training_step(program);
    std::vector<std::vector<double>> gradients;
    for (const Tensor& parameter : program.model.parameters()) gradients.push_back(parameter.grad().to_vector());
    gradients.push_back(randn({3}, float64).to_vector());  // the generator too
    return gradients;
  };
  EXPECT_EQ(gradients_of(true), gradients_of(false));
}

// The ops of a derivative, recorded for another derivative, are checked as well.
TEST(Sanitizer, ChecksSecondDerivativesToo) {
  const Mistake wrong{"mul", "twice", op_mistakes::formula("mul", "each = 2 * right")};
  const Tensor x = randn({2, 3}, float64).requires_grad_();
  op_mistakes::Planted planted(wrong);
  const ObserverGuard guard(planted);
  const ScopedGradientSanitizer sanitizer;
  const Tensor gradient = grad(tanh(x).sum(), {x}, {.create_graph = true})[0];
  EXPECT_TRUE(sanitizer.reports().empty());
  gradient.sum().backward();
  ASSERT_FALSE(sanitizer.reports().empty());
  EXPECT_EQ(sanitizer.reports()[0].op, "mul");
  EXPECT_EQ(sanitizer.reports()[0].backward_of, "tanh");
}

TEST(Sanitizer, RateSpreadsOverAllPlaces) {
  const Tensor x = randn({2, 3}, float64).requires_grad_();
  const ScopedGradientSanitizer sanitizer({.rate = 0.1, .seed = 4});
  Tensor y = x;
  for (int i = 0; i < 100; ++i) y = tanh(y);
  y.exp().sum().backward();
  EXPECT_EQ(sanitizer.summary().kinds.size(), 3u);
  EXPECT_NEAR(static_cast<double>(sanitizer.checked()), 12.0, 1.0);
  EXPECT_EQ(sanitizer.summary().left_out + sanitizer.checked(), 102);
}

// It detaches itself between passes, and comes back.
TEST(Sanitizer, SleepsToKeepToItsTime) {
  const ScopedGradientSanitizer sanitizer({.slowdown = 2.0});
  const Tensor x = randn({2, 3}, float64).requires_grad_();
  bool slept = false;
  for (int step = 0; step < 3000; ++step) {
    tanh(x).exp().sum().backward();
    slept |= observer() != &sanitizer;
  }
  EXPECT_TRUE(slept);
  EXPECT_LT(sanitizer.checked(), 9000);
  EXPECT_GT(sanitizer.summary().seconds_asleep, 0.0);
  EXPECT_TRUE(sanitizer.summary().skipped.empty()) << sanitizer.summary_text();
}

// A fused op's backward runs a pass of its own, unobserved: not the time to attach.
TEST(Sanitizer, WakesUpUnderNoOtherGuard) {
  const ScopedGradientSanitizer sanitizer({.slowdown = 1e6});
  const Tensor x = randn({2, 3}, float64).requires_grad_();
  tanh(x).sum().backward();
  ASSERT_EQ(observer(), nullptr) << "asleep";
  {
    const ObserverGuard unobserved(nullptr);
    tanh(x).sum().backward();
    EXPECT_EQ(observer(), nullptr);
  }
  for (int step = 0; step < 3; ++step) cross_entropy(x, tensor({0, 2}, int64)).backward();
  EXPECT_EQ(observer(), &sanitizer);
  EXPECT_GE(sanitizer.summary().passes_checked, 2);
}

// In the hook the outer pass goes on, unseen if it were to wake or to sleep there.
TEST(Sanitizer, NeitherWakesNorSleepsInsideAPass) {
  const ScopedGradientSanitizer sanitizer({.slowdown = 1e6});
  const Tensor x = randn({2, 3}, float64).requires_grad_();
  std::vector<const Observer*> inside;
  const auto step = [&] {
    const Tensor y = tanh(x);
    y.register_hook([&](const Tensor&) {
      const GradModeGuard graph_on(true);
      sin(x.detach().requires_grad_()).sum().backward();
      inside.push_back(observer());
      return Tensor();
    });
    y.sum().backward();
  };
  step();
  EXPECT_EQ(inside, (std::vector<const Observer*>{&sanitizer}));
  EXPECT_EQ(observer(), nullptr);
}

// All that it saw, and of how many.
TEST(Sanitizer, CountsThePassesThatItDidNotSee) {
  const Tensor x = randn({2, 3}, float64).requires_grad_();
  const ScopedGradientSanitizer sanitizer({.slowdown = 1.0 + 1e-9});  // sleeps for days after the first
  for (int step = 0; step < 100; ++step) tanh(x).sum().backward();
  const debug::SanitizerSummary summary = sanitizer.summary();
  EXPECT_EQ(summary.passes, 100);
  EXPECT_EQ(summary.passes_checked, 1);
  EXPECT_EQ(summary.ops, 2);
  EXPECT_EQ(summary.checked, 2);
  EXPECT_GT(summary.seconds_asleep, 0.0);
}

TEST(Sanitizer, ReportsEachPlaceOnce) {
  const Mistake wrong{"tanh", "twice", op_mistakes::formula("tanh", "each = 2 * right")};
  op_mistakes::Planted planted(wrong);
  const ObserverGuard guard(planted);
  const ScopedGradientSanitizer sanitizer;
  Tensor y = randn({2, 3}, float64).requires_grad_().set_name("evil\x1b[2Jname");
  for (int i = 0; i < 5; ++i) y = tanh(y);
  (tanh(y) + y).sum().backward();
  EXPECT_EQ(sanitizer.reports().size(), 2u);
  EXPECT_EQ(sanitizer.summary().wrong, 6);
}

TEST(Sanitizer, UnusableOptionsAreRefused) {
  EXPECT_EQ(debug::sanitizer_options("rate=0.25:continue:seed=9").rate, 0.25);
  EXPECT_EQ(debug::sanitizer_options("every=10").rate, 0.1);
  EXPECT_EQ(debug::sanitizer_options("slowdown=2").slowdown, 2.0);
  EXPECT_FALSE(debug::sanitizer_options("rate=0.25,continue").ends_program);
  for (const char* text : {"rate=0", "rate=1.5", "every=0", "every=1.5", "slowdown=1", "slowdown=x", "rate=", "rate",
                           "speed=3", "continue=1", "seed=-1", "seed=x"}) {
    EXPECT_THROW(debug::sanitizer_options(text), std::invalid_argument) << text;
  }
}

}  // namespace sanitizer_test
