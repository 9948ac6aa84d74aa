#include "judge/clues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace judge {
namespace {

using Kind = Clue::Kind;

// Two values of the same shape, as plain numbers.
struct Pair {
  const Observation& yours;
  const Observation& expected;
  const ClueContext& context;
  std::vector<double> a = yours.value.to_vector();
  std::vector<double> b = expected.value.to_vector();
  double scale = largest(b);

  static double largest(const std::vector<double>& values) {
    double result = 0.0;
    for (const double value : values) {
      if (std::isfinite(value)) result = std::max(result, std::abs(value));
    }
    return result;
  }
  bool right(std::size_t i) const { return equal(a[i], b[i]); }
  int wrong_entries() const {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += right(i) ? 0 : 1;
    return count;
  }
  bool equal(double x, double y) const { return x == y || std::abs(x - y) <= expected.tolerance * scale + 1e-300; }
};

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

// A product only where no axis has the length, a square also where the value's name mentions its axis ("dx of the mean
// over batch"). Where the name mentions one, others that happen to give the length are left out.
std::vector<FactorSource> sources_of(double length, const Axes& axes, const std::string& value_name) {
  std::vector<FactorSource> found;
  const auto add_if = [&](double product, Axes of) {
    if (near(product, length)) found.push_back({std::move(of)});
  };
  const auto is_named = [&](const Axis& axis) { return value_name.find(axis.name) != std::string::npos; };
  for (const Axis& axis : axes) add_if(static_cast<double>(axis.size), {axis});
  const bool is_length = !found.empty();
  for (const Axis& axis : axes) {
    if (is_named(axis) || !is_length) add_if(static_cast<double>(axis.size * axis.size), {axis, axis});
  }
  // A name with one of two axes in it speaks against their product.
  for (std::size_t i = 0; i < axes.size() && found.empty(); ++i) {
    for (std::size_t j = i + 1; j < axes.size(); ++j) {
      if (is_named(axes[i]) != is_named(axes[j])) continue;
      add_if(static_cast<double>(axes[i].size * axes[j].size), {axes[i], axes[j]});
    }
  }
  const auto has_named = [&](const FactorSource& source) {
    return std::any_of(source.axes.begin(), source.axes.end(), is_named);
  };
  if (std::any_of(found.begin(), found.end(), has_named)) std::erase_if(found, std::not_fn(has_named));
  return found;
}

// The axis that has this length; nothing if several have, or none.
std::string axis_of_dim(int dim, const autograd::Shape& shape, const Axes& axes) {
  std::string found;
  for (const Axis& axis : axes) {
    if (axis.size != shape[dim]) continue;
    if (!found.empty()) return "";
    found = axis.name;
  }
  return found;
}

std::string dim_name(int dim, const autograd::Shape& shape, const Axes& axes) {
  const std::string axis = axis_of_dim(dim, shape, axes);
  return axis.empty() ? fmt::format("dim {}", dim) : axis;
}

NamedShape named_shape(const Tensor& value, const Axes& axes) {
  NamedShape shape;
  for (int dim = 0; dim < value.dim(); ++dim) {
    shape.sizes.push_back(value.size(dim));
    shape.axes.push_back(axis_of_dim(dim, value.shape(), axes));
  }
  return shape;
}

// Are these the expected value's axes, in another order, or with some missing or added? A length that is merely wrong
// may be some other axis's by chance.
bool is_plausible(std::vector<std::string> names, std::vector<std::string> expected) {
  std::sort(names.begin(), names.end());
  std::sort(expected.begin(), expected.end());
  return std::includes(names.begin(), names.end(), expected.begin(), expected.end()) ||
         std::includes(expected.begin(), expected.end(), names.begin(), names.end());
}

// ---- one clue each -------------------------------------------------------------------------------------------------

// What gives the one does not give the other.
std::optional<Clue> not_finite(const Pair& p) {
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (std::isfinite(p.a[i]) || !std::isfinite(p.b[i])) continue;
    const bool nan = std::isnan(p.a[i]);
    const bool everywhere =
        std::all_of(p.a.begin(), p.a.end(), [&](double x) { return nan ? std::isnan(x) : std::isinf(x); });
    return Clue{.kind = nan ? Kind::nan : Kind::infinity, .everywhere = everywhere};
  }
  return std::nullopt;
}

// Differences in the digits only: no clue about formulas follows from them, and each would be wrong.
std::optional<Clue> nearly_right(const Pair& p) {
  double largest = 0.0;
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (!std::isfinite(p.a[i]) || !std::isfinite(p.b[i])) return std::nullopt;
    largest = std::max(largest, std::abs(p.a[i] - p.b[i]));
  }
  if (p.scale == 0.0 || !(largest <= 1e-5 * p.scale)) return std::nullopt;
  return Clue{.kind = Kind::nearly_right, .number = std::floor(-std::log10(largest / p.scale))};
}

std::optional<Clue> all_zero(const Pair& p) {
  const auto expected_zeros = std::count(p.b.begin(), p.b.end(), 0.0);
  if (std::ssize(p.b) - expected_zeros < 2) return std::nullopt;  // one number is 0 for many reasons
  bool exactly = true;
  for (const double value : p.a) {
    if (!(std::abs(value) <= 1e-12 * p.scale)) return std::nullopt;  // NaN is not zero
    exactly = exactly && value == 0.0;
  }
  return Clue{.kind = exactly ? Kind::zero : Kind::zero_up_to_rounding};
}

std::optional<Clue> should_be_zero(const Pair& p) {
  if (p.scale > 0.0) return std::nullopt;
  return Clue{.kind = Kind::not_zero};
}

// A quotient of two lengths that is not a length by itself. Of a value whose name has an axis in it, one of the two.
std::optional<FactorSource> ratio_of_axes(double ratio, const Axes& axes, const std::string& value_name) {
  if (!sources_of(std::max(ratio, 1.0 / ratio), axes, "").empty()) return std::nullopt;
  const auto is_named = [&](const Axis& axis) { return value_name.find(axis.name) != std::string::npos; };
  const bool names_any = std::any_of(axes.begin(), axes.end(), is_named);
  for (const Axis& a : axes) {
    for (const Axis& b : axes) {
      if (names_any && !is_named(a) && !is_named(b)) continue;
      if (a.size != b.size && near(ratio, static_cast<double>(a.size) / static_cast<double>(b.size))) {
        return FactorSource{{a, b}, true};
      }
    }
  }
  return std::nullopt;
}

// Is it a whole number, or a fraction of small ones? Counts and shares of counts have simple ratios by chance.
bool is_simple(double value) {
  for (int denominator = 1; denominator <= 50; ++denominator) {
    const double product = value * denominator;
    if (std::abs(product) <= 1000.0 && std::abs(product - std::round(product)) <= 1e-9) return true;
  }
  return false;
}

// The factor that all numbers have, and what speaks for it.
struct Ratio {
  double value = 0.0;
  int numbers = 0;  // where something is expected: a zero has every factor
  bool all_simple = true;

  bool may_be_chance(const Pair& p) const {
    const bool single = numbers == 1;
    return (single && p.a.size() > 1) || (all_simple && (single || p.expected.is_list));
  }
};

std::optional<Ratio> constant_factor(const Pair& p) {
  Ratio ratio;
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (std::abs(p.b[i]) <= 1e-9 * p.scale) {
      if (std::abs(p.a[i]) > 1e-7 * p.scale) return std::nullopt;
      continue;
    }
    const double here = p.a[i] / p.b[i];
    if (ratio.numbers > 0 && !near(here, ratio.value)) return std::nullopt;
    ratio.value = here;
    ++ratio.numbers;
    ratio.all_simple = ratio.all_simple && is_simple(p.a[i]) && is_simple(p.b[i]);
  }
  if (ratio.numbers == 0 || ratio.value == 0.0 || near(ratio.value, 1.0)) return std::nullopt;
  return ratio;
}

std::vector<FactorSource> explained_by(double ratio, const Axes& axes, const std::string& value_name) {
  if (near(ratio, -1.0)) return {};
  const double length = std::max(std::abs(ratio), 1.0 / std::abs(ratio));
  std::vector<FactorSource> found = sources_of(length, axes, value_name);
  if (auto quotient = ratio_of_axes(std::abs(ratio), axes, value_name)) found.push_back(std::move(*quotient));
  return found;
}

// One number is always some multiple of another, and one of two small lengths, too: only a factor with a meaning is
// worth a word.
bool is_telling(double ratio, const Axes& lengths) {
  const double size = std::max(std::abs(ratio), 1.0 / std::abs(ratio));
  return near(size, 1.0) || near(size, 2.0) || !sources_of(size, lengths, "").empty();
}

std::optional<Clue> constant_ratio(const Pair& p) {
  const auto ratio = constant_factor(p);
  if (!ratio) return std::nullopt;
  const bool may_be_chance = ratio->may_be_chance(p);
  if (may_be_chance && ratio->numbers == 1 && !near(ratio->value, -1.0)) return std::nullopt;
  const Axes& axes = may_be_chance ? Axes{} : p.context.axes;
  if (p.a.size() == 1 && !is_telling(ratio->value, axes)) return std::nullopt;
  return Clue{
      .kind = Kind::factor, .number = ratio->value, .sources = explained_by(ratio->value, axes, p.expected.name)};
}

std::optional<Clue> transposed(const Pair& p) {
  const int dims = p.yours.value.dim();
  if (dims < 2 || p.yours.value.size(-1) != p.yours.value.size(-2)) return std::nullopt;
  const std::vector<double> turned = p.yours.value.transpose(-1, -2).to_vector();
  for (std::size_t i = 0; i < turned.size(); ++i) {
    if (!p.equal(turned[i], p.b[i])) return std::nullopt;
  }
  return Clue{.kind = Kind::transposed};
}

std::optional<Clue> same_numbers_elsewhere(const Pair& p) {
  if (p.a.size() < 3) return std::nullopt;
  std::vector<double> a = p.a;
  std::vector<double> b = p.b;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!p.equal(a[i], b[i])) return std::nullopt;
  }
  return Clue{.kind = Kind::at_wrong_places};
}

std::optional<Clue> only_in_region(const Pair& p) {
  std::optional<Clue> right_in_one;
  for (const Region& region : p.expected.regions) {
    const std::vector<double> mask = region.mask.expand(p.expected.value.shape()).to_vector();
    bool inside = false;
    bool outside = false;
    bool zero_inside = true;  // where nothing is expected, being right is no news
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i] != 0.0 && p.b[i] != 0.0) zero_inside = false;
      if (p.right(i)) continue;
      (mask[i] != 0.0 ? inside : outside) = true;
    }
    if (inside && !outside) return Clue{.kind = Kind::wrong_only_in, .name = region.name};
    if (outside && !inside && !zero_inside && !right_in_one) {
      right_in_one = Clue{.kind = Kind::right_in, .name = region.name};
    }
  }
  return right_in_one;
}

std::size_t position_along(const Pair& p, int dim, std::size_t entry) {
  const autograd::Shape& shape = p.expected.value.shape();
  std::int64_t inner = 1;
  for (int d = dim + 1; d < shape.dim(); ++d) inner *= shape[d];
  return static_cast<std::size_t>(static_cast<std::int64_t>(entry) / inner % shape[dim]);
}

// Which slices along one dim are wrong somewhere.
std::vector<bool> wrong_along(const Pair& p, int dim) {
  std::vector<bool> wrong(static_cast<std::size_t>(p.expected.value.shape()[dim]), false);
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (!p.right(i)) wrong[position_along(p, dim, i)] = true;
  }
  return wrong;
}

// Where nothing is expected, being right is no news.
bool is_right_somewhere(const Pair& p) {
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (p.right(i) && p.b[i] != 0.0) return true;
  }
  return false;
}

// Along one dim: which slices are right as a whole, and which are wrong as a whole. Nothing about a few wrong entries,
// which stand somewhere.
std::optional<Clue> along_dim(const Pair& p, int dim) {
  const autograd::Shape& shape = p.expected.value.shape();
  if (shape[dim] < 2 || !is_right_somewhere(p) || p.wrong_entries() < 2) return std::nullopt;
  const std::vector<bool> wrong = wrong_along(p, dim);
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (wrong[position_along(p, dim, i)] && p.right(i)) return std::nullopt;
  }
  Clue clue{.kind = Kind::right_and_wrong_along, .name = dim_name(dim, shape, p.context.axes)};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    (wrong[i] ? clue.positions : clue.right_positions).push_back(static_cast<std::int64_t>(i));
  }
  if (clue.right_positions.empty() || clue.positions.empty()) return std::nullopt;
  return clue;
}

// Every position along one dim has the same, and the expected ones differ.
std::optional<Clue> same_along_dim(const Pair& p, int dim) {
  const std::int64_t length = p.expected.value.shape()[dim];
  if (length < 2 || p.wrong_entries() < 2) return std::nullopt;
  const auto is_constant = [&](const Tensor& value) {
    return same_value(value.narrow(dim, 0, 1).expand(value.shape()).contiguous(), value, 1e-9);
  };
  if (!is_constant(p.yours.value) || is_constant(p.expected.value)) return std::nullopt;
  return Clue{.kind = Kind::same_along, .name = dim_name(dim, p.expected.value.shape(), p.context.axes)};
}

// Broadcasts to the shape, or nothing.
std::optional<std::vector<double>> stretched(const Tensor& value, const autograd::Shape& shape) {
  if (!value.defined() || value.dim() > shape.dim()) return std::nullopt;
  for (int i = 1; i <= value.dim(); ++i) {
    const std::int64_t size = value.shape()[value.dim() - i];
    if (size != 1 && size != shape[shape.dim() - i]) return std::nullopt;
  }
  return value.detach().to(autograd::float64).expand(shape).to_vector();
}

// And not only since there is nothing: a zero is any number times zero.
template <class Relation> bool everywhere(const Pair& p, const std::vector<double>& x, Relation relation) {
  int telling = 0;
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (!relation(p.a[i], p.b[i], x[i])) return false;
    telling += x[i] != 0.0 && (p.a[i] != 0.0 || p.b[i] != 0.0) ? 1 : 0;
  }
  return telling > 1;
}

// How yours and the expected value are connected by something else with a name.
std::optional<Clue> relation_to(const Pair& p, const std::string& name, const Tensor& other) {
  if (!other.defined() || other.numel() == 1 || p.a.size() < 2) return std::nullopt;  // constant_ratio's business
  const auto x = stretched(other, p.expected.value.shape());
  if (!x || Pair::largest(*x) == 0.0) return std::nullopt;
  const auto eq = [&](double u, double v) { return p.equal(u, v); };
  const auto holds = [&](auto relation) { return everywhere(p, *x, relation); };
  if (holds([&](double a, double, double v) { return eq(a, v); })) return Clue{.kind = Kind::another, .name = name};
  if (holds([&](double a, double b, double v) { return eq(a * v, b); }))
    return Clue{.kind = Kind::factor_missing, .name = name};
  if (holds([&](double a, double b, double v) { return eq(a, b * v); }))
    return Clue{.kind = Kind::factor_too_many, .name = name};
  if (holds([&](double a, double b, double v) { return eq(a + v, b); }))
    return Clue{.kind = Kind::term_missing, .name = name};
  if (holds([&](double a, double b, double v) { return eq(a - v, b); }))
    return Clue{.kind = Kind::term_too_many, .name = name};
  return std::nullopt;
}

std::optional<Clue> relation_to_anything(const Pair& p) {
  for (const Check::Input& input : p.context.inputs) {
    if (auto clue = relation_to(p, input.name, input.copy)) return clue;
  }
  for (const Observation& other : p.context.expected) {
    if (other.name == p.expected.name || other.kind != Observation::Kind::value) continue;
    if (same_value(other.value, p.expected.value, 1e-7))
      continue;  // "yours is what is expected elsewhere" would be idle
    if (auto clue = relation_to(p, other.name, other.value)) {
      clue->is_expected = true;
      return clue;
    }
  }
  return std::nullopt;
}

std::optional<Clue> one_value_everywhere(const Pair& p) {
  if (p.a.size() < 3 || p.wrong_entries() < 2) return std::nullopt;
  for (const double value : p.a) {
    if (!p.equal(value, p.a[0])) return std::nullopt;
  }
  return Clue{.kind = Kind::one_number};
}

// Yours would be right if it were summed (or averaged) over one of its dims.
std::optional<Clue> reducible(const Observation& yours, const Observation& expected, const ClueContext& context) {
  for (int dim = 0; dim < yours.value.dim(); ++dim) {
    for (const bool keep : {false, true}) {
      const std::string name = dim_name(dim, yours.value.shape(), context.axes);
      if (same_value(yours.value.sum({dim}, keep), expected.value, 1e-7)) {
        return Clue{.kind = Kind::sum_is_right, .name = name};
      }
      if (same_value(yours.value.mean({dim}, keep), expected.value, 1e-7)) {
        return Clue{.kind = Kind::mean_is_right, .name = name};
      }
    }
  }
  return std::nullopt;
}

std::optional<Clue> rearranged(const Observation& yours, const Observation& expected) {
  if (yours.value.numel() != expected.value.numel()) return std::nullopt;
  if (yours.value.to_vector() == expected.value.to_vector()) return Clue{.kind = Kind::only_shape};
  if (yours.value.dim() == 2 && same_value(yours.value.transpose(0, 1).contiguous(), expected.value, 1e-7))
    return Clue{.kind = Kind::transposed_is_right};
  for (int i = 0; i < yours.value.dim(); ++i) {
    for (int j = i + 1; j < yours.value.dim(); ++j) {
      if (!same_value(yours.value.transpose(i, j).contiguous(), expected.value, 1e-7)) continue;
      return Clue{.kind = Kind::exchanged_is_right, .positions = {i, j}};
    }
  }
  return std::nullopt;
}

// The first or the last of the longer one along one dim are the shorter one.
std::optional<Clue> cut(const Observation& yours, const Observation& expected, const ClueContext& context) {
  if (yours.value.dim() != expected.value.dim()) return std::nullopt;
  for (int dim = 0; dim < expected.value.dim(); ++dim) {
    const std::int64_t here = yours.value.size(dim);
    const std::int64_t there = expected.value.size(dim);
    if (here == there || std::min(here, there) == 0) continue;
    const Tensor& longer = here > there ? yours.value : expected.value;
    const Tensor& shorter = here > there ? expected.value : yours.value;
    const std::int64_t rest = longer.size(dim) - shorter.size(dim);
    const std::string name = dim_name(dim, expected.value.shape(), context.axes);
    for (const bool first : {true, false}) {
      const Tensor part = longer.narrow(dim, first ? 0 : rest, shorter.size(dim)).contiguous();
      if (!same_value(part, shorter, 1e-7)) continue;
      return Clue{.kind = here > there ? Kind::too_many_along : Kind::too_few_along,
                  .name = name,
                  .number = static_cast<double>(rest),
                  .at_the_beginning = !first};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

void add(std::vector<Clue>& clues, std::optional<Clue> clue) {
  if (clue) clues.push_back(std::move(*clue));
}

}  // namespace

void describe_kind(const Observation& yours, const Observation& expected, const ClueContext& context,
                   Difference& difference) {
  if (!yours.value.defined()) {
    difference.kind = Difference::Kind::undefined;
  } else if (!expected.value.defined()) {
    difference.kind = Difference::Kind::defined;
  } else if (!(yours.value.shape() == expected.value.shape())) {
    difference.kind = Difference::Kind::shape;
    difference.your_shape = named_shape(yours.value, context.axes);
    difference.expected_shape = named_shape(expected.value, context.axes);
    for (NamedShape* const shape : {&difference.your_shape, &difference.expected_shape}) {
      const bool named = shape == &difference.expected_shape ||
                         is_plausible(difference.your_shape.axes, difference.expected_shape.axes);
      if (!named || std::count(shape->axes.begin(), shape->axes.end(), "") > 0) shape->axes.clear();
    }
  } else {
    difference.kind = Difference::Kind::dtype;
    difference.yours = autograd::name(yours.dtype);
    difference.expected = autograd::name(expected.dtype);
  }
}

std::vector<Clue> clues_from_shapes(const Observation& yours, const Observation& expected, const ClueContext& context) {
  std::vector<Clue> clues;
  if (!yours.value.defined() || !expected.value.defined() || yours.value.shape() == expected.value.shape())
    return clues;
  add(clues, rearranged(yours, expected));
  add(clues, cut(yours, expected, context));
  add(clues, reducible(yours, expected, context));
  return clues;
}

std::vector<std::string> axes_that_begin_right(const Observation& yours, const Observation& expected,
                                               const ClueContext& context) {
  const Pair p{yours, expected, context};
  std::vector<std::string> names;
  for (int dim = 0; dim < expected.value.dim(); ++dim) {
    const std::string name = axis_of_dim(dim, expected.value.shape(), context.axes);
    if (!name.empty() && !wrong_along(p, dim).front()) names.push_back(name);
  }
  return names;
}

Clues clues_from_values(const Observation& yours, const Observation& expected, const ClueContext& context) {
  const Pair p{yours, expected, context};
  if (auto clue = nearly_right(p)) return {{*clue}, {}};
  if (auto clue = all_zero(p)) return {{*clue}, {}};
  Clues clues;
  const std::optional<Clue> relation = relation_to_anything(p);
  add(clues.certain, not_finite(p));
  add(clues.certain, should_be_zero(p));
  const bool is_another = relation && relation->kind == Kind::another;  // then a factor between the two is chance
  if (!is_another) add(clues.certain, constant_ratio(p));
  add(clues.certain, transposed(p));
  add(clues.certain, only_in_region(p));
  add(clues.certain, relation);
  add(clues.certain, same_numbers_elsewhere(p));
  const bool one_factor = constant_factor(p).has_value();  // then it is right only where nothing is expected
  if (!expected.is_list) add(clues.guesses, one_value_everywhere(p));
  for (int dim = 0; dim < expected.value.dim() && !one_factor && !expected.is_list; ++dim) {
    add(clues.guesses, same_along_dim(p, dim));
    add(clues.guesses, along_dim(p, dim));
  }
  return clues;
}

std::optional<Clue::Kind> clue_from_decimals(double yours, double expected) {
  const double distance = std::abs(yours - expected);
  const bool two_decimals = std::abs(yours * 100.0 - std::round(yours * 100.0)) < 1e-6;
  const bool telling = std::abs(expected) >= 0.1;  // two digits that agree by chance say nothing
  if (two_decimals && telling && distance <= 0.005 + 1e-9) return Kind::two_decimals;
  if (two_decimals && telling && distance < 0.01 && std::abs(yours) < std::abs(expected)) return Kind::cut_off;
  if (distance > 0.0005 && distance < 0.0015) return Kind::third_decimal;
  return std::nullopt;
}

}  // namespace judge
