// The debugger: that it disturbs nothing, that its accounts are right to the last bit, what each command answers, and
// that it says what it expected when it cannot. tests/debugger has whole sessions; debugger_fuzz.cpp random ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "autograd/debug/finding.h"
#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/step/terminal_debugger.h"
#include "autograd/tape/record.h"
#include "tests/autograd/debug/debugger_fixture.h"
#include "tests/support/expect.h"
#include "tests/support/pattern.h"

namespace debugger_test {

using namespace autograd;
using fixtures::answer;
using fixtures::Chain;
using fixtures::debugged;
using fixtures::seeded_model;
using testing::HasSubstr;
using testing::Not;

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::vector<std::string> repeated(const std::string& command, int times) {
  return std::vector<std::string>(static_cast<std::size_t>(times), command);
}

std::vector<std::string> joined(const std::vector<std::vector<std::string>>& parts) {
  std::vector<std::string> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The answer in the small chain, at the beginning of its backward.
std::string in_chain(const std::vector<std::string>& script) {
  const Chain chain;
  return fixtures::replace(answer(script, chain), "%[0-9]+", "%N");
}

// ---- in the forward pass --------------------------------------------------------------------------------------------

// Finds something at the first op of this name, as BACKSTEP=nan does: while the op is put on the tape.
class Finder : public ForwardingObserver {
 public:
  explicit Finder(std::string op) : op_(std::move(op)) {}
  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    ForwardingObserver::recorded(node, inputs, output);
    if (op_ == node.name()) debug::tell({debug::Finding::Kind::not_finite, "found", "found", &node});
  }

 private:
  std::string op_;
};

// The answer to the last command, at a stop where the program has come to this op.
std::string in_forward(const std::string& op, const std::vector<std::string>& script,
                       const std::function<void()>& program) {
  std::ostringstream out;
  debug::StepThrough debugger(script, out);
  debugger.debugger().settings.kill = [] {};
  debugger.debugger().settings.stop_at = "none";
  Finder finder(op);
  const ObserverGuard guard(finder);
  program();
  return fixtures::last_answer(out.str());
}

void small_division() {
  const Tensor x = tensor({{1.0, -2.0}, {3.0, 4.0}}, float64).requires_grad_().set_name("x");
  const Tensor by = tensor({{2.0, 0.0}, {1.0, 1.0}}, float64).set_name("by");
  const ScopeGuard module("net", Where::current());
  const Tensor h = (x * 3.0).set_name("h");
  (h / by).sum().backward();
}

// Too large to be kept, and its dim is not in place when it is put on the tape.
void large_softmax() {
  const Tensor x = arange(600).to(float64).reshape({20, 30}).mul(0.01).detach().requires_grad_().set_name("x");
  const ScopeGuard module("net", Where::current());
  const Tensor h = (x * 3.0).set_name("h");
  softmax(h, 1).sum().backward();
}

struct Asked {
  std::string command;
  std::vector<std::string> arguments;  // that are answered
  std::vector<std::string> refused;    // for they are about the backward pass
};

const std::vector<Asked>& asked_in_forward() {
  static const std::string file = testing::TempDir() + "/backstep_forward_";
  static const std::vector<Asked> table = {
      {"step", {""}, {}},
      {"back", {"", "2"}, {}},
      {"next", {""}, {}},
      {"reverse-next", {""}, {}},
      {"finish", {""}, {}},
      {"continue", {""}, {}},
      {"reverse-continue", {""}, {}},
      {"until", {}, {"loss"}},
      {"break", {"mul", "h", "net", "nan", "inf", "wrong", "norm > 1", "if step == 1"}, {"loss"}},
      {"tbreak", {"mul"}, {"loss"}},
      {"watch", {}, {"x.grad", "x.grad[0,0]", "dy"}},
      {"delete", {""}, {}},
      {"enable", {""}, {}},
      {"disable", {""}, {}},
      {"display", {"y", "/s h"}, {"dy", "dx0", "x.grad"}},
      {"undisplay", {""}, {}},
      {"print",
       {"y", "x0", "/s y", "/h y", "/x y", "h", "x[0,0]"},
       {"dy", "dx0", "dx1", "x.grad", "h.grad[0,0]", "loss"}},
      {"info",
       {"nodes", "nodes all", "nodes mul", "leaves", "locals", "names", "modules", "ops", "pass", "breakpoints",
        "watch", "display"},
       {}},
      {"where", {"", "h"}, {}},
      {"list", {"", "h"}, {}},
      {"graph", {"", "h 3", file + "graph.dot"}, {}},
      {"formula", {"", "[1,1]", "h", "h [0,1]"}, {}},
      {"jac", {}, {"", "h"}},
      {"cell", {"h[0,0]", "x[0,1]", "y[0,1]"}, {"h.grad[0,0]", "x.grad[0,1]"}},
      {"contrib", {}, {"x[0,0]", "h[0,0] all"}},
      {"why", {}, {"x[0,0]", "loss", "h[0,0]"}},
      {"check", {}, {"", "h"}},
      {"bump", {}, {"x[0,0]", "h[0,1] 0.1"}},
      {"html", {file + "page.html"}, {}},
      {"source", {"/dev/null"}, {}},
      {"set", {"", "width 80"}, {}},
      {"directory", {""}, {}},
      {"complete", {"pri"}, {}},
      {"echo", {"x"}, {}},
      {"help", {"", "step"}, {}},
      {"quit", {""}, {}},
      {"kill", {""}, {}},
  };
  return table;
}

TEST(ForwardStop, EveryCommandIsAsked) {
  std::set<std::string> asked;
  for (const Asked& each : asked_in_forward()) asked.insert(each.command);
  for (const debug::Command& command : debug::commands()) EXPECT_TRUE(asked.contains(command.name)) << command.name;
}

// The words after the command's name, which are the same for all.
std::string reason_in(const std::string& refusal) {
  return refusal.substr(std::min(refusal.find(": "), refusal.size()));
}

void expect_no_error_of_the_engine(const std::string& text) {
  for (const ErrorId id : all_error_ids())
    EXPECT_EQ(text.find(fmt::format("[{}]", name(id))), std::string::npos) << text;
}

// What cannot be said of a program that has not called backward() yet.
void expect_nothing_of_a_backward(const std::string& text) {
  for (const char* untrue : {"backward() at", "dx ", "dy ", "not yet computed", "gets no gradient"}) {
    EXPECT_EQ(text.find(untrue), std::string::npos) << untrue << " in\n" << text;
  }
}

// Asks every command of the table at one place of the forward pass: `before` leads there from where it stopped.
void ask_all(const std::string& op, const std::string& before, const std::function<void()>& program) {
  const std::string no_backward = reason_in(in_forward(op, {"print dy"}, program));
  ASSERT_FALSE(no_backward.empty());
  const auto answer_to = [&](const std::string& command, const std::string& arguments) {
    const std::string text = in_forward(op, {before, command + " " + arguments}, program);
    expect_no_error_of_the_engine(text);
    if (command != "help") expect_nothing_of_a_backward(text);
    return text;
  };
  for (const Asked& each : asked_in_forward()) {
    for (const std::string& arguments : each.arguments) {
      EXPECT_NE(reason_in(answer_to(each.command, arguments)), no_backward) << each.command << " " << arguments;
    }
    for (const std::string& arguments : each.refused) {
      EXPECT_EQ(reason_in(answer_to(each.command, arguments)), no_backward) << each.command << " " << arguments;
    }
  }
}

TEST(ForwardStop, AnswersForTheForwardPassOrSaysThatThereIsNoBackwardYet) {
  for (const std::string before : {"# nothing", "back"}) {
    ask_all("div", before, small_division);
    ask_all("softmax", before, large_softmax);
  }
}

TEST(ForwardStop, ShowsTheNumbersOfTheOp) {
  const auto number = [](const std::string& op, const std::string& line, const std::function<void()>& program) {
    return fixtures::matches(in_forward(op, {line}, program), "= ([^=\n]*)\n").back();
  };
  EXPECT_EQ(number("div", "print y[0,1]", small_division), "-inf");
  EXPECT_EQ(number("div", "print h[1,1]", small_division), "12");
  EXPECT_EQ(number("div", "formula", small_division), "-inf");
  EXPECT_EQ(number("div", "formula [1,1]", small_division), "12");
  EXPECT_EQ(number("div", "cell y[1,0]", small_division), "9");
  const Tensor y = softmax(arange(600).to(float64).reshape({20, 30}).mul(0.01).mul(3.0), 1);
  EXPECT_EQ(number("softmax", "print y[7,4]", large_softmax), debug::exact(y[7][4].item(), float64));
  const std::string cell = in_forward("softmax", {"cell y[7,4]"}, large_softmax);
  EXPECT_EQ(fixtures::matches(cell, "= ([^=\n]*)\n").front(), debug::rough(y[7][4].item()));
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
                    joined({{"step 9", "check", "formula", "jac", "why rnn.weight_hh_l0[0,0]", "bump x_in[0,0,0] 0.5",
                             "contrib rnn.weight_hh_l0[0,0]", "print/h dy", "info nodes all", "graph"},
                            repeated("back", 9),
                            {"continue", "check %20", "why rnn.weight_hh_l0[0,0]", "bump x_in[0,0,0]"}})));

// examples/05_bahdanau_demonstration.cpp; tests/debugger has the transcript of such a session.
TEST(Demonstration, SteppedToTheFirstParameterAndBackHasTheSameBits) {
  const auto gradients = [](const std::vector<std::string>& script) {
    manual_seed(42);
    const nn::AdditiveAttention attention({.decoder_dim = 256, .encoder_dim = 512, .attention_dim = 128});
    const Tensor encoder_outputs = randn({2, 8, 512}).requires_grad_();
    const Tensor decoder_state = randn({2, 256}).requires_grad_();
    const auto program = [&] {
      const auto [context, weights] = attention(decoder_state, encoder_outputs, length_mask({8, 6}));
      context.pow(2).sum().backward();
    };
    script.empty() ? fixtures::run_op_by_op(program) : static_cast<void>(debugged(script, program));
    std::vector<Tensor> result = {encoder_outputs.grad(), decoder_state.grad()};
    for (const auto& [name, parameter] : attention.named_parameters()) result.push_back(parameter.grad());
    return result;
  };
  const std::vector<std::string> there = {"until v.weight", "print v.weight.grad[0,0]"};
  const std::vector<std::string> script =
      joined({repeated("step", 19), there, repeated("back", 19), {"continue", "continue"}});
  EXPECT_TRUE(fixtures::same_bits(gradients(script), gradients({})));
}

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
  for (const char* line : {"formula", "jac", "check", "why x[0,1]", "bump x[0,1]", "cell x.grad[0,0]", "cell h[0,0]",
                           "contrib x[0,0]", "print x.grad", "break wrong", "break if norm > 1e9", "step", "back"}) {
    EXPECT_EQ(numbers_taken({"until softmax", line, "continue", line, "back 2", line, "continue"}), undisturbed)
        << line;
  }
}

TEST(Back, ShowsTheExactBitsOfBefore) {
  const auto model = seeded_model();
  const std::string transcript = debugged({"step 6", "print/x dy", "step 20", "back 20", "print/x dy", "continue",
                                           "reverse-continue", "step 6", "print/x dy", "echo done"},
                                          model);
  const std::vector<std::string> printed = fixtures::matches(transcript, "\ndy =\\s([^(]*)");
  ASSERT_EQ(printed.size(), 3u);
  EXPECT_EQ(printed[0], printed[1]);
  EXPECT_EQ(printed[0], printed[2]);
}

TEST(Back, StopsAtTheBeginning) {
  EXPECT_THAT(in_chain({"back"}), HasSubstr("[the beginning of the pass]"));
  EXPECT_THAT(in_chain({"step 2", "back 3"}), HasSubstr("#1 of 5"));
}

// ---- the ledger ---------------------------------------------------------------------------------------------------

TEST(Contrib, ListsTheTwelveTimeStepsOfAGruWeightAndTheirExactSum) {
  const auto model = seeded_model(12);
  const std::string text = answer({"continue", "contrib rnn.weight_hh_l0[5,1]"}, model);
  EXPECT_THAT(text, HasSubstr("12 contributions: added in this order they are exactly, bit for bit, the gradient: "));
  for (int step = 0; step < 12; ++step) {
    EXPECT_EQ(count(text, fmt::format("in rnn.l0, step {}, input 1\n", step)), 1) << text;
  }
  const float gradient = model.modules->rnn.named_parameters()[1].second.grad().index({5, 1}).item<float>();
  EXPECT_THAT(text, HasSubstr(fmt::format("the gradient: {}\n", gradient)));
}

TEST(Contrib, IsExactForEveryElementAtEveryStep) {
  const auto model = seeded_model(12);
  std::ostringstream out;
  debug::Debugger* debugger = nullptr;
  int asked = 0;
  bool ask = false;
  const auto next = [&]() -> std::optional<std::string> {
    ask = !ask;
    if (!debugger->view().current()) return {};
    if (!ask) return "step";
    ++asked;
    return fmt::format("contrib rnn.weight_hh_l0[{},{}]", asked % 12, asked % 4);
  };
  debug::StepThrough session(debug::lines_from(next), out);
  debugger = &session.debugger();
  model();
  EXPECT_GT(asked, 100);
  EXPECT_THAT(out.str(), Not(HasSubstr("a hook replaced it")));
  EXPECT_GT(count(out.str(), "exactly, bit for bit"), 50);
}

TEST(Contrib, SaysWhatHasNotArrivedInsteadOfZero) {
  EXPECT_THAT(in_chain({"contrib W[0,1]"}), HasSubstr("W[0, 1].grad not yet computed (0 of 1 contribution)\n"));
  const auto model = seeded_model(3);
  EXPECT_THAT(answer({"print rnn.weight_hh_l0.grad"}, model), HasSubstr("not yet computed (0 of 3 contributions)"));
  const std::string partial = answer({"tbreak rnn.l0, step 2", "c", "finish", "contrib rnn.weight_hh_l0[0,0]"}, model);
  EXPECT_THAT(partial, HasSubstr("the gradient so far"));
  EXPECT_THAT(partial, HasSubstr("2 may still come:\n"));
}

TEST(Contrib, KnowsThatAHookReplacedTheGradient) {
  const Chain chain;
  chain.W.register_hook([](const Tensor& gradient) { return gradient * 2.0; });
  EXPECT_THAT(answer({"continue", "contrib W[0,0]"}, chain), HasSubstr("a hook replaced it"));
}

TEST(Contrib, TellsWhatWasInTheProgramsGradientBefore) {
  const Chain chain;
  chain();
  EXPECT_THAT(answer({"continue", "contrib W[0,0]"}, chain), HasSubstr("The program's W.grad() is"));
}

// ---- expressions --------------------------------------------------------------------------------------------------

TEST(Expression, IsReadWithItsPicks) {
  const debug::Expression expression = debug::parse_expression(" encoder.rnn.weight_hh_l0.grad[1:3, -1, ::2] ");
  EXPECT_EQ(expression.target, "encoder.rnn.weight_hh_l0.grad");
  ASSERT_EQ(expression.picks.size(), 3u);
  EXPECT_TRUE(expression.picks[0].is_range);
  EXPECT_EQ(expression.picks[0].start, 1);
  EXPECT_EQ(expression.picks[0].stop, 3);
  EXPECT_FALSE(expression.picks[1].is_range);
  EXPECT_EQ(expression.picks[1].start, -1);
  EXPECT_EQ(expression.picks[2].step, 2);
}

TEST(Expression, MayBeQuoted) {
  const debug::Expression expression = debug::parse_expression("\"my [weird] name\".grad[0]");
  EXPECT_EQ(expression.target, "my [weird] name.grad");
  EXPECT_EQ(expression.picks.size(), 1u);
}

class BadExpression : public testing::TestWithParam<const char*> {};

TEST_P(BadExpression, IsRefusedWithWhatWasExpected) {
  EXPECT_THROW(debug::parse_expression(GetParam()), debug::Refused);
  EXPECT_THAT(in_chain({std::string("print ") + GetParam()}), HasSubstr("expected"));
}

INSTANTIATE_TEST_SUITE_P(Texts, BadExpression,
                         testing::Values("", "[1]", "W[", "W[]", "W[1,]", "W[a]", "W[1:2:0]", "W[1:2:-1]", "\"W",
                                         "W]x[", "W[99999999999999999999]", "W[1][2", "\"\"", "W[1:2:3:4]"));

class BadPlace : public testing::TestWithParam<const char*> {};

TEST_P(BadPlace, IsRefusedWithWhatWasExpected) {
  EXPECT_THAT(in_chain({std::string("break ") + GetParam()}), HasSubstr("expected"));
}

INSTANTIATE_TEST_SUITE_P(Texts, BadPlace,
                         testing::Values("", "tahn", "nowhere.cpp:3", "chain.cpp:1", "norm>", "norm>x", "norm=3", "if",
                                         "if ", "if norm", "if >3", "if norm>1 and", "%99999", "%", "%-1",
                                         "norm>1 if norm>2", "tanh if x0 ! 3"));

struct Shown {
  std::vector<std::string> script;
  const char* expected;
};

void PrintTo(const Shown& shown, std::ostream* out) {
  for (const std::string& line : shown.script) *out << line << "; ";
}

class Answers : public testing::TestWithParam<Shown> {};

TEST_P(Answers, AreThese) {
  EXPECT_THAT(in_chain(GetParam().script), HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Answers,
    testing::Values(
        Shown{{"print W"}, "W =\n[[ 0.5000, -0.2500,  1.0000],\n [ 0.1250,  0.7500, -0.5000]]\n"},
        Shown{{"p W[0,1]"}, "W[0, 1] = -0.25\n"}, Shown{{"p W[-1,-1]"}, "W[1, 2] = -0.5\n"},
        Shown{{"p W[:,0]"}, "W[:, 0] = [0.5000, 0.1250]\n"}, Shown{{"p W[1]"}, "W[1] = [ 0.1250,  0.7500, -0.5000]\n"},
        Shown{{"p/x W[0]"}, "W[0] = [0.5, -0.25, 1]\n"},
        Shown{{"p/x W"}, "W =\n[[0.5, -0.25, 1],\n [0.125, 0.75, -0.5]]\n"},
        Shown{{"set elements 2", "p/x W"}, "the first [2, 3]:\n[[0.5, -0.25, 1],\n"},
        Shown{{"p W[1][2]"}, "W[1, 2] = -0.5\n"},
        Shown{{"p W[0:1][0]"}, "expected one pair of brackets, as in [0:2, 1]"},
        Shown{{"p W[0]x[1]"}, "'x[1]' is not expected; expected brackets"},
        Shown{{"p/s W"}, "W: float64 [2, 3], 6 elements: min -0.5, max 1, mean 0.2708"},
        Shown{{"p/h W"}, "from -0.5 ▁ to 1 █\n  ▆▂█\n  ▄▇▁\n"}, Shown{{"p W[2,0]"}, "expected -2 .. 1"},
        Shown{{"p W[0,0,0]"}, "expected at most 2 indices for [2, 3]"}, Shown{{"p/q W"}, "expected /s, /h or /x"},
        Shown{{"p V"}, "no tensor of this pass is called 'V' (near: W, h)"}, Shown{{"p loss"}, " = "},
        Shown{{"p dy"}, "dy = 1\n"}, Shown{{"p dx0"}, "not yet computed"},
        Shown{{"s", "b tanh", "back", "p dx0"}, "dx0 ="}, Shown{{"p x7"}, "expected x0 .. x0"},
        Shown{{"p h.grad"}, "h.grad not yet computed (0 of 1 contribution)\n"},
        Shown{{"until tanh", "p y2.grad"}, "y2.grad =\n"}, Shown{{"set precision 1", "p W[0]"}, "[ 0.5, -0.2,  1.0]"},
        Shown{{"set elements 2", "p W"}, "the first [2, 3]:"}, Shown{{"step", "back"}, "#1 of 5"},
        Shown{{"step 2"}, "tanh"}, Shown{{"step 0"}, "expected a whole number from 1"},
        Shown{{"step x"}, "expected a whole number from 1"}, Shown{{"next"}, "#2 of 5"},
        Shown{{"c"}, "ended: 4 ops and 1 leaf ran]"}, Shown{{"c", "rc"}, "#1 of 5"}, Shown{{"c", "rn"}, "#5 of 5"},
        Shown{{"continue 3"}, "expected nothing after"}, Shown{{"finish"}, "expected an op that is"},
        Shown{{"until matmul"}, "matmul"}, Shown{{"c", "rc", "step 4", "until h"}, "has run already, as #4; expected"},
        Shown{{"until softmax"}, "until: no softmax is ahead in this pass; expected"},
        Shown{{"until tanh", "until tanh"}, "until: no tanh is ahead in this pass; expected"},
        Shown{{"until norm > 1e9"}, "[if norm > 1e9 was not reached]\n[backward() of"},
        Shown{{"break tanh"}, "Breakpoint 1: op tanh\n"}, Shown{{"break tanh", "c"}, "Breakpoint 1, op tanh\n#3 of 5"},
        Shown{{"break h", "c"}, "Breakpoint 1, tensor h\n#4 of 5"},
        Shown{{"break chain.cpp:3", "c"}, "Breakpoint 1, chain.cpp:3\n#4 of 5"},
        Shown{{"break norm>1.5", "c"}, "Breakpoint 1, if norm>1.5\n"},
        Shown{{"break if at == 4", "c"}, "Breakpoint 1, if at == 4\n#4 of 5"},
        Shown{{"break if step == 4", "c"}, "ended"}, Shown{{"break mul if norm > 100", "c"}, "ended"},
        Shown{{"break tanh if norm(W) > 1 and max < 100", "c"}, "#3"},
        Shown{{"break if h.grad[0,0] != 0", "c"}, "#4 of 5"},
        Shown{{"tbreak tanh", "c", "info breakpoints"}, "No breakpoints or watches.\n"},
        Shown{{"break tanh", "delete 1", "c"}, "ended"}, Shown{{"break tanh", "disable 1", "c"}, "ended"},
        Shown{{"break tanh", "disable", "enable 1", "c"}, "#3"}, Shown{{"delete 9"}, "expected a number from"},
        Shown{{"break tanh", "delete"}, "All breakpoints and watches deleted\n"},
        Shown{{"enable 3"}, "expected a number"},
        Shown{{"break tanh", "c", "info b"}, "  1  enabled      1 hit  op tanh\n"},
        Shown{{"watch W.grad[0,0]", "c"},
              "Watch 1, W.grad[0,0]\n  Old = not yet computed (0 of 1 contribution)\n  New = "},
        Shown{{"watch W.grad[0,0]", "c"}, "  By  = %N h matmul at chain.cpp:3\n"},
        Shown{{"watch W"}, "expected a gradient"}, Shown{{"watch dy"}, "expected a gradient"},
        Shown{{"watch h.grad", "c", "c", "rc"}, "Watch 1, h.grad\n"}, Shown{{"display/s dy", "s"}, "1: dy: float64"},
        Shown{{"display dy", "undisplay 1", "info display"}, "No displays.\n"},
        Shown{{"display foo"}, "expected a name"}, Shown{{"undisplay 4"}, "expected a number"},
        Shown{{"info nodes"}, "=> %N sum at chain.cpp:5"}, Shown{{"info nodes tanh"}, "y2 tanh"},
        Shown{{"info leaves"}, "W                                float64  [2, 3]         not yet computed"},
        Shown{{"s", "info locals"}, "  x1   float64  [2, 1]"}, Shown{{"info names"}, "y2 [2, 1]\nh [2, 1]\nW [2, 3]\n"},
        Shown{{"info modules"}, "No op of this pass ran in a module.\n"}, Shown{{"info ops"}, "    1 tanh\n"},
        Shown{{"info pass"}, "pass 1: backward() at chain.cpp:5"}, Shown{{"info"}, "expected nodes"},
        Shown{{"info x"}, "expected nodes"}, Shown{{"info n"}, "is not clear; expected nodes"},
        Shown{{"where"}, "#0  %N sum"}, Shown{{"list W"}, "expected an op"}, Shown{{"graph tanh"}, "expected"},
        Shown{{"graph y2"}, "   x0 = %N h matmul"}, Shown{{"graph /nonexistent/x.dot"}, "/nonexistent/x.dot"},
        Shown{{"html /nonexistent/x.html"}, "/nonexistent/x.html"}, Shown{{"html"}, "expected the file"},
        Shown{{"html /dev/full"}, "/dev/full cannot be written"},
        Shown{{"bump W[0,0] 1e-20"}, "are the same number in float64; expected a larger change"},
        Shown{{"until tanh", "formula"}, "  dx = dy * (1 - y^2)\nat element "},
        Shown{{"until tanh", "formula [1,0]"},
              "at element [1, 0]\n  y = tanh(2.125) = 0.9719\n  dx = 1.944 * (1 - 0.9719^2) = 0.1078\n"},
        Shown{{"until tanh", "formula [5,0]"}, "expected an index into [2, 1]"},
        Shown{{"until h", "formula [1,2]"}, "  dx0[1, 2] = sum of 1 term:\n"}, Shown{{"formula W"}, "a leaf"},
        Shown{{"formula y2"}, "its dy is not yet computed"}, Shown{{"until tanh", "jac"}, "a matrix of 2 by 2\n"},
        Shown{{"jac W"}, "expected an op"}, Shown{{"until tanh", "check"}, "PASS: %N y2 tanh"},
        Shown{{"check y2"}, "has not run yet"}, Shown{{"c", "check y2"}, "PASS"},
        Shown{{"c", "why W[0,0]"}, "2 paths shown, together"}, Shown{{"why W[0,0]"}, "not yet computed"},
        Shown{{"why W"}, "expected 2 indices, as in W[1,2]"}, Shown{{"contrib W[0]"}, "expected 2 indices"},
        Shown{{"contrib"}, "expected NAME"},
        Shown{{"c", "bump W[0,0] 0.001"}, "W[0, 0] from 0.5 to 0.501, 4 ops computed again\n"},
        Shown{{"bump W[0,0] 0"}, "expected a number that is not 0"}, Shown{{"bump W[0,0] x"}, "expected a number"},
        Shown{{"bump W"}, "expected 2 indices"}, Shown{{"source"}, "expected a file"},
        Shown{{"source /nonexistent"}, "expected a text file"}, Shown{{"source /dev/zero"}, "expected a text file"},
        Shown{{"set"}, "width 100\nelements 200\nprecision auto\nstop-at backward\n"},
        Shown{{"set colour red"}, "expected width"}, Shown{{"set width 3"}, "expected a whole number from 20"},
        Shown{{"set stop-at noon"}, "expected backward, all or none"}, Shown{{"help ste"}, "step [N]\nAlso: s\n"},
        Shown{{"help nothing"}, "expected one of those"}, Shown{{"complete st"}, "step\n"},
        Shown{{"complete break ta"}, "tanh\n"}, Shown{{"nonsense"}, "'nonsense' is no command; expected a command"},
        Shown{{"stpe"}, "near: step"}, Shown{{"re"}, "'re' is ambiguous; expected one of"},
        Shown{{"echo hello"}, "hello\n"}, Shown{{"quit"}, "[detached: the program goes on]\n"},
        Shown{{"kill"}, "[killed]\n"},
        Shown{{"c", "info locals"}, "there is no current op at the end of the pass; expected"},
        Shown{{"c", "p dy"}, "expected a name"}));

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

TEST(Help, HasTheFirstLineOfEveryCommandInUnder100Columns) {
  const std::string text = in_chain({"help"});
  for (const debug::Command& command : debug::commands())
    EXPECT_THAT(text, HasSubstr(std::string("  ") + command.name));
  for (const std::string& line : fixtures::matches(text, "([^\n]*)\n")) EXPECT_LE(line.size(), 100u) << line;
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
  const std::string text = debugged({"break attention", "c", "c", "c", "c"}, model);
  EXPECT_EQ(count(text, "Breakpoint 1, module attention\n"), 2) << text;  // precompute() is a call too
  const std::string steps = debugged({"break rnn.l0, step 1", "c", "c"}, model);
  EXPECT_EQ(count(steps, "Breakpoint 1, module rnn.l0, step 1\n"), 1) << steps;
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
    EXPECT_EQ(count(answer({"info nodes " + place}, three_steps), "\n"), place.size() > 6 ? 1 : 2) << place;
  }
}

TEST(Break, InTheLastCallOfAModuleSaysThatNoneIsAhead) {
  const auto told = [](const std::vector<std::string>& script) { return answer(script, three_steps); };
  EXPECT_EQ(told({"break step 1"}), "Breakpoint 1: module step 1\n");
  EXPECT_NE(told({"step", "break step 2"}), "Breakpoint 1: module step 2\n");
  EXPECT_EQ(told({"step", "break step 1"}), "Breakpoint 1: module step 1\n");
  EXPECT_EQ(stops_of({"step", "until step 2", "until step 1"}), std::vector<std::string>({"2", "4"}));
}

TEST(Next, StaysOutOfDeeperModules) {
  const auto model = seeded_model(3);
  const std::string text = debugged(repeated("next", 30), model);
  EXPECT_THAT(text, Not(HasSubstr("in rnn.l0, step")));
  EXPECT_THAT(text, HasSubstr("ended"));
}

TEST(Break, AtNanNamesWhoMadeIt) {
  const auto program = [] {
    const Tensor x = tensor({1.0, 0.0, 4.0}).requires_grad_().set_name("x");
    (sqrt(x) * tensor({1.0, 0.0, 1.0})).sum().backward();
  };
  const std::string text = answer({"break nan", "c"}, program);
  EXPECT_THAT(text, HasSubstr("sqrt at tests/autograd/debug/debugger_test.cpp"));
  EXPECT_THAT(text, HasSubstr("gave to x has 1 NaN of 3, the first at [1]"));
}

// Infinities of both signs add up to NaN, and a hook may return one: no single contribution has it.
TEST(Break, AtNanLooksAtSumsAndAtHooks) {
  const auto sum = [] {
    const Tensor x = tensor({0.0, 4.0}).requires_grad_().set_name("x");
    (sqrt(x) - 2.0 * sqrt(x)).sum().backward();
  };
  EXPECT_EQ(count(debugged({"break nan", "c", "c"}, sum), "Breakpoint 1, nan\n"), 1);
  const auto hook = [] {
    const Tensor x = tensor({1.0, 4.0}).requires_grad_().set_name("x");
    const Tensor y = sqrt(x);
    y.register_hook([](const Tensor& dy) { return full_like(dy, NAN); });
    (y * y.detach()).sum().backward();
  };
  EXPECT_GE(count(debugged({"break nan", "c", "c"}, hook), "Breakpoint 1, nan\n"), 1);
  const auto overflow = [] {
    const Tensor x = tensor({1e-30}).requires_grad_().set_name("x");
    const Tensor y = x * 1.0;
    (y * 3e38 + y * 3e38).sum().backward();
  };
  EXPECT_GE(count(debugged({"break inf", "c", "c"}, overflow), "Breakpoint 1, inf\n"), 1);
}

TEST(Passes, OfGradAreOpenedOnlyWhenAsked) {
  const auto program = [] {
    const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("x");
    grad((x * x).sum(), {x});
  };
  EXPECT_EQ(debugged({"step"}, program), "");
  std::ostringstream out;
  debug::StepThrough session({"step", "p x.grad", "step", "p x.grad"}, out);
  session.debugger().settings.stop_at = "all";
  program();
  EXPECT_THAT(out.str(), HasSubstr("[grad() of tests/autograd/debug/debugger_test.cpp"));
  EXPECT_THAT(out.str(), HasSubstr("x.grad = [2., 4.]"));
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
  const std::string text = debugged({"step", "info pass", "p w.grad", "c", "c", "info pass", "c"}, program);
  EXPECT_THAT(text, HasSubstr("pass 2: backward()"));
  EXPECT_THAT(text, HasSubstr("pass 1: backward()"));
  EXPECT_TRUE(fixtures::holds(x.grad(), {2, 4}));
  EXPECT_TRUE(fixtures::holds(w.grad(), {6}));
}

TEST(Passes, ThatMakeAGraphCanBeSteppedAndDifferentiatedAgain) {
  const Tensor x = tensor({1.0, 2.0}, float64).requires_grad_().set_name("x");
  std::ostringstream out;
  const std::vector<std::string> script = {"step",           "check", "jac",  "back",    "c", "c",
                                           "info nodes all", "check", "step", "formula", "c"};
  debug::StepThrough session(script, out);
  session.debugger().settings.stop_at = "all";
  const Tensor dx = grad((x * x * x).sum(), {x}, {.create_graph = true})[0];
  dx.sum().backward();
  EXPECT_TRUE(fixtures::holds(x.grad(), {6, 12}));
  EXPECT_THAT(out.str(), HasSubstr("made while differentiating"));
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
  const std::string text = debugged({"c", "info nodes", "back", "p dy"}, program);
  EXPECT_THAT(text, HasSubstr("was left by an exception: 1 op ran]"));
  EXPECT_THAT(text, HasSubstr("dy = 1\n"));
}

TEST(Passes, ThatReleaseTheirGraphKeepTheirRecord) {
  const Tensor x = tensor({1.0, 2.0, 3.0}).requires_grad_().set_name("x");
  const auto program = [&] { (x * x).tanh().sum().backward({.release_graph = true}); };
  const std::string text = debugged(
      {"c", "graph x", "info nodes all", "contrib x[0]", "why x[0]", "bump x[0]", "back 2", "formula", "jac"}, program);
  EXPECT_THAT(text, HasSubstr("2 contributions: added in this order they are exactly"));
  EXPECT_THAT(text, HasSubstr("was released by .release_graph; expected"));
  EXPECT_TRUE(fixtures::holds(x.grad(), x.grad().to_vector()));
}

TEST(Attached, AfterTheForwardPassItSaysWhatWasNotRecorded) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("x");
  const Tensor y = (x * x).set_name("y");
  const Tensor loss = y.sum();
  std::ostringstream out;
  {
    debug::StepThrough session({"p y", "check", "info locals", "formula", "why x[0]", "step 2", "p y.grad", "c",
                                "why x[0]", "bump x[0]", "graph x"},
                               out);
    loss.backward();
  }
  EXPECT_THAT(out.str(), HasSubstr("y was not recorded: the debugger was attached after it ran"));
  EXPECT_THAT(out.str(), HasSubstr("expected an op that ran after the debugger was attached"));
  EXPECT_THAT(out.str(), HasSubstr("y.grad = [1., 1.]"));
  EXPECT_TRUE(fixtures::holds(x.grad(), {2, 4}));
}

// ---- odd tensors ----------------------------------------------------------------------------------------------------

TEST(Odd, TensorsAreShown) {
  const Tensor table = randn({4, 2}).requires_grad_().set_name("table");
  const Tensor scalar = tensor(2.0).requires_grad_().set_name("scalar");
  const Tensor none = zeros({0, 3}).requires_grad_().set_name("none");
  const Tensor factor = tensor({3.0, 1.0}).set_name("factor");
  const auto program = [&] { ((embedding(table, ids({1, 3})) * factor).sum() * scalar + none.sum()).backward(); };
  const std::string text = debugged({"p factor", "p factor.grad", "p scalar", "p none", "p/h none", "p/s none",
                                     "p/x none", "p none[0,0]", "until embedding", "info locals", "formula", "c",
                                     "p none.grad", "contrib scalar", "why scalar", "bump none[0,0]", "p table[1]"},
                                    program);
  EXPECT_THAT(text, HasSubstr("factor = [3., 1.]\n"));
  EXPECT_THAT(text, HasSubstr("factor needs no gradient; expected"));
  EXPECT_THAT(text, HasSubstr("scalar = 2\n"));
  EXPECT_THAT(text, HasSubstr("none = float32 [0, 3], empty\n"));
  EXPECT_THAT(text, HasSubstr("expected another tensor: this one is empty"));
  EXPECT_THAT(text, HasSubstr("none.grad = float32 [0, 3], empty\n"));
}

TEST(Odd, NamesAreHarmlessAndCanBeAskedFor) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("<b>\x1b[31m\n[x y]");
  const auto program = [&] { (x * x).sum().backward(); };
  const std::string text = debugged({"info names", "p \"<b>\\x1b[31m\\x0a[x y]\"[1]", "nope\x1b\x07"}, program);
  EXPECT_THAT(text, HasSubstr("<b>\\x1b[31m\\x0a[x y] [2]\n"));
  EXPECT_THAT(text, HasSubstr("<b>\\x1b[31m\\x0a[x y][1] = 2\n"));
  for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t');
}

TEST(Odd, CharactersThatTurnTheReadingDirectionAreWrittenOut) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("a\u202Eb\xFF\u00E9");
  const auto program = [&] { (x * x).sum().backward(); };
  EXPECT_THAT(answer({"info names"}, program), HasSubstr("a\\u{202e}b\\xff\u00E9 [2]\n"));
}

TEST(Odd, AParameterThatGetsNoGradientIsSaidToGetNone) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("x");
  const Tensor other = tensor({1.0, 2.0}).requires_grad_().set_name("other");
  const Tensor unused = (other * 2.0).set_name("unused");
  const auto program = [&] {
    const Tensor aside = (other * 3.0).set_name("aside");
    (x * x).sum().backward();
  };
  EXPECT_THAT(answer({"p aside.grad"}, program), HasSubstr("aside.grad is not part of this pass"));
}

TEST(Large, GraphsAreSteppedThroughQuickly) {
  const Tensor w = tensor({0.999}).requires_grad_().set_name("w");
  const auto program = [&] {
    Tensor y = w;
    for (int i = 0; i < 6000; ++i) y = (y * w).set_name(fmt::format("y{}", i));
    (y * 1.0 + w).sum().backward();
  };
  const auto begin = std::chrono::steady_clock::now();
  const std::string text =
      debugged({"watch w.grad[0]", "break y7", "disable 1", "c", "contrib w[0]", "enable 1", "s", "rc", "delete", "c",
                "why w[0]", "info nodes all", "rc", "graph w 50", "bump w[0]"},
               program);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_THAT(text, HasSubstr("Breakpoint 2, tensor y7\n"));
  EXPECT_LT(seconds.count(), 20.0);
}

// 40,000 ops, and 20,000 contributions to w: nothing may be searched or added up from the start at every position.
TEST(Large, ConditionsTakeAboutTheSameTimeAtEveryOp) {
  const Tensor w = tensor({0.5}).requires_grad_().set_name("w");
  const auto program = [&] {
    Tensor y = w;
    for (int i = 0; i < 20'000; ++i) y = y * w + 1.0;
    y.sum().backward();
  };
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = debugged({"break norm > 1e30", "break if norm(w.grad) > 1e30", "break if w.grad[0] > 1e30",
                                     "break if nowhere > 1", "watch w.grad[0]", "disable 5", "c", "p w.grad", "rc"},
                                    program);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_THAT(text, HasSubstr("[the beginning of the pass]\n"));
  EXPECT_LT(seconds.count(), 30.0);
}

// ---- scripts
// ----------------------------------------------------------------------------------------------------------

std::string written(const std::string& name, const std::string& text) {
  const std::string file = testing::TempDir() + "/debugger_test_" + name;
  std::ofstream(file) << text;
  return file;
}

TEST(Html, WritesThePassAsAPage) {
  const std::string page = testing::TempDir() + "/debugger_test_page.html";
  EXPECT_THAT(in_chain({"step 2", "html " + page}), HasSubstr("Wrote " + page));
  std::ifstream page_file(page);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(page_file), {}), HasSubstr("<!doctype html>"));
}

TEST(Source, DoesTheCommandsOfAFile) {
  const std::string file = written("script.txt", "# a comment\n\nstep\nprint dy\n");
  EXPECT_THAT(in_chain({"source " + file, "echo back"}), HasSubstr("back\n"));
  const Chain chain;
  EXPECT_THAT(debugged({"source " + file}, chain), HasSubstr("(backstep) print dy\ndy =\n"));
}

TEST(Source, OfItselfIsRefused) {
  const std::string file = testing::TempDir() + "/debugger_test_self.txt";
  written("self.txt", "source " + file + "\necho after\n");
  EXPECT_THAT(debugged({"source " + file}, Chain()), HasSubstr("is being read already; expected"));
}

TEST(Source, IsNotNestedWithoutEnd) {
  for (int i = 0; i < 20; ++i) {
    written(fmt::format("deep{}", i), fmt::format("source {}/debugger_test_deep{}\n", testing::TempDir(), i + 1));
  }
  EXPECT_THAT(debugged({fmt::format("source {}/debugger_test_deep0", testing::TempDir())}, Chain()),
              HasSubstr("scripts are nested 10 deep; expected at most 10"));
}

TEST(End, OfTheInputLetsTheProgramGoOn) {
  const Chain chain;
  EXPECT_THAT(debugged({}, chain), HasSubstr("[no more commands: the program goes on]\n"));
  EXPECT_TRUE(chain.W.grad().defined());
}

TEST(Quit, LetsGoOfTheProgram) {
  const Chain chain;
  std::ostringstream out;
  debug::StepThrough session({"quit", "step"}, out);
  chain();
  chain();
  EXPECT_THAT(out.str(), Not(HasSubstr("(backstep) step")));
}

TEST(Lines, MayComeFromAStream) {
  std::istringstream in("step\r\nprint dy\n");
  std::ostringstream out;
  debug::StepThrough session(in, out);
  Chain()();
  EXPECT_THAT(out.str(), HasSubstr("dy =\n[[1.],\n [1.]]"));
}

// ---- one cell at a time ---------------------------------------------------------------------------------------------

// The lines of the first table after `begin`: "-0.5 0.25 W[1, 2]".
std::vector<std::string> terms(const std::string& text, const std::string& begin) {
  std::vector<std::string> found;
  const std::size_t header = text.find("slope\n", text.find(begin));
  for (const std::string& line : fixtures::matches(text.substr(header + 6), "([^\n]*)\n")) {
    if (line.rfind("      ", 0) != 0) break;
    found.push_back(fixtures::replace(debug::trim(line), " +", " "));
  }
  return found;
}

using testing::ElementsAre;

TEST(Cell, OfAProductIsARowAndAColumn) {
  const std::string text = in_chain({"c", "cell h[1,0]"});
  EXPECT_THAT(terms(text, "comes from"), ElementsAre("0.125 1 W[1, 0]", "0.75 2 W[1, 1]", "-0.5 -1 W[1, 2]",
                                                     "1 0.125 x1[0, 0]", "2 0.75 x1[1, 0]", "-1 -0.5 x1[2, 0]"));
  EXPECT_THAT(text, HasSubstr("  over x0:\n  = 0.125 * 1 + 0.75 * 2 + (-0.5) * (-1) = 2.125\n"));
  EXPECT_THAT(terms(text, "goes into"), ElementsAre("0.9719 0.05546 y2[1, 0]"));
  EXPECT_THAT(terms(in_chain({"c", "cell W.grad[1,2]"}), "comes from"), ElementsAre("0.1078 -1 h.grad[1, 0]"));
  EXPECT_THAT(in_chain({"c", "cell y2[1,0]"}), HasSubstr("  y = tanh(2.125) = 0.9719\n"));
}

TEST(Cell, OfASoftmaxIsItsRow) {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 5.0}}, float64).requires_grad_().set_name("x");
  const auto program = [&] { softmax(x, 1).set_name("p").pow(2).sum().backward(); };
  const std::vector<std::string> value = terms(answer({"c", "cell p[1,0]"}, program), "comes from");
  ASSERT_EQ(value.size(), 2u);
  EXPECT_THAT(value[0], testing::EndsWith(" x[1, 0]"));
  EXPECT_THAT(value[1], testing::EndsWith(" x[1, 1]"));
  const std::string gradient = answer({"c", "cell x.grad[0,1]"}, program);
  ASSERT_EQ(terms(gradient, "comes from").size(), 2u) << gradient;
  EXPECT_THAT(terms(gradient, "comes from")[0], testing::EndsWith(" p.grad[0, 0]"));
}

TEST(Cell, OfABroadcastIsWhatWasSummed) {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 5.0}}, float64).set_name("x");
  const Tensor b = tensor({10.0, 20.0}, float64).requires_grad_().set_name("b");
  const auto program = [&] { (x + b).set_name("y").pow(2).sum().backward(); };
  const std::string text = answer({"c", "cell b.grad[1]"}, program);
  EXPECT_THAT(terms(text, "comes from"), ElementsAre("44 1 y.grad[0, 1]", "50 1 y.grad[1, 1]"));
  EXPECT_THAT(text, HasSubstr("    = 44 * 1 + 50 * 1 = 94\n"));
  EXPECT_THAT(text, HasSubstr("goes into b.grad(): it is a leaf\n"));
}

TEST(Cell, OfManyElementsIsShortenedToTheLargest) {
  const Tensor x = arange(1, 101, 1, float64).requires_grad_().set_name("x");
  const auto program = [&] { x.sum().backward(); };
  const std::string text = answer({"c", "cell loss"}, program);
  EXPECT_THAT(text, HasSubstr("comes from 100 elements"));
  EXPECT_EQ(terms(text, "comes from").front(), "100 1 x[99]");
  EXPECT_THAT(text, HasSubstr("    .. and 92 more, of less weight\n  = the sum of value * slope = 5050\n"));
}

TEST(Cell, OfAGradientThatIsNotThereSaysWhatIsMissing) {
  EXPECT_THAT(in_chain({"cell h.grad[0,0]"}), HasSubstr("h.grad[0, 0] not yet computed (0 of 1 contribution)\n"));
  EXPECT_THAT(in_chain({"cell h.grad[0,0]"}), HasSubstr("  not known           1  W.grad[0, 0]\n"));
  EXPECT_THAT(in_chain({"cell h.grad[0]"}), HasSubstr("expected 2 indices"));
}

// y[i] = x[i]^2, with a derivative that is computed number by number: it cannot itself be differentiated.
struct ByHand final : Node {
  static constexpr OpText text{"by_hand", "y = x^2", "dx = 2 * dy * x"};
  Saved x;
  Tensor forward(const Inputs& given) const override;
  Grads backward(const Tensor& dy) override {
    std::vector<double> result = dy.to_vector();
    const std::vector<double> x_ = use(x).to_vector();
    for (std::size_t i = 0; i < result.size(); ++i) result[i] *= 2.0 * x_[i];
    return {tensor(result, float64)};
  }
};
Tensor by_hand(const Tensor& x) {
  Tensor y = x.detach() * x.detach();
  if (auto* node = record<ByHand>(y, {&x}, Where::current())) node->x = node->save(x);
  return y;
}
Tensor ByHand::forward(const Inputs& given) const {
  return by_hand(given[0]);
}

TEST(Cell, OfACustomOpNeedsNothingFromIt) {
  const Tensor x = tensor({3.0, 4.0}, float64).requires_grad_().set_name("x");
  const auto program = [&] { by_hand(x).set_name("y").sum().backward(); };
  EXPECT_THAT(terms(answer({"c", "cell y[1]"}, program), "comes from"), ElementsAre("4 8 x[1]"));
  EXPECT_THAT(terms(answer({"c", "cell x.grad[1]"}, program), "comes from"), ElementsAre("1 8 y.grad[1]"));
}

// y = x^2 with half of its derivative.
struct Halved final : Node {
  static constexpr OpText text{"halved", "y = x^2", "dx = dy * x"};
  Saved x;
  Tensor forward(const Inputs& given) const override;
  Grads backward(const Tensor& dy) override { return {dy * use(x)}; }
};
Tensor halved(const Tensor& x) {
  Tensor y = x.detach() * x.detach();
  if (auto* node = record<Halved>(y, {&x}, Where::current())) node->x = node->save(x);
  return y;
}
Tensor Halved::forward(const Inputs& given) const {
  return halved(given[0]);
}

TEST(Jac, ShowsWhatTheForwardSaysIfTheBackwardIsWrong) {
  const Tensor x = tensor({3.0, 4.0}, float64).requires_grad_().set_name("x");
  const auto program = [&] { halved(x).set_name("y").sum().backward(); };
  const std::string text = answer({"c", "jac y"}, program);
  EXPECT_THAT(text, HasSubstr("    y[0]                 3          0\n"));
  EXPECT_THAT(text, HasSubstr("its backward is wrong: finite differences of its forward give\n"));
  EXPECT_THAT(text, HasSubstr("    y[0]                 6          0\n"));
  EXPECT_THAT(in_chain({"c", "jac y2"}), Not(HasSubstr("wrong")));
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

TEST(Why, FollowsTheLargestPathsAndTheirShares) {
  const Tensor x = tensor({2.0}, float64).requires_grad_().set_name("x");
  const auto program = [&] { (x * 30.0 + x.tanh() * 5.0 + x * x).sum().backward(); };
  const std::string text = answer({"c", "why x[0]"}, program);
  EXPECT_THAT(text, HasSubstr("x[0].grad = 34.35\n  1. 30 = 87.3% by\n"));
  EXPECT_THAT(text, HasSubstr("  2. 2 = 5.8% by\n"));
  EXPECT_THAT(text, HasSubstr("3 paths shown, together 34 = 99.0%\n"));
}

TEST(Why, ShowsPathsThatCancelFirst) {
  const Tensor x = tensor({1.0}, float64).requires_grad_().set_name("x");
  const auto program = [&] {
    const Tensor u = (x * 1.0).set_name("u");  // 0.1 flows through it in all: 10 and -9.9
    (x * 3.0 + x * 2.0 + x * 1.5 + (u * 10.0 - u * 9.9)).sum().backward();
  };
  const std::string text = answer({"c", "why x[0]"}, program);
  EXPECT_THAT(text, HasSubstr("  1. 10 = 151.5% by\n"));
  EXPECT_THAT(text, HasSubstr("  2. -9.9 = -150.0% by\n"));
  EXPECT_THAT(text, HasSubstr("  3. 3 = 45.5% by\n"));
}

TEST(Why, GroupsManyUsesByPlaceAndSaysThatTheyCancel) {
  const Tensor w = tensor({1.0}, float64).requires_grad_().set_name("w");
  const auto program = [&] {
    Tensor sum = w * 0.0;
    for (int i = 0; i < 50; ++i) sum = sum + mul(w, Operand(10.0 + i, Where::current("plus.cpp", 1)));
    for (int i = 0; i < 50; ++i) sum = sum + mul(w, Operand(-9.9 - i, Where::current("minus.cpp", 2)));
    sum.sum().backward();
  };
  const std::string why = answer({"c", "why w[0]"}, program);
  EXPECT_THAT(why, HasSubstr("50 by mul at plus.cpp:1\n"));
  EXPECT_THAT(why, HasSubstr("50 by mul at minus.cpp:2\n"));
  EXPECT_LT(why.find("plus.cpp:1\n"), why.find("minus.cpp:2\n"));
  EXPECT_THAT(why, HasSubstr("they cancel: 1725 and -1720 make 5\n"));
  const std::string contrib = answer({"c", "contrib w[0]"}, program);
  EXPECT_THAT(contrib, HasSubstr("101 contributions, by place; `contrib w[0] all` lists them\n"));
  EXPECT_THAT(contrib, HasSubstr("101 contributions: added in this order they are exactly, bit for bit, the gradient"));
  EXPECT_LT(count(contrib, "\n"), 20) << contrib;
  EXPECT_GT(count(answer({"c", "contrib w[0] all"}, program), "\n"), 100);
}

TEST(Why, ShowsWhatIsKnownOfAPathThatIsTooLong) {
  const Tensor x = tensor({1.0}).requires_grad_().set_name("x");
  const auto program = [&] {
    Tensor y = x;
    for (int i = 0; i < 21'000; ++i) y = y * 1.0;
    y.sum().backward();
  };
  const std::string text = answer({"c", "why x[0]"}, program);
  EXPECT_THAT(text, HasSubstr("1. 1 = 100.0% by\n       the loss, by a way too long to be followed to its end\n"));
  EXPECT_THAT(text, HasSubstr("1 path shown, together 1 = 100.0%\n"));
}

TEST(Bump, HasTheSlopeOfTheGradient) {
  const Tensor x = tensor({0.3, -0.7}, float64).requires_grad_().set_name("x");
  const auto program = [&] { (x.tanh() * x).sum().backward(); };
  const std::string text = answer({"c", "bump x[1]"}, program);
  const std::vector<std::string> numbers = fixtures::matches(text, "(?:slope   |gradient) (-?[0-9.]+)");
  ASSERT_EQ(numbers.size(), 2u) << text;
  EXPECT_EQ(numbers[0], numbers[1]);
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

TEST(Bump, DoesNotCallALostMoveASlopeOfZero) {
  const Tensor x = tensor({1.0}, float64).requires_grad_().set_name("x");
  const auto program = [&] { (x * 1e-3 + 1e16).sum().backward(); };
  EXPECT_THAT(answer({"c", "bump x[0]"}, program), HasSubstr("slope    not known: the change is lost in the rounding"));
}

// A wrong derivative planted from outside is found where one stands.
class Doubler : public ForwardingObserver {
 public:
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = ForwardingObserver::run(node, dy);
    if (std::string(node.name()) == "tanh") gradients[0] = gradients[0] * 2.0;
    return gradients;
  }
};

TEST(Check, FindsAWrongDerivative) {
  Doubler doubler;
  const ObserverGuard guard(doubler);
  const std::string text = answer({"c", "check y2"}, Chain());
  EXPECT_THAT(text, HasSubstr("FAIL: %"));
  EXPECT_THAT(text, HasSubstr("2 elements, 2 wrong"));
}

}  // namespace debugger_test
