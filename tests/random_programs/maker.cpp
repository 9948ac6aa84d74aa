#include "maker.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "numbers.h"
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
    for (const char* name : {"linear", "linear", "matmul", "tanh", "exp", "sigmoid", "mul_number", "softmax", "t",
                             "mean", "add", "mul", "hook_scales", "retain_grad"}) {
      some.push_back(word(name));
    }
    return some;
  }();
  return words;
}

const Words& program_words() {
  static const Words words = [] {
    Words some;
    for (const Word& one : all_words()) {
      if (one.kind != Kind::call) some.push_back(one);
    }
    return some;
  }();
  return words;
}

}  // namespace

bool Maker::try_line() {
  const Words& words = size_ == Size::large ? large_words() : program_words();
  const Word& chosen = one_of(words);
  Step step{.word = chosen.name};
  if (!(chosen.propose ? chosen.propose(*this, step) : fit(step))) return false;
  step.result = next_++;
  // (contiguous() may give its operand itself, gradient and all, as PyTorch's does.)
  const bool may_be_cut_off = !chosen.is_statement() && chosen.kind != Kind::source && chosen.name != "contiguous";
  if (may_be_cut_off && chance(4)) step.no_grad = true;
  return accept(step);
}

// Runs the line, and keeps it if its result is good. What is refused has changed nothing but, at worst, a value's
// elements: a change in place is kept whatever it gives, and a program that has become wild is thrown away at the end.
bool Maker::accept(Step step) {
  const autograd::GradModeGuard recording(!step.no_grad);
  const Result result = run_or_explain(step);
  if (result.is_several) step.piece = static_cast<int>(below(std::ssize(result.tensors)));
  const Tensor value = result.tensors.at(static_cast<std::size_t>(std::max(step.piece, 0)));
  if (!word_of(step).is_statement() && !is_good(value)) return false;
  add(step, value);
  return true;
}

// What is proposed is allowed: where it is refused, either the proposal is wrong or the engine.
Result Maker::run_or_explain(const Step& step) {
  try {
    const std::vector<Tensor> operands = operands_of(step, values_);
    return word_of(step).run({step, operands, records_});
  } catch (const autograd::Error& error) {
    Program program{steps_, step.operands};
    program.steps.push_back(step);
    throw std::runtime_error(fmt::format("refused: {}\n{}", error.what(), as_text(without_unused(program))));
  }
}

bool Maker::is_good(const Tensor& value) const {
  const std::int64_t most = size_ == Size::large ? 1'000'000 : 200;
  return value.dtype() == autograd::float64 && value.numel() <= most && value.dim() <= 6 &&
         largest_of(value) <= largest_value;
}

int Maker::add(const Step& step, const Tensor& value) {
  const Word& its_word = word_of(step);
  for (const int operand : step.operands) {
    if (operand == Step::none) continue;
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
  return add(step, word_of(step).run({step, none, records_}).tensors[0]);
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

// ---- what a word asks for ----------------------------------------------------------------------------------------

bool Maker::fit(Step& step) {
  sizes_.clear();
  const Args& args = word_of(step).args;
  return std::all_of(args.begin(), args.end(), [&](const Arg& arg) { return fit(arg, step); });
}

bool Maker::fit(const Arg& arg, Step& step) {
  const int first = step.operands.empty() ? Step::none : step.operands[0];
  const auto give = [&](std::optional<int> value) {
    if (value) step.operands.push_back(*value);
    return value.has_value();
  };
  const auto say = [](auto& list, auto number) {
    list.push_back(number);
    return true;
  };
  if (arg.may_be_missing && chance(50)) return give(Step::none);
  switch (arg.is) {
    case Arg::tensor:
      if (arg.layout != "*") return give(laid_out(arg.layout));
      return give(first == Step::none ? fitting(arg) : shaped(values_.at(first).shape()));
    case Arg::operand: return give(first == Step::none ? fitting(arg) : broadcasting_with(first, arg.fits));
    case Arg::changeable: return give(changeable());
    case Arg::mask: {
      Shape shape = values_.at(first).shape();
      if (shape.dim() > 1 && chance(20)) shape.erase(0);
      if (shape.dim() > 1 && chance(20)) shape[0] = 1;
      return give(mask(shape));
    }
    case Arg::integer: return say(step.numbers, between(std::llround(arg.low), std::llround(arg.high)));
    case Arg::choice: return say(step.numbers, below(std::stoll(arg.layout)));
    case Arg::dim: return say(step.numbers, dim_of(first));
    case Arg::list: return step.list = dims_of(first), true;
    case Arg::real: return say(step.reals, factor());
    default: return false;  // proposed by the word itself
  }
}

std::optional<int> Maker::fitting(const Arg& arg) {
  if (arg.fits) return find(arg.fits);
  return arg.low == 0 ? some() : with_dims(std::llround(arg.low));
}

int Maker::laid_out(const std::string& layout) {
  const auto found = find([&](const Tensor& x) {
    Sizes sizes = sizes_;
    return has_layout(x.shape(), layout, sizes);
  });
  if (found && !chance(10)) {
    has_layout(values_.at(*found).shape(), layout, sizes_);
    return *found;
  }
  return leaf(shape_of_layout(layout, sizes_, [&] { return size(); }));
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

int Maker::broadcasting_with(int value, bool (*fits)(const Tensor&)) {
  const Tensor& x = values_.at(value);
  Shape together;
  const auto found = find([&](const Tensor& y) {
    return autograd::broadcast_shapes(x.shape(), y.shape(), &together) && (!fits || fits(y));
  });
  if (found && !chance(15)) return *found;
  Shape shape = x.shape();
  if (shape.dim() > 0 && chance(40)) shape[below(shape.dim())] = 1;
  if (shape.dim() > 0 && chance(30)) shape.erase(0);
  return leaf(shape, fits || chance(25));
}

int Maker::leaf(const Shape& shape, bool positive) {
  const char* name = chance(85) ? "leaf" : "data";
  return add_source({.word = name, .numbers = {seed(), positive}, .list = {shape.begin(), shape.end()}});
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
  return found.empty() ? std::nullopt : std::optional(one_of(found));
}

std::optional<int> Maker::unused_leaf() {
  for (const int value : order_) {
    const bool is_leaf = kinds_.at(value) == Kind::source && values_.at(value).requires_grad();
    if (is_leaf && mentions_[value] == 0) return value;
  }
  return std::nullopt;
}

}  // namespace random_programs
