// Writes a page with every op that the page knows, and the numerical Jacobians of its ops: the truth that
// model_test.mjs holds the page's rules (cells.js) against.
//
//   write_cells FOLDER      writes cells.html and cells.json
#include <autograd/autograd.h>
#include <autograd/debug/recording.h>
#include <autograd/debug/trace/page.h>
#include <autograd/ops/op.h>
#include <fmt/core.h>

#include <fstream>
#include <string>
#include <vector>

using autograd::Tensor;
namespace debug = autograd::debug;

namespace {

// An op of one's own, for which there is no rule.
struct LearnersSquare final : autograd::Node {
  static constexpr autograd::OpText text{"learners_square", "y = x * x", "dx = dy * 2 * x"};
  autograd::Saved x;

  Tensor forward(const autograd::Inputs& in) const override { return in[0] * in[0]; }
  autograd::Grads backward(const Tensor& dy) override { return {dy * 2.0 * use(x)}; }
};

Tensor learners_square(const Tensor& x, autograd::Where where = autograd::Where::current()) {
  Tensor y;
  {
    const autograd::NoGradGuard no_grad;
    y = x * x;
  }
  if (auto* node = autograd::record<LearnersSquare>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

Tensor random(const autograd::Shape& shape) {
  return autograd::randn(shape, autograd::float64).requires_grad_();
}
Tensor positive(const autograd::Shape& shape) {
  return (autograd::rand(shape, autograd::float64) + 0.5).requires_grad_();
}

// Sizes that differ from each other, and square ones, in which a wrong dim does not show in the shape.
std::vector<Tensor> results() {
  const Tensor x = random({3, 4});
  const Tensor square = random({3, 3});
  const Tensor cube = random({2, 3, 3});
  const Tensor above = positive({3, 4});
  std::vector<Tensor> list{-x,       x.exp(), above.log(),        above.log1p(),     above.sqrt(),
                           x.sin(),  x.cos(), x.tanh(),           x.sigmoid(),       autograd::erf(x),
                           x.relu(), x.abs(), x.clamp(-0.5, 0.5), learners_square(x)};
  const Tensor row = random({4});
  const Tensor column = positive({3, 1});
  for (const Tensor& y : {x + row, x - column, x * row, x / column, above.pow(row), above.pow(2), row - x,
                          autograd::maximum(x, row), x * x}) {
    list.push_back(y);
  }
  for (const Tensor& y :
       {square.t(), cube.permute({2, 0, 1}), x.view({2, 6}), row.unsqueeze(1), column.squeeze(1), column.expand({3, 4}),
        autograd::flip(x, {1}), autograd::cat({x, above}, 1), autograd::cat({square, square}, 0), x.clone(),
        autograd::slice(x, 1, {1, 4, 2}), autograd::select(cube, 1, 2)}) {
    list.push_back(y);
  }
  const Tensor index = autograd::ids({2, 0, 2, 1});
  const Tensor mask = autograd::mask({{true, false, true, true}, {false, true, true, true}, {true, true, true, false}});
  for (const Tensor& y :
       {autograd::index_select(x, 0, index), autograd::embedding(x, index),
        autograd::gather(x, 1, autograd::ids({{3, 0}, {1, 1}, {2, 0}})), autograd::where(mask, x, row),
        autograd::masked_fill(x, mask, 2.0), autograd::masked_softmax(x, mask), autograd::dropout(x, 0.4)}) {
    list.push_back(y);
  }
  for (const Tensor& y : {square.sum(), square.sum({0}), square.sum({1}, true), cube.mean({0, 2}), cube.mean(),
                          column.sum({1}), square.amax({1}), square.max(0).values, square.min(1).values,
                          cube.logsumexp({1}), square.cumsum(0), cube.cumsum(1), square.softmax(0), square.softmax(1),
                          cube.softmax(1), square.log_softmax(0), cube.log_softmax(2)}) {
    list.push_back(y);
  }
  const Tensor b = random({4, 2});
  for (const Tensor& y :
       {x.matmul(b), cube.matmul(random({3, 2})), row.matmul(b), x.matmul(row), row.matmul(random({4})),
        cube.bmm(random({2, 3, 4})), autograd::linear(x, random({2, 4}), random({2})),
        autograd::linear(random({2, 3, 4}), random({2, 4})), autograd::mse_loss(x, above),
        autograd::mse_loss(x, above, autograd::Reduction::sum), autograd::cross_entropy(x, autograd::ids({2, 0, 1})),
        autograd::nll_loss(x, autograd::ids({2, 3, 2}), {.reduction = autograd::Reduction::none})}) {
    list.push_back(y);
  }
  return list;
}

// The change of every element of the output with every element of one input, by central differences: a row for each of
// the output's elements.
std::string jacobian(const autograd::Node& node, const autograd::Inputs& inputs, std::size_t which) {
  constexpr double h = 1e-5;
  const autograd::NoGradGuard no_grad;
  const auto run = [&](std::size_t element, double change) {
    autograd::Inputs moved = inputs;
    std::vector<double> values = inputs[which].to_vector();
    values[element] += change;
    moved[which] = autograd::from_vector(values, inputs[which].shape(), inputs[which].dtype());
    return node.forward(moved).to_vector();
  };
  const auto columns = static_cast<std::size_t>(inputs[which].numel());
  std::vector<std::string> rows(static_cast<std::size_t>(node.shape.numel()));
  for (std::size_t j = 0; j < columns; ++j) {
    const std::vector<double> right = run(j, h);
    const std::vector<double> left = run(j, -h);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double slope = right[i] == left[i] ? 0 : (right[i] - left[i]) / (2 * h);
      rows[i] += fmt::format("{}{}", j == 0 ? "" : ",", slope);
    }
  }
  std::string text;
  for (const std::string& row : rows) text += fmt::format("{}[{}]", text.empty() ? "" : ",", row);
  return "[" + text + "]";
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: write_cells FOLDER\n");
    return 2;
  }
  const std::string folder = arguments[1];
  debug::Recording recording;
  {
    const autograd::ObserverGuard guard(recording);
    autograd::manual_seed(3);
    Tensor loss = autograd::zeros({}, autograd::float64);
    for (const Tensor& y : results()) loss = loss + (y * autograd::randn(y.shape(), autograd::float64)).sum();
    loss.backward();
  }
  const debug::PassRecord& pass = *recording.last();
  debug::write_page(recording, pass, folder + "/cells.html");
  std::string text;
  for (const debug::Step& step : pass.steps) {
    if (step.node->is_leaf()) continue;
    const auto call = recording.call(*step.node);
    std::string one;
    for (std::size_t i = 0; i < call->inputs.size(); ++i) {
      if (!call->inputs[i].defined()) continue;
      one += (one.empty() ? "" : ",") + jacobian(*step.node, call->inputs, i);
    }
    text += fmt::format("{}\"{}\": [{}]", text.empty() ? "" : ",\n", step.node->number, one);
  }
  std::ofstream(folder + "/cells.json") << "{" << text << "}\n";
  return 0;
}
