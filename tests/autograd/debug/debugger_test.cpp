// The debugger: that it disturbs nothing, where it stops, and what it computes itself. What it says is in
// debugger_answers_test.cpp; tests/autograd/debug/sessions has whole sessions, fuzz/targets/debugger.cpp random ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/step/terminal_debugger.h"
#include "tests/autograd/debug/debugger_fixture.h"
#include "tests/support/expect.h"
#include "tests/support/pattern.h"

namespace debugger_test {

using namespace autograd;
using fixtures::answer;
using fixtures::Chain;
using fixtures::debugged;
using fixtures::look_after;
using fixtures::seeded_model;
using testing::ElementsAre;

std::vector<std::string> repeated(const std::string& command, int times) {
  return std::vector<std::string>(static_cast<std::size_t>(times), command);
}

std::vector<std::string> joined(const std::vector<std::vector<std::string>>& parts) {
  std::vector<std::string> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The number of the stop that these commands lead to in the small chain, as in "#3 of 5"; 6 at the end of the pass.
std::size_t stop_after(const std::vector<std::string>& script) {
  std::size_t stop = 0;
  look_after(script, Chain(), [&](const debug::Debugger& debugger) { stop = debugger.view().position() + 1; });
  return stop;
}

// Why the last command is refused in the small chain.
std::string refusal_of(const std::vector<std::string>& script) {
  std::string refusal;
  look_after(script, Chain(), [&](const debug::Debugger& debugger) { refusal = debugger.last_refusal(); });
  return refusal;
}

// How often the first breakpoint was met until the end of the pass.
int hits_of(const std::string& breakpoint, const std::function<void()>& program) {
  int hits = 0;
  std::vector<std::string> script = {breakpoint};
  const auto look = [&](const debug::Debugger& debugger) {
    if (!debugger.view().current() && hits == 0) hits = debugger.breakpoints.at(0).hits;
  };
  for (; hits == 0 && script.size() < 10; script.emplace_back("c")) look_after(script, program, look);
  return hits;
}

// The answer in the small chain, at the beginning of its backward.
std::string in_chain(const std::vector<std::string>& script) {
  const Chain chain;
  return fixtures::replace(answer(script, chain), "%[0-9]+", "%N");
}

// ---- it disturbs nothing -----------------------------------------------------------------------------------------

const std::vector<Tensor>& undisturbed() {
  static const std::vector<Tensor> gradients = [] {
    const auto model = seeded_model();
    fixtures::run_op_by_op(model);
    return model.gradients();
  }();
  return gradients;
}

class Undisturbed : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Undisturbed, EveryGradientHasTheSameBits) {
  const auto model = seeded_model();
  debugged(GetParam(), model);
  EXPECT_TRUE(fixtures::same_bits(model.gradients(), undisturbed()));
}

INSTANTIATE_TEST_SUITE_P(
    Sessions, Undisturbed,
    testing::Values(std::vector<std::string>{}, repeated("step", 500),
                    joined({repeated("step", 40), repeated("back", 100), {"continue"}}),
                    joined({{"continue"}, repeated("back", 500), repeated("step", 500)}),
                    std::vector<std::string>{"step 7", "reverse-continue", "next", "quit"},
                    joined({{"step 9", "check", "formula", "why rnn.weight_hh_l0[0,0]", "bump x_in[0,0,0] 0.5",
                             "cell rnn.weight_hh_l0.grad[0,0]", "print/h dy", "info nodes all", "graph"},
                            repeated("back", 9),
                            {"continue", "check %20", "why rnn.weight_hh_l0[0,0]", "bump x_in[0,0,0]"}})));

// How many numbers the program's ops take from a pass on to the next op after it.
std::uint64_t numbers_taken(const std::vector<std::string>& script) {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  debugged(script, [&] {
    const Tensor x = tensor({{0.5, -1.0}, {2.0, 0.25}}, float64).requires_grad_().set_name("x");
    const Tensor h = tanh(x).set_name("h");
    first = h.grad_fn()->number;
    softmax(h, 1).pow(2.0).sum().backward();
    last = (x * 2.0).grad_fn()->number;
  });
  return last - first;
}

TEST(Numbers, AreThoseOfTheProgramWhateverIsAsked) {
  const std::uint64_t undisturbed = numbers_taken({"continue"});
  for (const char* line : {"formula", "check", "why x[0,1]", "bump x[0,1]", "cell x.grad[0,0]", "cell h[0,0]",
                           "print x.grad", "break wrong", "break if norm > 1e9", "step", "back"}) {
    EXPECT_EQ(numbers_taken({"until softmax", line, "continue", line, "back 2", line, "continue"}), undisturbed)
        << line;
  }
}

TEST(Back, ShowsTheExactBitsOfBefore) {
  const auto model = seeded_model();
  const std::string transcript = debugged({"step 6", "print/x dy", "step 20", "back 20", "print/x dy", "continue",
                                           "reverse-continue", "step 6", "print/x dy", "info pass"},
                                          model);
  const std::vector<std::string> printed = fixtures::matches(transcript, "\ndy =\\s([^(]*)");
  ASSERT_EQ(printed.size(), 3u);
  EXPECT_EQ(printed[0], printed[1]);
  EXPECT_EQ(printed[0], printed[2]);
}

// ---- expressions --------------------------------------------------------------------------------------------------

TEST(Expression, ThatCannotBeReadIsRefused) {
  for (const char* bad : {"", "[1]", "W[", "W[]", "W[1,]", "W[a]", "W[1:2:0]", "W[1:2:-1]", "\"W", "W]x[",
                          "W[99999999999999999999]", "W[1][2", "\"\"", "W[1:2:3:4]"}) {
    EXPECT_THROW(debug::parse_expression(bad), debug::Refused) << bad;
    EXPECT_NE(refusal_of({std::string("print ") + bad}), "") << bad;
  }
}

TEST(Place, ThatIsNoneIsRefused) {
  for (const char* bad :
       {"", "tahn", "nowhere.cpp:3", "chain.cpp:1", "norm>", "norm>x", "norm=3", "if", "if ", "if norm", "if >3",
        "if norm>1 and", "%99999", "%", "%-1", "norm>1 if norm>2", "tanh if x0 ! 3"}) {
    EXPECT_NE(refusal_of({std::string("break ") + bad}), "") << bad;
  }
}

// ---- where it stands ------------------------------------------------------------------------------------------------

// The gradients are ones at #2 mul, [-1.52, 1.94] at #3 tanh, [-0.64, 0.11] at #4 matmul; W has six elements. #6 is the
// end of the pass.
TEST(Stands, WhereTheCommandsLead) {
  using Script = std::vector<std::string>;
  const std::vector<std::pair<Script, std::size_t>> cases = {
      {{}, 1},
      {{"step", "back"}, 1},
      {{"step 2"}, 3},
      {{"step 0"}, 1},
      {{"step x"}, 1},
      {{"next"}, 2},
      {{"c"}, 6},
      {{"c", "rc"}, 1},
      {{"c", "rn"}, 5},
      {{"back"}, 1},
      {{"step 2", "back 3"}, 1},
      {{"until matmul"}, 4},
      {{"until norm > 1e9"}, 6},
      {{"break tanh", "c"}, 3},
      {{"break h", "c"}, 4},
      {{"break chain.cpp:3", "c"}, 4},
      {{"break norm>1.5", "c"}, 3},
      {{"break tanh", "delete 1", "c"}, 6},
      {{"break tanh", "disable 1", "c"}, 6},
      {{"break tanh", "disable", "enable 1", "c"}, 3},
      {{"break wrong", "c"}, 6},
      {{"watch W.grad[0,0]", "c"}, 5},
      {{"tbreak tanh", "c", "rc", "c"}, 6},
      {{"nonsense"}, 1},
  };
  for (const auto& [script, stop] : cases) EXPECT_EQ(stop_after(script), stop) << testing::PrintToString(script);
}

TEST(Stands, WhereAConditionHolds) {
  const std::vector<std::pair<std::string, std::size_t>> cases = {
      {"if at == 4", 4},
      {"if step == 4", 6},
      {"mul if norm > 100", 6},
      {"tanh if norm(W) > 1 and max < 100", 3},
      {"if h.grad[0,0] != 0", 4},
      {"if absmax > 0.5 and max < 0.2", 4},
      {"if absmax > 0.5 && max < 0.2", 4},
      {"if max > 1.9 && min < -1.5&&at > 1", 3},
      {"if mean < 0.25", 3},
      {"if W > -9", 6},  // not one number
      {"if W[1,1] == 0.75", 2},
      {"if nosuch > 1", 6},
      {"if inf", 6},
  };
  for (const auto& [place, stop] : cases) EXPECT_EQ(stop_after({"break " + place, "c"}), stop) << place;
}

TEST(Break, OnceIsForgotten) {
  look_after({"tbreak tanh", "c"}, Chain(),
             [](const debug::Debugger& debugger) { EXPECT_TRUE(debugger.breakpoints.empty()); });
}

TEST(Completion, OffersCommandsAndPlaces) {
  look_after({}, Chain(), [](const debug::Debugger& debugger) {
    EXPECT_THAT(debug::complete_command(debugger, "st"), ElementsAre("step"));
    EXPECT_THAT(debug::complete_command(debugger, "break ta"), ElementsAre("tanh"));
    EXPECT_THAT(debug::complete_command(debugger, "info n"), ElementsAre("names", "nodes"));
  });
}

TEST(Info, ListsFitIntoANarrowTerminal) {
  const auto longest = [](const std::string& text) {
    std::size_t most = 0;
    for (const std::string& line : fixtures::matches(text, "([^\n]*)\n")) most = std::max(most, line.size());
    return most;
  };
  for (const char* list : {"info nodes", "info nodes all", "info leaves"}) {
    EXPECT_LE(longest(in_chain({"set width 50", list})), 50u) << list;
    EXPECT_GT(longest(in_chain({list})), 50u) << list;
  }
}

TEST(Help, HasALineForEveryCommandInUnder100Columns) {
  const std::vector<std::string> lines = fixtures::matches(in_chain({"help"}), "([^\n]*)\n");
  EXPECT_EQ(lines.size(), debug::commands().size() + 1);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 100u) << line;
}

TEST(Commands, MayBeShortenedAsLongAsTheyAreClear) {
  std::set<std::string> names;
  for (const debug::Command& command : debug::commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    for (const char* alias : command.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
}

// ---- where it stops -----------------------------------------------------------------------------------------------

TEST(Break, AtAModuleStopsOncePerCall) {
  const auto model = seeded_model(3);
  EXPECT_EQ(hits_of("break attention", model), 2);  // precompute() is a call too
  EXPECT_EQ(hits_of("break rnn.l0, step 1", model), 1);
}

// Three time steps, of which the last comes first in backward: in each a call of a module, and a tanh outside of it.
void three_steps() {
  Tensor h = tensor({0.5, -0.25}, float64).requires_grad_();
  for (int t = 0; t < 3; ++t) {
    const StepScope step(t);
    {
      const ScopeGuard module("attention", Where::current());
      h = h * 1.5;
    }
    h = tanh(h);
  }
  h.sum().backward();
}

// The stops "#N of M" of a session after the first.
std::vector<std::string> stops_of(const std::vector<std::string>& script) {
  std::vector<std::string> places = fixtures::matches(debugged(script, three_steps), "\n#([0-9]+) of 8");
  places.erase(places.begin());
  return places;
}

TEST(Break, TakesTheTimeStepFromTheOp) {
  using Places = std::vector<std::string>;
  EXPECT_EQ(stops_of({"break tanh if step == 1", "c", "c"}), Places({"4"}));
  EXPECT_EQ(stops_of({"break tanh if step < 2", "c", "c", "c"}), Places({"4", "6"}));
  EXPECT_EQ(stops_of({"break if at > 5", "c", "c", "c"}), Places({"6", "7", "8"}));
  EXPECT_EQ(stops_of({"break if step != 1", "c", "c", "c", "c", "c"}), Places({"2", "3", "6", "7"}));  // sum: in none
}

// What stands after "in" is a place: the very words.
TEST(Break, TakesThePlacesThatArePrinted) {
  const std::string text = debugged(repeated("step", 20), three_steps);
  std::set<std::string> printed;
  for (const std::string& place : fixtures::matches(text, "debugger_test.cpp:[0-9]+ in ([^\n]+)\n"))
    printed.insert(place);
  EXPECT_EQ(printed, std::set<std::string>(
                         {"step 0", "step 0.attention", "step 1", "step 1.attention", "step 2", "step 2.attention"}));
  for (const std::string& place : printed) {
    EXPECT_EQ(stops_of({"break " + place, "c", "c"}).size(), 1U) << place;
    EXPECT_EQ(stops_of({"until " + place}).size(), 1U) << place;
    const std::string nodes = answer({"info nodes " + place}, three_steps);
    EXPECT_EQ(fixtures::matches(nodes, "\n").size(), place.size() > 6 ? 1u : 2u) << place;
  }
}

TEST(Until, StopsAtACallOfAModuleOnceItIsAhead) {
  EXPECT_EQ(stops_of({"step", "until step 2", "until step 1"}), std::vector<std::string>({"2", "4"}));
}

TEST(Next, StaysOutOfDeeperModules) {
  const auto model = seeded_model(3);
  std::ostringstream out;
  debug::Debugger* debugger = nullptr;
  std::vector<std::size_t> depths;
  const auto next = [&]() -> std::optional<std::string> {
    if (!debugger->view().current()) return {};
    depths.push_back(debug::depth(*debugger->view().current()));
    return "next";
  };
  debug::StepThrough session(debug::lines_from(next), out);
  debugger = &session.debugger();
  model();
  EXPECT_GT(depths.size(), 5u);
  EXPECT_THAT(depths, testing::Each(std::size_t{0}));
}

// Infinities of both signs add up to NaN, and a hook may return one: no single contribution has it.
TEST(Break, AtNanLooksAtSumsAndAtHooks) {
  const auto sum = [] {
    const Tensor x = tensor({0.0, 4.0}).requires_grad_().set_name("x");
    (sqrt(x) - 2.0 * sqrt(x)).sum().backward();
  };
  EXPECT_EQ(hits_of("break nan", sum), 1);
  const auto hook = [] {
    const Tensor x = tensor({1.0, 4.0}).requires_grad_().set_name("x");
    const Tensor y = sqrt(x);
    y.register_hook([](const Tensor& dy) { return full_like(dy, NAN); });
    (y * y.detach()).sum().backward();
  };
  EXPECT_GE(hits_of("break nan", hook), 1);
  const auto overflow = [] {
    const Tensor x = tensor({1e-30}).requires_grad_().set_name("x");
    const Tensor y = x * 1.0;
    (y * 3e38 + y * 3e38).sum().backward();
  };
  EXPECT_GE(hits_of("break inf", overflow), 1);
}

TEST(Passes, OfGradAreOpenedOnlyWhenAsked) {
  const auto program = [] {
    const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("x");
    grad((x * x).sum(), {x});
  };
  EXPECT_EQ(debugged({"step"}, program), "");
  const auto look = [](const debug::Debugger& debugger) {
    EXPECT_TRUE(debugger.view().pass->captures_only);
    EXPECT_TRUE(fixtures::holds(debug::evaluate("x.grad", debugger.view()).tensor, {2, 4}));
  };
  look_after({"step 2"}, program, look, "all");
}

TEST(Passes, InsideOfPassesHaveSessionsOfTheirOwn) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("x");
  const Tensor w = tensor({3.0}).requires_grad_().set_name("w");
  const auto program = [&] {
    const Tensor y = (x * x).set_name("y");
    y.register_hook([&](const Tensor&) {
      const GradModeGuard graph(true);
      (w * w).sum().backward();
      return Tensor();
    });
    y.sum().backward();
  };
  std::vector<std::uint64_t> passes;
  std::ostringstream out;
  debug::Debugger* debugger = nullptr;
  const auto next = [&]() -> std::optional<std::string> {
    passes.push_back(debugger->view().pass->number);
    return "c";
  };
  debug::StepThrough session(debug::lines_from(next), out);
  debugger = &session.debugger();
  program();
  EXPECT_THAT(passes, ElementsAre(1, 2, 2, 1));  // where each begins and ends
  EXPECT_TRUE(fixtures::holds(x.grad(), {2, 4}));
  EXPECT_TRUE(fixtures::holds(w.grad(), {6}));
}

TEST(Passes, ThatMakeAGraphCanBeSteppedAndDifferentiatedAgain) {
  const Tensor x = tensor({1.0, 2.0}, float64).requires_grad_().set_name("x");
  const auto program = [&] {
    const Tensor dx = grad((x * x * x).sum(), {x}, {.create_graph = true})[0];
    dx.sum().backward();
  };
  const auto look = [](const debug::Debugger& debugger) {
    const auto& order = debugger.view().pass->order;
    EXPECT_EQ(debugger.view().pass->number, 2u);
    EXPECT_TRUE(std::any_of(order.begin(), order.end(), [](const Ref<Node>& node) { return node->backward_of; }));
    EXPECT_EQ(debugger.last_refusal(), "");
  };
  look_after({"step", "check", "formula", "back", "c", "c", "info nodes all", "check", "step", "formula"}, program,
             look, "all");
  EXPECT_TRUE(fixtures::holds(x.grad(), {6, 12}));
}

TEST(Passes, LeftByAnExceptionCanBeLookedAt) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("x");
  const auto program = [&] {
    const Tensor y = (x * x).set_name("y");
    const int hook = y.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("the program's own"); });
    const Tensor total = y.sum();
    EXPECT_THROW(total.backward(), std::runtime_error);
    EXPECT_FALSE(x.grad().defined());
    y.remove_hook(hook);
    total.backward();
    EXPECT_TRUE(fixtures::holds(x.grad(), {2, 4}));
  };
  look_after({"c", "info nodes", "back"}, program, [](const debug::Debugger& debugger) {
    EXPECT_FALSE(debugger.view().pass->completed);
    EXPECT_EQ(debugger.view().pass->steps.size(), 1u);
    EXPECT_EQ(debugger.view().dy().item(), 1.0);
  });
}

TEST(Passes, ThatReleaseTheirGraphKeepTheirRecord) {
  const Tensor x = tensor({1.0, 2.0, 3.0}).requires_grad_().set_name("x");
  const auto program = [&] { (x * x).tanh().sum().backward({.release_graph = true}); };
  look_after({"c"}, program, [](const debug::Debugger& debugger) {
    EXPECT_EQ(debugger.view().progress(debug::find_node("x", debugger.view())).arrived, 2u);
  });
  for (const char* command : {"graph x", "info nodes all", "cell x.grad[0]", "why x[0]", "bump x[0]", "formula"}) {
    look_after({"c", "back 2", command}, program,
               [&](const debug::Debugger& debugger) { EXPECT_EQ(debugger.last_refusal(), "") << command; });
  }
  look_after({"c", "back 2", "check"}, program,
             [](const debug::Debugger& debugger) { EXPECT_NE(debugger.last_refusal(), ""); });
  EXPECT_TRUE(fixtures::holds(x.grad(), x.grad().to_vector()));
}

TEST(Attached, AfterTheForwardPassItSaysWhatWasNotRecorded) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("x");
  const Tensor y = (x * x).set_name("y");
  const Tensor loss = y.sum();
  const auto program = [&] { loss.backward(); };
  for (const char* command : {"check", "info locals", "formula", "bump x[0]"}) {
    x.zero_grad();
    look_after({command}, program, [&](const debug::Debugger& debugger) {
      EXPECT_NE(debugger.last_refusal(), "") << command;
      EXPECT_FALSE(debug::evaluate("y", debugger.view()).tensor.defined());
    });
  }
  x.zero_grad();
  look_after({"step 2"}, program, [](const debug::Debugger& debugger) {
    EXPECT_TRUE(fixtures::holds(debug::evaluate("y.grad", debugger.view()).tensor, {1, 1}));
  });
  EXPECT_TRUE(fixtures::holds(x.grad(), {2, 4}));
}

// Nothing may be searched or added up from the start at every position: that would take hours.
TEST(Large, GraphsAreSteppedThrough) {
  const Tensor w = tensor({0.5}).requires_grad_().set_name("w");
  const auto program = [&] {
    Tensor y = w;
    for (int i = 0; i < 10'000; ++i) y = (y * w).set_name(fmt::format("y{}", i)) + 1.0;
    y.sum().backward();
  };
  look_after({"break norm > 1e30", "break if norm(w.grad) > 1e30", "break if w.grad[0] > 1e30", "break if nowhere > 1",
              "watch w.grad[0]", "break y7", "disable 5", "c", "p w.grad", "cell w.grad[0]", "why w[0]",
              "info nodes all", "graph w 50", "bump w[0]", "enable 5", "rc", "disable 5", "rc", "rc"},
             program, [](const debug::Debugger& debugger) {
               EXPECT_EQ(debugger.view().at, 0u);
               EXPECT_EQ(debugger.breakpoints.at(5).hits, 1);
               EXPECT_EQ(debugger.last_refusal(), "");
             });
}

// ---- scripts --------------------------------------------------------------------------------------------------------

std::string written(const std::string& name, const std::string& text) {
  const std::string file = testing::TempDir() + "/debugger_test_" + name;
  std::ofstream(file) << text;
  return file;
}

TEST(Html, WritesThePassAsAPage) {
  const std::string page = testing::TempDir() + "/debugger_test_page.html";
  EXPECT_EQ(refusal_of({"step 2", "html " + page}), "");
  std::string first;
  std::ifstream file(page);
  std::getline(file, first);
  EXPECT_EQ(first, "<!doctype html>");
}

TEST(Source, DoesTheCommandsOfAFile) {
  const std::string file = written("script.txt", "# a comment\n\nstep\nprint dy\n");
  EXPECT_EQ(stop_after({"source " + file, "step"}), 3u);
}

TEST(Source, OfItselfIsRefused) {
  const std::string file = testing::TempDir() + "/debugger_test_self.txt";
  written("self.txt", "source " + file + "\n");
  EXPECT_EQ(refusal_of({"source " + file}).find("\n"), std::string::npos);
  EXPECT_NE(refusal_of({"source " + file}), "");
}

TEST(Source, IsNotNestedWithoutEnd) {
  for (int i = 0; i < 20; ++i) {
    written(fmt::format("deep{}", i), fmt::format("source {}/debugger_test_deep{}\n", testing::TempDir(), i + 1));
  }
  EXPECT_NE(refusal_of({fmt::format("source {}/debugger_test_deep0", testing::TempDir())}), "");
}

TEST(Quit, LetsGoOfTheProgram) {
  std::ostringstream out;
  int asked = 0;
  const auto next = [&]() -> std::optional<std::string> { return ++asked == 1 ? "quit" : "step"; };
  debug::StepThrough session(debug::lines_from(next), out);
  const Chain chain;
  chain();
  chain();
  EXPECT_EQ(asked, 1);
}

TEST(Lines, MayComeFromAStream) {
  std::istringstream in("step\r\nprint dy\n");
  std::ostringstream out;
  {
    debug::StepThrough session(in, out);
    Chain()();
  }
  EXPECT_EQ(fixtures::replace(fixtures::replace(out.str(), "%[0-9]+", "%N"), R"(\\x0d)", ""),
            fixtures::replace(debugged({"step", "print dy"}, Chain()), "%[0-9]+", "%N"));
}

// ---- what it computes itself ----------------------------------------------------------------------------------------

TEST(PushForward, IsTheDirectionalDerivative) {
  const Tensor x = tensor({{0.5, 1.0}, {2.0, -1.0}}, float64).requires_grad_().set_name("x");
  std::ostringstream out;
  debug::StepThrough session({"step"}, out);
  const Tensor y = softmax(x, 1);
  const debug::Call call = *session.debugger().call(*y.grad_fn());
  const Tensor pushed = debug::push_forward(call, 0, tensor({{1.0, 0.0}, {0.0, 0.0}}, float64));
  const double p = y.index({0, 0}).item();
  EXPECT_NEAR(pushed.index({0, 0}).item(), p * (1 - p), 1e-12);
  EXPECT_NEAR(pushed.index({0, 1}).item(), -p * (1 - p), 1e-12);
  EXPECT_EQ(pushed.index({1, 0}).item(), 0.0);
}

TEST(Bump, MovesAsFarAsSuitsTheFunction) {
  const auto slope_at = [](const std::function<Tensor(const Tensor&)>& function, double value) {
    const Tensor x = tensor({value}, float64).requires_grad_().set_name("x");
    const auto program = [&] { function(x).sum().backward(); };
    const std::string text = answer({"c", "bump x[0]"}, program);
    const std::vector<std::string> numbers = fixtures::matches(text, "(?:slope   |gradient) (-?[0-9.e+-]+)");
    ASSERT_EQ(numbers.size(), 2u) << text;
    const double gradient = std::stod(numbers[1]);
    EXPECT_NEAR(std::stod(numbers[0]), gradient, 1e-3 * std::abs(gradient));
  };
  slope_at([](const Tensor& x) { return sin(x); }, 2500.0);
  slope_at([](const Tensor& x) { return log(x); }, 1e-6);
  slope_at([](const Tensor& x) { return x * x; }, 3.0);
}

}  // namespace debugger_test
