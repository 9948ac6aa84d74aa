// Names of tensors: what the instruments call a tensor is the variable that this file assigns it to, and nothing else.

#include "autograd/debug/variables.h"

#include <autograd/autograd.h>
#include <gtest/gtest.h>
#include <nn/nn.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "autograd/debug/recording.h"

namespace variables_test {

using namespace autograd;
using debug::Recording;
using debug::Statement;

// What it is called once a pass has begun.
std::string called(const Tensor& tensor) {
  const std::string name = debug::label(*gradient_node(tensor));
  return name[0] == '%' ? "" : name;
}

Tensor twice(const Tensor& x) {
  return x + x;
}

// Its ops have the line of the caller.
Tensor steps_of(const Tensor& x, Where where = Where::current()) {
  const CompositeGuard composite("steps_of", where);
  Tensor h = x;
  for (int t = 0; t < 3; ++t) {
    const StepScope step(t);
    h = h * 2.0;
  }
  return h + 1.0;
}

TEST(Variables, AreThoseOfTheProgram) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor x = tensor({0.5, -1, 2}).requires_grad_();
  Tensor w = ones({3});
  w.requires_grad_();
  const Tensor named = (x * w).set_name("by hand");
  const Tensor s = x * x + w;
  // clang-format off
  const Tensor total =
      s.exp()
          .sum();
  const auto [values, places] = topk(s, 2);
  const auto [first, second] = std::pair(s * 2.0, s * 3.0);
  const Tensor passed = twice(x - w);
  Tensor h = x;
  for (int t = 0; t < 3; ++t) h = tanh(h * w);
  Tensor a = x * 2.0; Tensor b = a * w;
  // clang-format on
  const Tensor softened = log_softmax(nn::Linear({.in_features = 3, .out_features = 3})(x), 0);
  const Tensor stepped = steps_of(x);
  (stepped.sum() + named.sum() + total + values.sum() + first.sum() + second.sum() + passed.sum() + h.sum() + b.sum() +
   softened.sum())
      .backward();

  EXPECT_EQ(called(x), "x");
  EXPECT_EQ(called(w), "w");
  EXPECT_EQ(called(named), "by hand");
  EXPECT_EQ(called(s), "s");
  EXPECT_EQ(called(total), "total");
  EXPECT_EQ(called(values), "values");
  EXPECT_EQ(called(first) + called(second), "");  // either may have been computed first
  EXPECT_EQ(called(passed), "");                  // the op is in twice(), and what it was given is not `passed`
  EXPECT_EQ(called(h), "h");
  EXPECT_EQ(called(a) + called(b), "");  // two statements in one line
  EXPECT_EQ(called(softened), "softened");

  const auto calls_named = [&](const char* name) {
    return std::count_if(recording.calls().begin(), recording.calls().end(),
                         [&](const auto& entry) { return debug::label(*entry.second.node) == name; });
  };
  EXPECT_EQ(calls_named("s"), 1);  // not x * x
  EXPECT_EQ(calls_named("total"), 1);
  EXPECT_EQ(calls_named("passed"), 0);  // not x - w
  EXPECT_EQ(calls_named("h"), 3);       // each round's, and not h * w
  EXPECT_EQ(calls_named("softened"), 1);
  EXPECT_EQ(calls_named("stepped"), 1);  // not h at each step
}

TEST(Variables, AreGivenToWhatModulesReturn) {
  Recording recording;
  const ObserverGuard attached(recording);
  const nn::Linear layer({.in_features = 3, .out_features = 3});
  const nn::GRUCell cell({.input_size = 3, .hidden_size = 3});
  const nn::AdditiveAttention attention({.decoder_dim = 3, .encoder_dim = 3, .attention_dim = 2});
  const Tensor x = randn({2, 3}).requires_grad_();
  const Tensor y = layer(x * x);
  const Tensor around = tanh(layer(x)).sum();
  const Tensor nested = layer(layer(x));
  const Tensor passed = twice(layer(x));
  std::vector<Tensor> states;
  Tensor state = zeros({2, 3});
  for (int t = 0; t < 3; ++t) {
    state = cell(x, state);
    states.push_back(state);
  }
  const auto [context, weights] = attention(x, x.unsqueeze(1));
  (y.sum() + around + nested.sum() + passed.sum() + state.sum() + context.sum()).backward();

  EXPECT_EQ(called(x), "x");
  EXPECT_EQ(called(y), "y");
  EXPECT_EQ(called(around), "around");
  EXPECT_EQ(called(passed), "");
  for (const Tensor& each : states) EXPECT_EQ(called(each), "state");
  const auto calls_named = [&](const char* name) {
    return std::count_if(recording.calls().begin(), recording.calls().end(),
                         [&](const auto& entry) { return debug::label(*entry.second.node) == name; });
  };
  EXPECT_EQ(calls_named("y"), 1);       // not x * x
  EXPECT_EQ(calls_named("passed"), 0);  // not what layer made of x
}

struct Line {
  const char* text;
  std::vector<std::string> names;
  const char* call = "";
  std::size_t operations = 0;
};

TEST(Variables, AreReadFromStatements) {
  const Line lines[] = {
      {"const Tensor s = x * x;", {"s"}, "", 1},
      {"this->h = tanh(x);", {"h"}, "tanh", 1},
      {"state.h = autograd::tanh(state.h);", {"state.h"}, "tanh", 1},
      {"auto [c, w] = attention(q, keys);", {"c", "w"}, "attention", 1},
      {"const Tensor h = encoder->forward(x);", {"h"}, "forward", 1},
      {"for (int i = 0; i < 3; ++i) h = h.matmul(w) + 1'000;", {"h"}, "", 2},
      {"if (t > 0) h = -h;", {"h"}, "", 1},
      {"if (x.sum().item() > 0) y = x * 2;", {}},
      {"hs[t] = tanh(x);", {}},
      {"Tensor a = x * 2, b = x * 3;", {}},
      {"Tensor a = x * 2; Tensor b = x * 3;", {}},
      {"const Tensor y = x;", {}},
      {"const auto f = [&](const Tensor& x) { return x * 2; };", {}},
      {"const Tensor y = f(\"a = b; {\", 'c', {{1, 2}, {3, 4}});  // = z", {"y"}, "f", 1},
      {"return x * x;", {}},
      {"y += x * x;", {}},
      {"if (a == b) c = d <= e ? x.exp() : x;", {"c"}, "", 1},
  };
  std::vector<std::string> source = {"#define f(x) y = x", "int main() {"};
  for (const Line& line : lines) source.push_back(line.text);
  source.insert(source.end(), {"/* not = this; */ const Tensor last =", "", "x  // nor = that;", "+ x;", "}"});
  const debug::Assignments found = debug::assignments_in(source);
  for (std::size_t i = 0; i < std::size(lines); ++i) {
    const Statement* statement = found.at(static_cast<int>(i) + 3);
    ASSERT_TRUE(statement) << lines[i].text;
    EXPECT_EQ(statement->names, lines[i].names) << lines[i].text;
    if (lines[i].names.empty()) continue;
    EXPECT_EQ(statement->call, lines[i].call) << lines[i].text;
    EXPECT_EQ(statement->operations, lines[i].operations) << lines[i].text;
  }
  EXPECT_EQ(found.at(static_cast<int>(source.size()) - 1)->names, std::vector<std::string>{"last"});
  EXPECT_FALSE(found.at(1000));
}

}  // namespace variables_test
