// What the debugger says, word for word (tests/golden/debugger.txt); what it does is in debugger_test.cpp.

#include <gtest/gtest.h>

#include <cmath>

#include "autograd/debug/step/terminal_debugger.h"
#include "autograd/text/printable.h"
#include "tests/autograd/debug/debugger_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"

namespace debugger_answers_test {

using namespace autograd;
using fixtures::Chain;

using Script = std::vector<std::string>;
using Program = std::function<void()>;

// Numbers of ops are left out, with the spaces that make up for them, and last bits.
std::string answer(const Script& script, const Program& program) {
  const std::string numbered = fixtures::replace(fixtures::answer(script, program), "%[0-9]+", "%N");
  const std::string text = fixtures::replace(numbered, R"((\.cpp:\d+|\(leaf\))  +)", "$1  ");
  return fixtures::replace(fixtures::replace(text, "(±|\\+-) [0-9.e+-]+", "$1 E"), "([0-9]{4})[0-9]{6,}", "$1..");
}

class Said {
 public:
  void answer_to(const Script& script, const Program& program) {
    for (const std::string& line : script) text_ += (&line == script.data() ? "> " : "; ") + printable(line);
    text_ += "\n" + answer(script, program);
  }
  void in_chain(const std::vector<Script>& scripts) {
    for (const Script& script : scripts) answer_to(script, Chain());
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void say_numbers_lists_and_settings(Said& said) {
  said.in_chain({{"print W"}, {"p W[0,1]"}, {"p W[-1,-1]"}, {"p W[:,0]"}, {"p W[1]"}, {"p W[1][2]"}});
  said.in_chain(
      {{"p/x W[0]"}, {"p/x W"}, {"set elements 2", "p/x W"}, {"set elements 2", "p W"}, {"p/s W"}, {"p/h W"}});
  said.in_chain({{"p loss"}, {"p dy"}, {"p dx0"}, {"s", "b tanh", "back", "p dx0"}, {"p h.grad"}});
  said.in_chain({{"until tanh", "p y2.grad"}, {"set precision 1", "p W[0]"}, {"display/s dy", "s"}});
  said.in_chain(
      {{"display dy", "undisplay 1", "info display"}, {"break tanh", "c", "info b"}, {"break tanh", "delete"}});
  said.in_chain({{"break tanh"}, {"break h", "c"}, {"break norm>1.5", "c"}, {"until norm > 1e9"}});
  said.in_chain({{"watch h.grad", "c", "c", "rc"}, {"info nodes"}, {"info nodes tanh"}, {"info leaves"}});
  said.in_chain({{"s", "info locals"}, {"info names"}, {"info modules"}, {"info ops"}, {"info pass"}, {"where"}});
  said.in_chain({{"info passes", "c", "info passes"}});
  said.in_chain({{"graph y2"}, {"until tanh", "formula [1,0]"}, {"until h", "formula [1,2]"}});
  said.in_chain({{"formula W"}, {"formula y2"}, {"why W[0,0]"}, {"c", "bump W[0,0] 0.001"}, {"set"}, {"help ste"}});
  said.in_chain({{"c"}, {"quit"}, {"kill"}});
}

void refuse(Said& said) {
  said.in_chain({{"p W[0:1][0]"},
                 {"p W[0]x[1]"},
                 {"p W[0,0,0]"},
                 {"p/q W"},
                 {"p x7"},
                 {"step 0"},
                 {"continue 3"},
                 {"finish"},
                 {"c", "rc", "step 4", "until h"},
                 {"until softmax"},
                 {"until tanh", "until tanh"},
                 {"delete 9"},
                 {"enable 3"},
                 {"watch dy"},
                 {"display foo"},
                 {"undisplay 4"},
                 {"info"},
                 {"info x"},
                 {"info n"},
                 {"list W"},
                 {"graph tanh"},
                 {"html"},
                 {"html /dev/full"},
                 {"until tanh", "formula [5,0]"},
                 {"formula [0:1,0]"},
                 {"check y2"},
                 {"why W"},
                 {"cell"},
                 {"bump W"},
                 {"bump W[0,0] 0"},
                 {"bump W[0,0] 1e-20"},
                 {"source"},
                 {"source /dev/zero"},
                 {"set colour red"},
                 {"set stop-at noon"},
                 {"help nothing"},
                 {"c", "info locals"},
                 {"c", "p dy"}});
}

void look_at_places(Said& said) {
  const auto two_steps = [] {
    Tensor h = tensor({0.5, -0.25}, float64).requires_grad_();
    for (int t = 0; t < 2; ++t) {
      const StepScope step(t);
      h = tanh(h, Where::current("steps.cpp", 1));
    }
    h.sum({}, false, Where::current("steps.cpp", 2)).backward();
  };
  said.answer_to({"break step 0"}, two_steps);
  said.answer_to({"step 2", "break step 1"}, two_steps);  // none is ahead
  said.answer_to({"break nan", "c"}, [] {
    const Tensor x = tensor({1.0, 0.0, 4.0}).requires_grad_().set_name("x");
    (sqrt(x, Where::current("nan.cpp", 1)) * tensor({1.0, 0.0, 1.0})).sum().backward();
  });
}

void look_at_odd_tensors(Said& said) {
  const Tensor table = tensor({{1.0, 2.0}, {3.0, 4.0}}).requires_grad_().set_name("table");
  const Tensor scalar = tensor(2.0).requires_grad_().set_name("scalar");
  const Tensor none = zeros({0, 3}).requires_grad_().set_name("none");
  const Tensor factor = tensor({3.0, 1.0}).set_name("factor");
  const auto program = [&] { ((embedding(table, ids({1, 0})) * factor).sum() * scalar + none.sum()).backward(); };
  for (const char* command : {"p factor", "p factor.grad", "p scalar", "p none", "p/h none", "p/s none", "p/x none",
                              "p none[0,0]", "bump none[0,0]"}) {
    said.answer_to({command}, program);
  }
  said.answer_to({"until embedding", "info locals"}, program);
  said.answer_to({"c", "p none.grad"}, program);
}

// Escape sequences, and characters that turn the reading direction.
void look_at_odd_names(Said& said) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_().set_name("<b>\x1b[31m\n[x y]");
  const Tensor turning = tensor({1.0, 2.0}).requires_grad_().set_name("a\u202Eb\xFF\u00E9");
  const auto program = [&] { (x * x * turning).sum().backward(); };
  for (const char* command : {"info names", "p \"<b>\\x1b[31m\\x0a[x y]\"[1]", "nope\x1b\x07"}) {
    said.answer_to({command}, program);
  }
}

void look_at_cells(Said& said) {
  said.in_chain({{"c", "cell h[1,0]"}, {"c", "cell y2[1,0]"}, {"cell h.grad[0,0]"}});
  const Tensor b = tensor({10.0, 20.0}, float64).requires_grad_().set_name("b");
  const auto broadcast = [&] {
    const Tensor y = add(tensor({{1.0, 2.0}, {3.0, 5.0}}, float64), Operand(b, Where::current("broadcast.cpp", 1)));
    y.set_name("y").sum().backward();
  };
  said.answer_to({"c", "cell b.grad[1]"}, broadcast);
  said.answer_to({"c", "cell b.grad[1]"}, broadcast);  // with what the first pass left in b.grad()
  const Chain hooked;
  hooked.W.register_hook([](const Tensor& gradient) { return gradient * 0.0; });
  said.answer_to({"c", "cell W.grad[0,0]"}, [&] { hooked(); });
  const Tensor many = arange(1, 101, 1, float64).requires_grad_().set_name("x");
  said.answer_to({"c", "cell loss"}, [&] { many.sum({}, false, Where::current("many.cpp", 1)).backward(); });
  // Many uses are grouped by place.
  said.answer_to({"c", "cell w.grad[0]"}, [] {
    const Tensor w = tensor({1.0}, float64).requires_grad_().set_name("w");
    Tensor sum = mul(w, Operand(0.0, Where::current("zero.cpp", 1)));
    for (int i = 0; i < 50; ++i) sum = sum + mul(w, Operand(10.0 + i, Where::current("plus.cpp", 1)));
    for (int i = 0; i < 50; ++i) sum = sum + mul(w, Operand(-9.5 - i, Where::current("minus.cpp", 2)));
    sum.sum().backward();
  });
}

void look_at_paths(Said& said) {
  const Tensor x = tensor({2.0}, float64).requires_grad_().set_name("x");
  said.answer_to({"c", "why x[0]"}, [&] { (x * 30.0 + x.tanh() * 5.0 + x * x).sum().backward(); });
  said.answer_to({"c", "why x[0]"}, [&] {
    const Tensor u = (x * 1.0).set_name("u");  // 0.1 flows through it in all: 10 and -9.9, the largest paths
    (x * 3.0 + x * 2.0 + x * 1.5 + (u * 10.0 - u * 9.9)).sum().backward();
  });
  said.answer_to({"c", "why x[0]"}, [&] {  // too long to be followed to its end
    Tensor y = x;
    for (int i = 0; i < 21'000; ++i) y = y * 1.0;
    y.sum().backward();
  });
}

// A wrong derivative planted from outside is found where one stands.
class Doubler : public Observer {
 public:
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = Observer::run(node, dy);
    if (std::string(node.name()) == "tanh") gradients[0] = gradients[0] * 2.0;
    return gradients;
  }
};

void look_at_derivatives(Said& said) {
  const Tensor x = tensor({1.0, 3.0, 2.0}, float64).requires_grad_().set_name("x");
  said.answer_to({"formula"}, [&] {
    softmax(x, 0, Where::current("softmax.cpp", 1)).backward(tensor({2.0, 0.5, -1.0}, float64));
  });
  const Tensor one = tensor({1.0}, float64).requires_grad_().set_name("x");
  said.answer_to({"c", "bump x[0]"}, [&] { (one * 1e-3 + 1e16).sum().backward(); });  // lost in rounding
  Doubler doubler;
  const ObserverGuard guard(doubler);
  said.in_chain({{"c", "check y2"}});
}

TEST(Answers, AreAsTheyWere) {
  Said said;
  for (const auto part : {say_numbers_lists_and_settings, refuse, look_at_places, look_at_odd_tensors,
                          look_at_odd_names, look_at_cells, look_at_paths, look_at_derivatives}) {
    part(said);
  }
  for (const char c : said.text()) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t');
  EXPECT_TRUE(fixtures::is_golden("debugger", said.text()));
}

}  // namespace debugger_answers_test
