// Why a parameter gets no gradient: what a Trail finds in programs that lose it, each in its own way; and that it finds
// nothing where a gradient arrives.

#include "autograd/debug/trail.h"

#include <autograd/autograd.h>
#include <autograd/debug/check/sanitizer.h>
#include <gtest/gtest.h>
#include <nn/nn.h>

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "autograd/debug/recording.h"
#include "autograd/ops/op.h"
#include "autograd/tape/node.h"
#include "tests/autograd/debug/debugger_fixture.h"

namespace trail_test {

using namespace autograd;
using debug::KnownLeaf;
using debug::NoGradient;
using debug::PathEnd;
using debug::Recording;
using End = PathEnd::Reason;
using Reason = NoGradient::Reason;

Where line(int number) {
  return Where::current("p.cpp", number);
}

// What is found of the leaf called "w" in the last pass; nothing if it was reached.
std::optional<NoGradient> finding(const Recording& recording, const std::string& name = "w") {
  for (const KnownLeaf& leaf : debug::living_leaves()) {
    if (leaf.name != name) continue;
    for (const Ref<Node>& node : recording.last()->order) {
      const bool is_it = node->is_leaf() && gradient_node(Tensor(Ref<TensorImpl>(leaf.tensor))).get() == node.get();
      if (is_it && recording.last()->arrived(*node, SIZE_MAX) > 0 && !leaf.frozen) return {};
    }
    return recording.why_not(leaf, *recording.last());
  }
  ADD_FAILURE() << "no leaf is called " << name;
  return {};
}

struct Weights {
  Tensor w = tensor({1, 2}).requires_grad_().set_name("w");
  Tensor other = tensor({3, 4}).requires_grad_().set_name("other");
  Tensor x = tensor({5, 6});

  // x * w, at line 1.
  Tensor hidden() const { return mul(Operand(x, line(1)), Operand(w, line(1))); }
  // Runs backward, from line 9.
  void lose(const Tensor& h) const {
    mul(Operand(h, line(8)), Operand(other, line(8))).sum({}, false, line(8)).backward({}, {}, line(9));
  }
};

// Of an op whose author has forgotten its gradient.
struct Silent final : Node {
  static constexpr OpText text{"silent", "y = x", "dx = none"};
  Tensor forward(const Inputs& x) const override { return x[0].detach(); }
  Grads backward(const Tensor&) override { return {Tensor()}; }
};
Tensor silent(const Tensor& x, Where where) {
  Tensor y = x.detach(Where{}).clone();
  record<Silent>(y, {&x}, where);
  return y;
}

struct Case {
  const char* name;
  std::function<void(const Weights&)> program;
  Reason reason;
  std::optional<End> end;
  int line;               // 0: there is none
  const char* last = "";  // the last op on the path; "" for w itself
};

class Lost : public testing::TestWithParam<Case> {};

TEST_P(Lost, GradientsAreAccountedFor) {
  const Case& each = GetParam();
  Recording recording;
  const ObserverGuard attached(recording);
  const Weights weights;
  for (int round = 0; round < 2; ++round) {  // of two passes, the second is explained as the first was
    each.program(weights);
    const std::optional<NoGradient> found = finding(recording);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->reason, each.reason);
    EXPECT_EQ(line_of(*found).line, each.line);
    EXPECT_EQ(found->ends.empty(), !each.end);
    if (!each.end || found->ends.empty()) continue;
    EXPECT_EQ(found->ends[0].reason, *each.end);
    EXPECT_STREQ(found->ends[0].last.op, each.last);
    EXPECT_FALSE(finding(recording, "other"));
  }
}

const std::vector<Case> cases = {
    {"detach", [](const Weights& p) { p.lose(p.hidden().detach(line(2))); }, Reason::path_ends, End::detached, 2,
     "mul"},
    {"detach_of_the_leaf", [](const Weights& p) { p.lose(p.w.detach(line(2)) * p.x); }, Reason::path_ends,
     End::detached, 2},
    {"detach_beside_a_dead_branch",
     [](const Weights& p) {
       const Tensor h = p.hidden();
       const Tensor cut = h.detach(line(2));
       h.exp(line(3));
       p.lose(cut);
     },
     Reason::path_ends, End::detached, 2, "mul"},
    {"guard",
     [](const Weights& p) {
       Tensor h;
       {
         const NoGradGuard guard;
         h = p.hidden();
       }
       p.lose(h);
     },
     Reason::path_ends, End::grad_mode_off, 1},
    {"guard_around_the_second_op",
     [](const Weights& p) {
       Tensor h = p.hidden();
       {
         const NoGradGuard guard;
         h = h.exp(line(2));
       }
       p.lose(h);
     },
     Reason::path_ends, End::grad_mode_off, 2, "mul"},
    {"guard_and_copy",
     [](const Weights& p) {
       const Tensor buffer = zeros({2});
       {
         const NoGradGuard guard;
         buffer.copy_(p.w, line(2));
       }
       p.lose(buffer);
     },
     Reason::path_ends, End::grad_mode_off, 2},
    {"argmax", [](const Weights& p) { p.lose(p.hidden().argmax(0, true, line(2)).to(float32).expand({2})); },
     Reason::path_ends, End::no_derivative, 2, "mul"},
    {"comparison", [](const Weights& p) { p.lose((p.hidden() > Operand(0.0, line(2))).to(float32)); },
     Reason::path_ends, End::no_derivative, 2, "mul"},
    {"sign", [](const Weights& p) { p.lose(sign(p.hidden(), line(2))); }, Reason::path_ends, End::no_derivative, 2,
     "mul"},
    {"integers", [](const Weights& p) { p.lose(p.hidden().to(int64, line(2)).to(float32)); }, Reason::path_ends,
     End::no_derivative, 2, "mul"},
    {"order", [](const Weights& p) { p.lose(p.hidden().argsort(0, false, line(2)).to(float32)); }, Reason::path_ends,
     End::no_derivative, 2, "mul"},
    {"ids_of_an_embedding",
     [](const Weights& p) {
       const Tensor ids = p.hidden().argmax(0, true, line(2));
       p.lose(embedding(p.other.reshape({2, 1}), ids).reshape({1}).expand({2}));
     },
     Reason::path_ends, End::no_derivative, 2, "mul"},
    {"overwritten_by_numbers",
     [](const Weights& p) {
       const Tensor h = p.hidden();
       h.fill_(2.0, line(2));
       p.lose(h);
     },
     Reason::path_ends, End::overwritten, 2, "mul"},
    {"overwritten_by_a_tensor",
     [](const Weights& p) {
       const Tensor h = p.hidden();
       h.copy_(p.x, line(2));
       p.lose(h);
     },
     Reason::path_ends, End::overwritten, 2, "mul"},
    {"put_back_as_a_number",
     [](const Weights& p) {
       p.lose(tensor({p.hidden().at({0}), 1.0}, float32));
     },
     Reason::path_ends, End::output_unused, 1, "mul"},
    {"dead_branch",
     [](const Weights& p) {
       p.hidden().exp(line(3));
       p.lose(p.x);
     },
     Reason::path_ends, End::output_unused, 3, "exp"},
    {"other_loss_alive",
     [](const Weights& p) {
       const Tensor loss = p.hidden().sum({}, false, line(3));
       p.lose(p.x);
     },
     Reason::path_ends, End::output_unused, 3, "sum"},
    {"other_loss_with_a_pass_of_its_own",
     [](const Weights& p) {
       const Tensor loss = p.hidden().sum({}, false, line(3));
       loss.backward({}, {}, line(4));
       p.lose(p.x);
     },
     Reason::other_pass,
     {},
     4},
    {"not_used", [](const Weights& p) { p.lose(p.x); }, Reason::not_used, {}, 0},
    {"frozen",
     [](const Weights& p) {
       p.w.requires_grad_(false, line(2));
       p.lose(p.hidden());
     },
     Reason::frozen,
     {},
     2},
    {"frozen_after_its_use",
     [](const Weights& p) {
       p.w.requires_grad_();
       const Tensor h = p.hidden();
       p.w.requires_grad_(false, line(2));
       p.lose(h);
     },
     Reason::frozen,
     {},
     2},
    {"backward_without_gradient", [](const Weights& p) { p.lose(silent(p.hidden(), line(2))); }, Reason::path_ends,
     End::none_flowed, 2, "mul"},
    {"asked_without_gradient",
     [](const Weights& p) {
       const Tensor loss = mul(Operand(silent(p.hidden(), line(2)), line(8)), Operand(p.other, line(8))).sum();
       grad(loss, {p.other, p.w}, {.allow_unused = true}, line(9));
     },
     Reason::path_ends, End::none_flowed, 2, "mul"},
    {"not_asked",
     [](const Weights& p) {
       const Tensor loss = mul(Operand(p.hidden(), line(8)), Operand(p.other, line(8))).sum();
       grad(loss, {p.other}, {}, line(9));
     },
     Reason::path_ends, End::not_asked, 9, ""},
};

INSTANTIATE_TEST_SUITE_P(Programs, Lost, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string(each.param.name); });

// ---- where a gradient arrives ---------------------------------------------------------------------------------------

struct Reaching {
  const char* name;
  std::function<void(const Weights&)> program;
};

class Reached : public testing::TestWithParam<Reaching> {};

TEST_P(Reached, LeavesAreNotAccused) {
  Recording recording;
  debug::GradientSanitizer sanitizer;
  const ObserverGuard attached(recording);
  const Weights weights;
  for (int round = 0; round < 2; ++round) {
    GetParam().program(weights);
    EXPECT_FALSE(finding(recording));
  }
  EXPECT_TRUE(sanitizer.summary().without_gradient.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Reached,
    testing::Values(Reaching{"plainly", [](const Weights& p) { p.lose(p.hidden()); }},
                    Reaching{
                        "by_one_of_two_paths",
                        [](const Weights& p) { p.lose(p.hidden() + p.hidden().detach() + (p.w > 0.0).to(float32)); }},
                    Reaching{"with_zero", [](const Weights& p) { p.lose(relu(p.hidden() - 1000.0)); }},
                    Reaching{"under_a_mask", [](const Weights& p) { p.lose(masked_fill(p.hidden(), p.x > 0.0, 0.0)); }},
                    Reaching{"and_looked_at",
                             [](const Weights& p) {
                               const Tensor h = p.hidden();
                               p.lose(h);
                               h.detach().clone();
                               h.argmax();
                               const NoGradGuard guard;
                               p.w.mul_(0.5);
                             }},
                    Reaching{"in_place",
                             [](const Weights& p) {
                               const Tensor h = p.hidden() + 0.0;
                               h.add_(p.w);
                               p.lose(h);
                             }},
                    Reaching{"by_the_second_derivative",
                             [](const Weights& p) {
                               const Tensor loss = (p.hidden() * p.hidden() * p.other).sum();
                               grad(loss, {p.w}, {.create_graph = true})[0].sum().backward();
                             }}),
    [](const auto& each) { return std::string(each.param.name); });

// ---- passes, threads, and what is freed -----------------------------------------------------------------------------

TEST(Trail, KnowsThePassThatReachedALeafWhichIsNotUsedAnyMore) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Weights weights;
  weights.lose(weights.hidden());
  weights.lose(weights.x);
  const std::optional<NoGradient> found = finding(recording);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->reason, Reason::other_pass);
  EXPECT_EQ(line_of(*found).line, 9);
}

TEST(Trail, SaysThatItDidNotSeeWhatRanBefore) {
  const Weights weights;
  const Tensor cut = weights.hidden().detach();
  const Tensor loss = (cut * weights.other).sum();
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor again = weights.w.requires_grad_();
  loss.backward();
  EXPECT_EQ(finding(recording).value().reason, Reason::not_seen);
}

TEST(Trail, FollowsAGraphThatLivesFromPassToPass) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Weights weights;
  const Tensor h = weights.hidden();
  for (int step = 0; step < 4; ++step) {
    weights.lose(h.detach(line(2)));
    const NoGradient found = finding(recording).value();
    ASSERT_EQ(found.reason, Reason::path_ends) << step;
    EXPECT_EQ(found.ends[0].reason, End::detached);
    EXPECT_STREQ(found.ends[0].last.op, "mul");
  }
}

TEST(Trail, NamesTheFirstOpThatUsedTheLeaf) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Weights weights;
  weights.lose(weights.hidden().exp(line(2)).detach(line(3)));
  const NoGradient found = finding(recording).value();
  EXPECT_STREQ(found.used_by.op, "mul");
  EXPECT_EQ(found.used_by.at.line, 1);
  EXPECT_STREQ(found.ends[0].last.op, "exp");
  EXPECT_STREQ(found.ends[0].by.op, "detach");
}

struct Pair : nn::Module {
  nn::Linear used{{.in_features = 2, .out_features = 2}};
  nn::Linear spare{{.in_features = 2, .out_features = 2}};
  nn::Linear frozen{{.in_features = 2, .out_features = 2}};
  Pair() {
    register_module("used", used);
    register_module("spare", spare);
    register_module("frozen", frozen);
    frozen.requires_grad_(false);
  }
};

TEST(Sanitizer, ListsTheParametersOfASubmoduleThatNothingUses) {
  debug::ScopedGradientSanitizer sanitizer;
  {
    Pair pair;
    nn::SGD optimizer(pair.spare.parameters(), {.lr = 0.1, .weight_decay = 0.1});
    pair.used(pair.frozen(tensor({{1, 2}}))).sum().backward();
    optimizer.step();
  }
  std::vector<std::pair<std::string, Reason>> found;  // the module is gone
  const debug::SanitizerSummary summary = sanitizer.summary();
  for (const NoGradient& each : summary.without_gradient) found.emplace_back(each.name, each.reason);
  const std::vector<std::pair<std::string, Reason>> expected = {{"spare.weight", Reason::not_used},
                                                                {"spare.bias", Reason::not_used},
                                                                {"frozen.weight", Reason::frozen},
                                                                {"frozen.bias", Reason::frozen}};
  EXPECT_EQ(found, expected);
}

TEST(Sanitizer, WaitsForTheWholeProgram) {
  debug::ScopedGradientSanitizer sanitizer;
  const Weights weights;
  weights.lose(weights.hidden().detach(line(2)));
  ASSERT_EQ(sanitizer.summary().without_gradient.size(), 1u);
  EXPECT_EQ(sanitizer.summary().without_gradient[0].ends.at(0).reason, End::detached);
  weights.lose(weights.hidden());
  EXPECT_TRUE(sanitizer.summary().without_gradient.empty());
}

TEST(Sanitizer, KnowsGradientsOfOtherThreads) {
  debug::ScopedGradientSanitizer sanitizer;
  const Weights here;
  const Weights there;
  here.lose(here.hidden());
  std::thread([&] { there.lose(there.hidden()); }).join();
  EXPECT_TRUE(sanitizer.summary().without_gradient.empty());
}

// A training loop with all that nn does beside the tape: masks, dropout, buffers, an optimiser, evaluation.
TEST(Sanitizer, AccusesNobodyInTraining) {
  debug::ScopedGradientSanitizer sanitizer;
  fixtures::SmallModel model = fixtures::seeded_model();
  nn::Adam optimizer(model.modules->parameters(), {.lr = 0.01});
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    model();
    nn::clip_grad_norm_(model.modules->parameters(), 1.0);
    optimizer.step();
    const NoGradGuard guard;
    model.modules->rnn(model.x);
  }
  EXPECT_TRUE(sanitizer.summary().without_gradient.empty());
}

// ---- what the debugger answers --------------------------------------------------------------------------------------

std::string answer(const std::string& command, bool cut) {
  return fixtures::answer({command}, [cut] {
    const Weights weights;
    const Tensor h = weights.hidden();
    weights.lose(cut ? h.detach(line(2)) : weights.x);
  });
}

TEST(Debugger, SaysWhereThePathEnds) {
  for (const char* command :
       {"why w", "why w[0]", "print w.grad", "watch w.grad", "break w", "cell w.grad[0]", "info leaves"}) {
    const std::string said = answer(command, true);
    EXPECT_NE(said.find("p.cpp:2"), std::string::npos) << command << ": " << said;
    EXPECT_EQ(answer(command, false).find("p.cpp:2"), std::string::npos) << command;
  }
  for (const char* command : {"why other", "print other.grad", "cell other.grad[0]"}) {
    EXPECT_EQ(answer(command, true).find("p.cpp:2"), std::string::npos) << command;
  }
}

TEST(KnownLeaves, DoNotKeepTensorsAlive) {
  debug::ScopedGradientSanitizer sanitizer;
  for (int i = 0; i < 3; ++i) {
    const Weights weights;
    EXPECT_EQ(debug::living_leaves().size(), 2u);
    weights.lose(weights.hidden());
  }
  EXPECT_TRUE(debug::living_leaves().empty());
}

TEST(KnownLeaves, AreNotListedWithoutAnInstrument) {
  const Weights weights;
  weights.lose(weights.hidden());
  EXPECT_TRUE(debug::living_leaves().empty());
}

}  // namespace trail_test
