// The debugger stopped in the forward pass, where an instrument has found something: every command answers for what has
// been computed, or says that there is no backward pass yet.

#include <gtest/gtest.h>

#include <cmath>

#include "autograd/debug/finding.h"
#include "autograd/debug/step/commands.h"
#include "tests/autograd/debug/debugger_fixture.h"
#include "tests/support/pattern.h"

namespace debugger_forward_test {

using namespace autograd;

// Finds something at the first op of this name, as BACKSTEP=nan does: while the op is put on the tape.
class Finder : public Observer {
 public:
  explicit Finder(std::string op) : op_(std::move(op)) {}
  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    Observer::recorded(node, inputs, output);
    if (op_ == node.name()) {
      debug::tell(debug::finding_at(node, debug::Finding::Kind::not_finite, "found"), &node, "found");
    }
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
      {"graph", {"", "h 3"}, {}},
      {"formula", {"", "[1,1]", "h", "h [0,1]"}, {}},
      {"cell", {"h[0,0]", "x[0,1]", "y[0,1]"}, {"h.grad[0,0]", "x.grad[0,1] all"}},
      {"why", {}, {"x[0,0]", "loss", "h[0,0]"}},
      {"check", {}, {"", "h"}},
      {"bump", {}, {"x[0,0]", "h[0,1] 0.1"}},
      {"html", {file + "page.html"}, {}},
      {"source", {"/dev/null"}, {}},
      {"set", {"", "width 80"}, {}},
      {"directory", {""}, {}},
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

}  // namespace debugger_forward_test
