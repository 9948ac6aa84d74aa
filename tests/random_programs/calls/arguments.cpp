#include "arguments.h"

#include <autograd/tensor/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace random_calls {

bool shares_memory(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.impl()->storage == b.impl()->storage;
}

namespace {

std::string described(const Tensor& x) {
  if (!x.defined()) return "undefined";
  std::string text = fmt::format("{} {}", x.dtype(), x.shape());
  if (!x.is_contiguous()) text += fmt::format(" strides {}", x.strides());
  if (x.requires_grad()) text += x.is_leaf() ? " leaf" : " recorded";
  return text;
}

// Never has an error: what a transposed or expanded view of any shape takes.
std::int64_t last(const Tensor& x) {
  return x.dim() - 1;
}

}  // namespace

Arguments::Arguments(std::uint64_t seed) : seed_(seed) {
  rewind();
}

void Arguments::rewind() {
  random_.seed(seed_);
  random_.discard(2);
  floating_ = chance(85) ? autograd::float64 : autograd::float32;
  sizes_.clear();
  any_ = Shape();
  for (std::int64_t i = below(4); i > 0; --i) any_.push_back(chance(6) ? 0 : 1 + below(4));
  next_ = 0;
  ordinary_ = true;
  text_.clear();
}

void Arguments::say(const std::string& what) {
  text_ += (text_.empty() ? "" : ", ") + what;
}

std::int64_t Arguments::strange() {
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int64_t>::max();
  const std::int64_t huge = std::int64_t{1} << 62;
  // (What is large but might fit into some memory is not among them.)
  return one_of<std::int64_t>(
      {low, low + 1, -huge, -9, -3, -1, 0, 7, 9, 1'000, std::int64_t{1} << 47, huge, high - 1, high});
}

double Arguments::strange_number() {
  ordinary_ = false;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return one_of<double>({infinity, -infinity, std::nan(""), 1e308, -1e308, 5e-324, 1e40});
}

// ---- tensors ---------------------------------------------------------------------------------------------------------

// Everything that is drawn for a tensor is drawn again in the second round, where the first round's tensor is given.
template <class Make> Tensor Arguments::given_again(Make&& make) {
  const Tensor made = make();
  const Tensor known = next_ < given_.size() ? given_[next_].tensor : give(made);
  const Tensor x = next_ < instead_.size() ? instead_[next_] : known;
  ++next_;
  std::string text = described(x);
  for (std::size_t i = 0; i + 1 < next_; ++i) {
    if (shares_memory(given_[i].tensor, x)) text += fmt::format(" on the memory of tensor {}", i);
  }
  say(text);
  return x;
}

Tensor Arguments::give(Tensor x) {
  Given given{x, {}, 0};
  if (x.defined()) {
    given.values = x.to_vector();
    given.version = x.impl()->storage->version;
  }
  given_.push_back(given);
  return x;
}

Shape Arguments::small_shape(const std::vector<std::int64_t>& sizes) {
  return Shape(
      std::vector<std::int64_t>(sizes.begin(), sizes.begin() + std::min<std::ptrdiff_t>(8, std::ssize(sizes))));
}

std::int64_t Arguments::size(char letter) {
  if (letter == 'G') return 3 * size('h');
  if (letter == 'L') return 4 * size('h');
  if (!sizes_.contains(letter)) sizes_[letter] = chance(4) ? 0 : 1 + below(4);
  return sizes_[letter];
}

Shape Arguments::shape_of(const std::string& layout) {
  Shape shape;
  if (layout == "*") {
    shape = any_;
  } else {
    for (const char letter : layout) shape.push_back(size(letter));
  }
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

Tensor Arguments::make(const Shape& shape, DType dtype) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  const bool is_strange = chance(5);
  for (double& value : values)
    value = is_strange && chance(30) ? strange_number() : static_cast<double>(below(4001) - 2000) / 1000.0;
  if (dtype == autograd::int64 || dtype == autograd::boolean) {
    for (double& value : values) value = dtype == autograd::boolean ? value > 0.0 : static_cast<double>(below(5));
  }
  return autograd::from_vector(values, shape, dtype);
}

// The same values, or some of them, in another layout.
Tensor Arguments::laid_out(const Tensor& x) {
  if (x.dim() == 0 || !chance(20)) return x;
  switch (below(3)) {
    case 0: return x.transpose(0, last(x)).clone().transpose(0, last(x));
    case 1: {
      const std::int64_t dim = below(x.dim());
      return x.size(dim) == 0 ? x : x.narrow(dim, 0, 1).expand(x.shape());
    }
    default: return autograd::cat({x, x}, last(x)).narrow(last(x), x.size(-1), x.size(-1));
  }
}

Tensor Arguments::tensor(const std::string& layout) {
  return given_again([&]() -> Tensor {
    const autograd::GradModeGuard recording(true);
    const Shape shape = shape_of(layout);
    const DType dtype = chance(93) ? floating_ : one_of<DType>({autograd::float32, autograd::int64, autograd::boolean});
    const Tensor x = laid_out(make(shape, dtype));
    const bool is_wanted = chance(60);
    const bool is_recorded = chance(30);
    const bool is_undefined = chance(2);
    const bool is_another = chance(8);
    const std::int64_t which = below(8);
    if (is_undefined) return Tensor();
    if (is_another && which < std::ssize(given_) && given_[static_cast<std::size_t>(which)].tensor.defined()) {
      return which % 2 ? given_[static_cast<std::size_t>(which)].tensor
                       : given_[static_cast<std::size_t>(which)].tensor.detach();
    }
    if (!is_wanted || !autograd::is_floating(x.dtype())) return x;
    const Tensor leaf = x.requires_grad_();
    return is_recorded ? leaf + 0.0 : leaf;
  });
}

Tensor Arguments::constant(const std::string& layout) {
  return given_again([&] { return laid_out(make(shape_of(layout), floating_)); });
}

Tensor Arguments::operand() {
  const Shape before = any_;
  for (int i = 0; i < any_.dim(); ++i) {
    if (chance(20)) any_[i] = 1;
  }
  if (any_.dim() > 0 && chance(20)) any_.erase(0);
  const Tensor x = tensor("*");
  any_ = before;
  return x;
}

Tensor Arguments::changeable(const std::string& layout) {
  return given_again([&]() -> Tensor {
    const Shape shape = shape_of(layout);
    const Tensor x = chance(15) ? laid_out(make(shape, floating_)) : make(shape, floating_);
    const std::int64_t kind = below(10);
    if (kind == 0) return Tensor();
    if (kind == 1) return x.requires_grad_();
    if (kind < 5) return x.requires_grad_() + 0.0;
    return x;
  });
}

Tensor Arguments::mask(const std::string& layout) {
  return given_again([&] {
    const Shape shape = shape_of(layout);
    return laid_out(make(shape, chance(95) ? autograd::boolean : autograd::float64));
  });
}

Tensor Arguments::integers(const std::string& layout, std::int64_t bound) {
  return given_again([&]() -> Tensor {
    const Shape shape = shape_of(layout);
    std::vector<std::int64_t> values(static_cast<std::size_t>(shape.numel()));
    const bool is_strange = chance(10);
    for (std::int64_t& value : values) {
      value = is_strange && chance(30) ? strange() : below(std::clamp<std::int64_t>(bound, 1, 1000));
    }
    const Tensor x = laid_out(autograd::ids(values, shape));
    return chance(4) ? x.to(autograd::float64) : x;
  });
}

std::vector<Tensor> Arguments::tensors(const std::string& layout) {
  std::vector<Tensor> list;
  for (std::int64_t i = chance(5) ? 0 : 1 + below(3); i > 0; --i) list.push_back(tensor(layout));
  return list;
}

// ---- the rest --------------------------------------------------------------------------------------------------------

std::int64_t Arguments::integer(std::int64_t low, std::int64_t high) {
  const std::int64_t value = chance(8) ? strange() : low + below(high - low + 1);
  say(std::to_string(value));
  return value;
}

std::int64_t Arguments::dim() {
  return integer(-2, 2);
}

double Arguments::real(double low, double high) {
  const double value = chance(6) ? strange_number() : low + (high - low) * static_cast<double>(below(1001)) / 1000.0;
  say(fmt::format("{}", value));
  return value;
}

std::vector<std::int64_t> Arguments::list(std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = chance(2) ? 9 : below(4); i > 0; --i) values.push_back(integer(low, high));
  say(fmt::format("({} in a list)", values.size()));
  return values;
}

autograd::Dims Arguments::dims() {
  return small_shape(list(-2, 2));
}

DType Arguments::dtype() {
  return one_of<DType>({autograd::float32, autograd::float64, autograd::int64, autograd::boolean});
}

DType Arguments::floating() {
  return chance(95) ? floating_ : dtype();
}

}  // namespace random_calls
