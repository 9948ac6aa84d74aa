#include "maker.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "numbers.h"
#include "print.h"
#include "words.h"

namespace random_programs {
namespace {

constexpr double largest_value = 30.0;
constexpr double largest_gradient = 1e4;

bool has_small_gradients(const Program& program) {
  const Outcome outcome = run(program);
  return std::all_of(outcome.gradients.begin(), outcome.gradients.end(), [](const Tensor& gradient) {
    return !gradient.defined() || !(largest_of(gradient) > largest_gradient);
  });
}

}  // namespace

Size size_of(std::uint64_t seed) {
  return seed % 100 == 99 ? Size::large : seed % 20 == 19 ? Size::deep : Size::small;
}

Program make_program(std::uint64_t seed) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    const Program program = Maker(seed * 1000 + attempt, size_of(seed)).make();
    const bool is_something = !program.roots.empty() && program.steps.size() > 1;
    if (is_something && has_small_gradients(program)) return program;
  }
}

Program Maker::make() {
  const std::int64_t wanted = size_ == Size::deep ? between(60, 200) : size_ == Size::large ? 5 : between(3, 25);
  for (std::int64_t i = between(1, 3); i > 0; --i) leaf(shape(between(size_ == Size::large ? 2 : 0, 3)));
  for (std::int64_t tries = 0; tries < 20 * wanted && static_cast<std::int64_t>(steps_.size()) < wanted; ++tries) {
    try_line();
  }
  return without_unused({steps_, choose_roots()});
}

namespace {

// Of large tensors, what stays as large: matrices, and products that are worth several threads and packed weights.
const Words& large_words() {
  static const Words words = [] {
    Words some;
    for (const char* name : {"linear", "linear", "matmul", "tanh", "exp", "sigmoid", "scale", "softmax", "t", "mean",
                             "add", "mul", "hook_scales", "retain_grad"}) {
      some.push_back(word(name));
    }
    return some;
  }();
  return words;
}

}  // namespace

bool Maker::try_line() {
  const Words& words = size_ == Size::large ? large_words() : all_words();
  const Word& chosen = words[static_cast<std::size_t>(below(static_cast<std::int64_t>(words.size())))];
  Step step{.word = chosen.name};
  if (!chosen.propose(*this, step)) return false;
  step.result = next_++;
  // (contiguous() may give its operand itself, gradient and all, as PyTorch's does.)
  const bool may_be_cut_off = !chosen.is_statement() && chosen.kind != Kind::source && chosen.name != "contiguous";
  if (may_be_cut_off && chance(4)) step.no_grad = true;
  return accept(step);
}

// Runs the line, and keeps it if its result is good. What is refused has changed nothing but, at worst, a value's
// elements: a change in place is kept whatever it gives, and a program that has become wild is thrown away at the end.
bool Maker::accept(const Step& step) {
  const Word& its_word = word_of(step);
  std::vector<Tensor> operands;
  for (const int operand : step.operands) operands.push_back(values_.at(operand));
  const autograd::GradModeGuard recording(!step.no_grad);
  const Tensor result = run_or_explain(step, operands);
  if (!its_word.is_statement() && !is_good(result)) return false;
  add(step, result);
  return true;
}

// What is proposed is allowed: where it is refused, either the proposal is wrong or the engine.
Tensor Maker::run_or_explain(const Step& step, const std::vector<Tensor>& operands) {
  try {
    return word_of(step).run({step, operands, records_});
  } catch (const autograd::Error& error) {
    Program program{steps_, step.operands};
    program.steps.push_back(step);
    throw std::runtime_error(fmt::format("refused: {}\n{}", error.what(), as_cpp(without_unused(program))));
  }
}

bool Maker::is_good(const Tensor& value) const {
  const std::int64_t most = size_ == Size::large ? 1'000'000 : 200;
  return value.numel() <= most && value.dim() <= 6 && largest_of(value) <= largest_value;
}

int Maker::add(const Step& step, const Tensor& value) {
  const Word& its_word = word_of(step);
  for (const int operand : step.operands) {
    ++mentions_[operand];
    const bool is_changed = its_word.is_statement() && operand == step.operands[0];
    if (!is_changed && its_word.kind != Kind::adds) ++uses_[operand];
  }
  steps_.push_back(step);
  if (its_word.is_statement()) return step.result;
  values_[step.result] = value;
  kinds_[step.result] = its_word.kind;
  if (value.dtype() == autograd::float64) order_.push_back(step.result);
  return step.result;
}

int Maker::add_source(Step step) {
  step.result = next_++;
  const std::vector<Tensor> none;
  return add(step, word_of(step).run({step, none, records_}));
}

// Some of the unused values, so that most of the program counts, and sometimes one in the middle.
std::vector<int> Maker::choose_roots() {
  std::vector<int> roots;
  const bool all_hold =
      std::all_of(order_.begin(), order_.end(), [&](int value) { return is_good(values_.at(value)); });
  if (!all_hold) return roots;
  for (auto value = order_.rbegin(); value != order_.rend(); ++value) {
    const bool may_be = values_.at(*value).requires_grad() && !values_.at(*value).is_leaf();
    const bool is_end = mentions_[*value] == 0;
    if (may_be && (is_end || chance(5)) && roots.size() < 4) roots.push_back(*value);
  }
  return roots;
}

// ---- chance ------------------------------------------------------------------------------------------------------

double Maker::factor() {
  const double size = 0.25 + 0.01 * static_cast<double>(below(126));
  const double signed_size = chance(50) ? size : -size;
  return std::round(100.0 * signed_size) / 100.0;
}

std::int64_t Maker::size() {
  if (size_ == Size::large) return between(200, 400);
  return chance(1) ? 0 : chance(20) ? 1 : between(2, 4);
}

Shape Maker::shape(std::int64_t dims) {
  Shape shape;
  for (std::int64_t i = 0; i < (size_ == Size::large ? std::min<std::int64_t>(dims, 2) : dims); ++i) {
    shape.push_back(size());
  }
  return shape;
}

// ---- values ------------------------------------------------------------------------------------------------------

std::optional<int> Maker::find(const Fits& fits) {
  std::vector<int> fitting;
  for (const int value : order_) {
    if (fits(values_.at(value))) fitting.push_back(value);
  }
  if (fitting.empty()) return std::nullopt;
  const std::int64_t count = static_cast<std::int64_t>(fitting.size());
  const std::int64_t recent = std::min<std::int64_t>(count, 3);
  const std::int64_t from_end = chance(60) ? below(recent) : below(count);
  return fitting[static_cast<std::size_t>(count - 1 - from_end)];
}

int Maker::some() {
  return *find([](const Tensor&) { return true; });
}

int Maker::with_dims(std::int64_t least, std::int64_t most) {
  const auto found = find([&](const Tensor& x) { return x.dim() >= least && x.dim() <= most; });
  return found && !chance(5) ? *found : leaf(shape(between(least, std::min<std::int64_t>(most, 3))));
}

int Maker::shaped(const Shape& shape) {
  const auto found = find([&](const Tensor& x) { return x.shape() == shape; });
  return found && !chance(10) ? *found : leaf(shape);
}

int Maker::broadcasting_with(int value) {
  const Tensor& x = values_.at(value);
  Shape together;
  const auto fits = [&](const Tensor& y) { return autograd::broadcast_shapes(x.shape(), y.shape(), &together); };
  const auto found = find(fits);
  if (found && !chance(15)) return *found;
  Shape shape = x.shape();
  if (shape.dim() > 0 && chance(40)) shape[below(shape.dim())] = 1;
  if (shape.dim() > 0 && chance(30)) shape.erase(0);
  return leaf(shape);
}

std::optional<int> Maker::positive() {
  return find([](const Tensor& x) { return autograd::all(x.detach() > 0.1); });
}

std::optional<int> Maker::apart_from_zero() {
  return find([](const Tensor& x) { return autograd::all(autograd::abs(x.detach()) > 0.1); });
}

int Maker::leaf(const Shape& shape) {
  const char* name = chance(85) ? "leaf" : "data";
  return add_source({.word = name, .numbers = {seed(), chance(25)}, .list = {shape.begin(), shape.end()}});
}

int Maker::mask(const Shape& shape) {
  return add_source({.word = "mask", .numbers = {seed()}, .list = {shape.begin(), shape.end()}});
}

int Maker::integers(const Shape& shape, std::int64_t bound) {
  return add_source({.word = "integers", .numbers = {seed(), bound}, .list = {shape.begin(), shape.end()}});
}

std::int64_t Maker::dim_of(int value) {
  const std::int64_t dims = values_.at(value).dim();
  return below(2 * dims) - dims;
}

std::vector<std::int64_t> Maker::dims_of(int value) {
  std::vector<std::int64_t> dims;
  for (int dim = 0; dim < values_.at(value).dim(); ++dim) {
    if (chance(50)) dims.push_back(chance(70) ? dim : dim - values_.at(value).dim());
  }
  if (dims.empty()) dims.push_back(dim_of(value));
  return dims;
}

std::optional<int> Maker::changeable() {
  std::vector<int> found;
  for (const int value : order_) {
    const Kind kind = kinds_.at(value);
    const bool owns = kind == Kind::plain || kind == Kind::adds;
    if (owns && uses_[value] == 0) found.push_back(value);
  }
  if (found.empty()) return std::nullopt;
  return found[static_cast<std::size_t>(below(static_cast<std::int64_t>(found.size())))];
}

std::optional<int> Maker::unused_leaf() {
  for (const int value : order_) {
    const bool is_leaf = kinds_.at(value) == Kind::source && values_.at(value).requires_grad();
    if (is_leaf && mentions_[value] == 0) return value;
  }
  return std::nullopt;
}

}  // namespace random_programs
