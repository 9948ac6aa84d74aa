// One element of a value or of a gradient: what it came from, to the last bit, and where it goes.

#include "autograd/debug/step/cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "autograd/tape/record.h"
#include "tests/autograd/debug/debugger_fixture.h"

namespace cell_test {

using namespace autograd;
using fixtures::Chain;
using fixtures::look_after;
using fixtures::seeded_model;
using testing::ElementsAre;

debug::Cell cell_at(const std::string& element, const debug::View& view) {
  return debug::cell_of(debug::evaluate_element(element, view), debug::evaluate(element, view).is_gradient, view);
}

debug::Cell cell_after(const std::vector<std::string>& script, const std::string& element,
                       const std::function<void()>& program) {
  debug::Cell cell;
  look_after(script, program, [&](const debug::Debugger& debugger) { cell = cell_at(element, debugger.view()); });
  return cell;
}

Tensor sum_of(const debug::Cell& cell) {
  Tensor sum;
  for (const debug::CellPart& part : cell.from) {
    const Tensor value = part.given->value.tensor();
    sum = sum.defined() ? sum + value : value;
  }
  return sum;
}

TEST(Gradient, OfAGruWeightComesFromTwelveTimeStepsWithAnExactSum) {
  const auto model = seeded_model(12);
  std::vector<std::string> places;
  Tensor sum;
  look_after({"continue"}, model, [&](const debug::Debugger& debugger) {
    const debug::Cell cell = cell_at("rnn.weight_hh_l0.grad[5,1]", debugger.view());
    for (const debug::CellPart& part : cell.from) places.push_back(scope_path(part.op->scope));
    sum = sum_of(cell);
  });
  ASSERT_EQ(places.size(), 12u);
  for (int step = 0; step < 12; ++step) EXPECT_EQ(places[11 - step], fmt::format("rnn.l0, step {}", step));
  const Tensor gradient = model.modules->rnn.named_parameters()[1].second.grad();
  EXPECT_TRUE(debug::same_bits(sum, gradient.index({5, 1})));
}

TEST(Gradient, IsTheExactSumOfItsContributionsAtEveryStep) {
  const auto model = seeded_model(12);
  std::ostringstream out;
  debug::Debugger* debugger = nullptr;
  int compared = 0;
  const auto next = [&]() -> std::optional<std::string> {
    const debug::View& view = debugger->view();
    if (!view.current()) return {};
    const std::string element = fmt::format("rnn.weight_hh_l0.grad[{},{}]", compared % 12, compared % 4);
    const debug::Cell cell = cell_at(element, view);
    if (!cell.from.empty() && cell.node->gradient.defined()) {
      EXPECT_TRUE(debug::same_bits(sum_of(cell), debug::element_of(cell.node->gradient, cell.index))) << element;
      ++compared;
    }
    return "step";
  };
  debug::StepThrough session(debug::lines_from(next), out);
  debugger = &session.debugger();
  model();
  EXPECT_GT(compared, 50);
}

TEST(Gradient, ThatHasNotArrivedIsNotZero) {
  const auto progress_after = [](const std::vector<std::string>& script, const std::string& name,
                                 const std::function<void()>& program) {
    debug::Progress progress;
    look_after(script, program, [&](const debug::Debugger& debugger) {
      progress = debugger.view().progress(debug::find_node(name, debugger.view()));
    });
    return std::pair(progress.arrived, progress.to_come);
  };
  EXPECT_EQ(progress_after({}, "W", Chain()), std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_FALSE(cell_after({}, "W.grad[0,1]", Chain()).value);
  const auto model = seeded_model(3);
  EXPECT_EQ(progress_after({}, "rnn.weight_hh_l0", model), std::pair(std::size_t{0}, std::size_t{3}));
  EXPECT_EQ(progress_after({"tbreak rnn.l0, step 2", "c", "finish"}, "rnn.weight_hh_l0", model),
            std::pair(std::size_t{1}, std::size_t{2}));
}

// "-0.5 0.25 W[1, 2]": value, slope and place of the elements on the other side of an op.
std::vector<std::string> terms(const debug::CellPart& part) {
  std::vector<std::string> texts;
  for (const debug::CellTerm& term : part.terms) {
    const std::string value = term.value ? debug::rough(*term.value) : "?";
    texts.push_back(
        fmt::format("{} {} {}{}", value, debug::rough(term.slope), term.label, debug::index_text(term.index)));
  }
  return texts;
}

std::vector<std::string> sources(const std::string& element, const std::function<void()>& program) {
  return terms(cell_after({"c"}, element, program).from.at(0));
}

TEST(Cell, OfAProductIsARowAndAColumn) {
  EXPECT_THAT(sources("h[1,0]", Chain()), ElementsAre("0.125 1 W[1, 0]", "0.75 2 W[1, 1]", "-0.5 -1 W[1, 2]",
                                                      "1 0.125 x1[0, 0]", "2 0.75 x1[1, 0]", "-1 -0.5 x1[2, 0]"));
  EXPECT_THAT(terms(cell_after({"c"}, "h[1,0]", Chain()).to.at(0)), ElementsAre("0.9719 0.05546 y2[1, 0]"));
  EXPECT_THAT(sources("W.grad[1,2]", Chain()), ElementsAre("0.1078 -1 h.grad[1, 0]"));
}

TEST(Cell, OfASoftmaxIsItsRow) {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 5.0}}, float64).requires_grad_().set_name("x");
  const auto program = [&] { softmax(x, 1).set_name("p").pow(2).sum().backward(); };
  EXPECT_THAT(sources("p[1,0]", program), ElementsAre("3 0.105 x[1, 0]", "5 -0.105 x[1, 1]"));
  const std::vector<std::string> gradient = sources("x.grad[0,1]", program);
  ASSERT_EQ(gradient.size(), 2u);
  EXPECT_THAT(gradient[0], testing::EndsWith(" p.grad[0, 0]"));
}

TEST(Cell, OfABroadcastIsWhatWasSummed) {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 5.0}}, float64).set_name("x");
  const Tensor b = tensor({10.0, 20.0}, float64).requires_grad_().set_name("b");
  const auto program = [&] { (x + b).set_name("y").pow(2).sum().backward(); };
  EXPECT_THAT(sources("b.grad[1]", program), ElementsAre("44 1 y.grad[0, 1]", "50 1 y.grad[1, 1]"));
  EXPECT_TRUE(cell_after({"c"}, "b.grad[1]", program).to.empty());  // a leaf
}

TEST(Cell, OfAGradientThatIsNotThereGoesByItsSlopes) {
  const debug::Cell cell = cell_after({}, "h.grad[0,0]", Chain());
  EXPECT_FALSE(cell.value);
  EXPECT_THAT(terms(cell.to.at(0)), ElementsAre("? 1 W.grad[0, 0]", "? 2 W.grad[0, 1]", "? -1 W.grad[0, 2]"));
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
  EXPECT_THAT(sources("y[1]", program), ElementsAre("4 8 x[1]"));
  EXPECT_THAT(sources("x.grad[1]", program), ElementsAre("1 8 y.grad[1]"));
}

}  // namespace cell_test
