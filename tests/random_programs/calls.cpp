#include "calls.h"

#include <autograd/tensor/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "chance.h"

namespace random_programs {

bool shares_memory(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.impl()->storage == b.impl()->storage;
}

namespace {

class Drawing : public Chance {
 public:
  Drawing(const Word& word, std::uint64_t seed) : Chance(seed), call_{word} {
    call_.step.word = word.name;
    floating_ = chance(85) ? autograd::float64 : autograd::float32;
    for (std::int64_t i = below(4); i > 0; --i) any_.push_back(chance(6) ? 0 : 1 + below(4));
    for (const Arg& arg : word.args) draw(arg);
  }
  const Call& call() const { return call_; }

 private:
  void draw(const Arg& arg);
  void give(const Tensor& x);
  void say(std::int64_t number) { call_.step.numbers.push_back(number); }

  std::int64_t strange();
  double strange_number();
  std::int64_t integer(const Arg& arg);
  double real(const Arg& arg);
  std::vector<std::int64_t> list(const Arg& arg);

  std::int64_t size(char letter);
  Shape shape_of(const std::string& layout);  // sometimes another one
  Tensor make(const Shape& shape, DType dtype);
  Tensor laid_out(const Tensor& x);
  Tensor tensor(const std::string& layout);
  Tensor operand();
  Tensor changeable(const std::string& layout);
  Tensor indices(const Arg& arg);

  Call call_;
  DType floating_;
  Sizes sizes_;
  Shape any_;  // of "*"
};

void Drawing::draw(const Arg& arg) {
  if (arg.may_be_missing && chance(50)) return give(Tensor());
  switch (arg.is) {
    case Arg::tensor: return give(tensor(arg.layout));
    case Arg::operand: return give(operand());
    case Arg::constant: return give(laid_out(make(shape_of(arg.layout), floating_)));
    case Arg::mask:
      return give(laid_out(make(shape_of(arg.layout), chance(95) ? autograd::boolean : autograd::float64)));
    case Arg::indices: return give(indices(arg));
    case Arg::tensors:
      for (std::int64_t i = chance(5) ? 0 : 1 + below(3); i > 0; --i) give(tensor(arg.layout));
      return;
    case Arg::changeable: return give(changeable(arg.layout));
    case Arg::integer:
    case Arg::dim: return say(integer(arg));
    case Arg::choice: return say(below(std::stoll(arg.layout)));
    case Arg::floating: return say(chance(95) ? static_cast<std::int64_t>(floating_) : below(4));
    case Arg::list: call_.step.list = list(arg); return;
    case Arg::real: call_.step.reals.push_back(real(arg));
  }
}

void Drawing::give(const Tensor& x) {
  call_.step.operands.push_back(x.defined() ? static_cast<int>(call_.tensors.size()) : Step::none);
  call_.tensors.push_back(x);
  call_.before.push_back(x.defined() ? Call::State{x.to_vector(), x.impl()->storage->version} : Call::State{});
}

// ---- numbers ---------------------------------------------------------------------------------------------------------

std::int64_t Drawing::strange() {
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int64_t>::max();
  const std::int64_t huge = std::int64_t{1} << 62;
  // (What is large but might fit into some memory is not among them.)
  return one_of<std::int64_t>(
      {low, low + 1, -huge, -9, -3, -1, 0, 7, 9, 1'000, std::int64_t{1} << 47, huge, high - 1, high});
}

double Drawing::strange_number() {
  call_.is_ordinary = false;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return one_of<double>({infinity, -infinity, std::nan(""), 1e308, -1e308, 5e-324, 1e40});
}

std::int64_t Drawing::integer(const Arg& arg) {
  if (chance(8)) return strange();
  return arg.layout.empty() ? between(std::llround(arg.low), std::llround(arg.high)) : size(arg.layout[0]);
}

double Drawing::real(const Arg& arg) {
  // Of 1024 steps: what a comparison finds equal to the thousandths of a tensor is so in float32 too.
  return chance(6) ? strange_number() : arg.low + (arg.high - arg.low) * static_cast<double>(below(1025)) / 1024.0;
}

std::vector<std::int64_t> Drawing::list(const Arg& arg) {
  if (!arg.layout.empty()) {
    const Shape shape = shape_of(arg.layout);
    return {shape.begin(), shape.end()};
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(chance(2) ? 9 : below(4)));
  for (std::int64_t& value : values) value = integer(arg);
  return values;
}

// ---- tensors ---------------------------------------------------------------------------------------------------------

std::int64_t Drawing::size(char letter) {
  return size_of_letter(letter, sizes_, [&] { return chance(4) ? 0 : 1 + below(4); });
}

Shape Drawing::shape_of(const std::string& layout) {
  Shape shape = any_;
  if (layout != "*") shape = shape_of_layout(layout, sizes_, [&] { return chance(4) ? 0 : 1 + below(4); });
  if (!chance(8)) return shape;
  switch (below(4)) {
    case 0: shape.truncate(static_cast<int>(below(shape.dim() + 1))); break;
    case 1: shape.insert(static_cast<int>(below(shape.dim() + 1)), 1 + below(2)); break;
    case 2:
      if (shape.dim() > 0) shape[below(shape.dim())] = below(5);
      break;
    default: shape = Shape();
  }
  return shape;
}

Tensor Drawing::make(const Shape& shape, DType dtype) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  const bool is_strange = chance(5);
  for (double& value : values) {
    value = is_strange && chance(30) ? strange_number() : static_cast<double>(below(4001) - 2000) / 1000.0;
    if (dtype == autograd::boolean) value = value > 0.0;
    if (dtype == autograd::int64) value = static_cast<double>(below(5));
  }
  return autograd::from_vector(values, shape, dtype);
}

// The same values, or some of them, in another layout of memory.
Tensor Drawing::laid_out(const Tensor& x) {
  if (x.dim() == 0 || !chance(20)) return x;
  const std::int64_t last = x.dim() - 1;
  switch (below(3)) {
    case 0: return x.transpose(0, last).clone().transpose(0, last);
    case 1: {
      const std::int64_t dim = below(x.dim());
      return x.size(dim) == 0 ? x : x.narrow(dim, 0, 1).expand(x.shape());
    }
    default: return autograd::cat({x, x}, last).narrow(last, x.size(-1), x.size(-1));
  }
}

Tensor Drawing::tensor(const std::string& layout) {
  if (chance(2)) return Tensor();
  if (chance(8) && !call_.tensors.empty()) {
    const Tensor& x = one_of(call_.tensors);
    if (x.defined()) return chance(50) ? x : x.detach();
  }
  const DType dtype = chance(93) ? floating_ : one_of<DType>({autograd::float32, autograd::int64, autograd::boolean});
  const Tensor x = laid_out(make(shape_of(layout), dtype));
  if (!chance(60) || !autograd::is_floating(x.dtype())) return x;
  return chance(30) ? x.requires_grad_() + 0.0 : x.requires_grad_();
}

Tensor Drawing::operand() {
  const Shape before = any_;
  for (int i = 0; i < any_.dim(); ++i) {
    if (chance(20)) any_[i] = 1;
  }
  if (any_.dim() > 0 && chance(20)) any_.erase(0);
  const Tensor x = tensor("*");
  any_ = before;
  return x;
}

Tensor Drawing::changeable(const std::string& layout) {
  const Tensor plain = make(shape_of(layout), floating_);
  const Tensor x = chance(75) ? plain : laid_out(plain);
  const std::int64_t kind = below(10);
  if (kind == 0) return Tensor();
  if (kind > 4) return x;
  return kind == 1 ? x.requires_grad_() : x.requires_grad_() + 0.0;
}

Tensor Drawing::indices(const Arg& arg) {
  const Shape shape = shape_of(arg.layout);
  const std::int64_t bound = std::isdigit(arg.bound[0]) ? std::stoll(arg.bound) : size(arg.bound[0]);
  std::vector<std::int64_t> values(static_cast<std::size_t>(shape.numel()));
  const bool is_strange = chance(10);
  for (std::int64_t& value : values) {
    value = is_strange && chance(30) ? strange() : below(std::max<std::int64_t>(bound, 1));
  }
  const Tensor x = laid_out(autograd::ids(values, shape));
  return chance(4) ? x.to(autograd::float64) : x;
}

std::string described(const Tensor& x) {
  std::string text = fmt::format("{} {}", x.dtype(), x.shape());
  if (!x.is_contiguous()) text += fmt::format(" strides {}", x.strides());
  if (x.requires_grad()) text += x.is_leaf() ? " leaf" : " recorded";
  return text;
}

}  // namespace

Call random_call(const Word& word, std::uint64_t seed) {
  return Drawing(word, seed).call();
}

std::string as_text(const Call& call) {
  std::string text;
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const Tensor& x = call.tensors[i];
    if (!x.defined()) continue;
    text += fmt::format("v{}: {}", i, described(x));
    for (std::size_t j = 0; j < i; ++j) {
      if (shares_memory(call.tensors[j], x)) text += fmt::format(" on the memory of v{}", j);
    }
    text += "\n";
  }
  return text + call_text(call.step);
}

}  // namespace random_programs
