#include "judge/clues.h"

#include <autograd/gradcheck/patterns.h>
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
using autograd::checker::Arrays;
using autograd::checker::largest_finite;
using autograd::checker::Relation;

// Two values of the same shape, as plain numbers: yours is what was found.
struct Pair : Arrays {
  Pair(const Observation& value, const Observation& should_be, const ClueContext& in)
      : Arrays{value.value.to_vector(), should_be.value.to_vector(), {}, should_be.value.shape()},
        yours(value),
        expected(should_be),
        context(in),
        scale(largest_finite(right)) {
    slack.assign(found.size(), expected.tolerance * scale + 1e-300);
  }
  const Observation& yours;
  const Observation& expected;
  const ClueContext& context;
  double scale;
};

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

// A product only where no axis has the length, a square also where the value goes over its axis. Of a value that goes
// over one, others that happen to give the length are left out.
std::vector<FactorSource> sources_of(double length, const Axes& axes, const std::string& over) {
  std::vector<FactorSource> found;
  const auto add_if = [&](double product, Axes of) {
    if (near(product, length)) found.push_back({std::move(of)});
  };
  const auto is_over = [&](const Axis& axis) { return axis.name == over; };
  for (const Axis& axis : axes) add_if(static_cast<double>(axis.size), {axis});
  const bool is_length = !found.empty();
  for (const Axis& axis : axes) {
    if (is_over(axis) || !is_length) add_if(static_cast<double>(axis.size * axis.size), {axis, axis});
  }
  // That it goes over one of two axes speaks against their product.
  for (std::size_t i = 0; i < axes.size() && found.empty(); ++i) {
    for (std::size_t j = i + 1; j < axes.size(); ++j) {
      if (is_over(axes[i]) != is_over(axes[j])) continue;
      add_if(static_cast<double>(axes[i].size * axes[j].size), {axes[i], axes[j]});
    }
  }
  const auto has_over = [&](const FactorSource& source) {
    return std::any_of(source.axes.begin(), source.axes.end(), is_over);
  };
  if (std::any_of(found.begin(), found.end(), has_over)) std::erase_if(found, std::not_fn(has_over));
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
  for (std::size_t i = 0; i < p.found.size(); ++i) {
    if (std::isfinite(p.found[i]) || !std::isfinite(p.right[i])) continue;
    const bool nan = std::isnan(p.found[i]);
    const bool everywhere =
        std::all_of(p.found.begin(), p.found.end(), [&](double x) { return nan ? std::isnan(x) : std::isinf(x); });
    return Clue{.kind = nan ? Kind::nan : Kind::infinity, .everywhere = everywhere};
  }
  return std::nullopt;
}

// Differences in the digits only: no clue about formulas follows from them, and each would be wrong.
std::optional<Clue> nearly_right(const Pair& p) {
  double largest = 0.0;
  for (std::size_t i = 0; i < p.found.size(); ++i) {
    if (!std::isfinite(p.found[i]) || !std::isfinite(p.right[i])) return std::nullopt;
    largest = std::max(largest, std::abs(p.found[i] - p.right[i]));
  }
  if (p.scale == 0.0 || !(largest <= 1e-5 * p.scale)) return std::nullopt;
  return Clue{.kind = Kind::nearly_right, .number = std::floor(-std::log10(largest / p.scale))};
}

std::optional<Clue> all_zero(const Pair& p) {
  const auto expected_zeros = std::count(p.right.begin(), p.right.end(), 0.0);
  if (std::ssize(p.right) - expected_zeros < 2) return std::nullopt;  // one number is 0 for many reasons
  bool exactly = true;
  for (const double value : p.found) {
    if (!(std::abs(value) <= 1e-12 * p.scale)) return std::nullopt;  // NaN is not zero
    exactly = exactly && value == 0.0;
  }
  return Clue{.kind = exactly ? Kind::zero : Kind::zero_up_to_rounding};
}

std::optional<Clue> should_be_zero(const Pair& p) {
  if (p.scale > 0.0) return std::nullopt;
  return Clue{.kind = Kind::not_zero};
}

// A quotient of two lengths that is not a length by itself. Of a value that goes over an axis, that is one of the two.
std::optional<FactorSource> ratio_of_axes(double ratio, const Axes& axes, const std::string& over) {
  if (!sources_of(std::max(ratio, 1.0 / ratio), axes, "").empty()) return std::nullopt;
  const auto is_over = [&](const Axis& axis) { return axis.name == over; };
  const bool any_over = std::any_of(axes.begin(), axes.end(), is_over);
  for (const Axis& a : axes) {
    for (const Axis& b : axes) {
      if (any_over && !is_over(a) && !is_over(b)) continue;
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
    return (single && p.found.size() > 1) || (all_simple && (single || p.expected.is_list));
  }
};

std::optional<Ratio> constant_factor(const Pair& p) {
  Ratio ratio;
  Arrays rough = p;  // to six digits
  for (std::size_t i = 0; i < p.found.size(); ++i) {
    const bool is_zero = std::abs(p.right[i]) <= 1e-9 * p.scale;
    rough.slack[i] = is_zero ? 1e-7 * p.scale : 1e-6 * std::abs(p.found[i]);
    if (is_zero) continue;
    ++ratio.numbers;
    ratio.all_simple = ratio.all_simple && is_simple(p.found[i]) && is_simple(p.right[i]);
  }
  ratio.value = best_factor(rough);
  if (ratio.value == 0.0 || near(ratio.value, 1.0) || !is_multiple(rough, ratio.value)) return std::nullopt;
  return ratio;
}

std::vector<FactorSource> explained_by(double ratio, const Axes& axes, const std::string& over) {
  if (near(ratio, -1.0)) return {};
  const double length = std::max(std::abs(ratio), 1.0 / std::abs(ratio));
  std::vector<FactorSource> found = sources_of(length, axes, over);
  if (auto quotient = ratio_of_axes(std::abs(ratio), axes, over)) found.push_back(std::move(*quotient));
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
  if (p.found.size() == 1 && !is_telling(ratio->value, axes)) return std::nullopt;
  return Clue{
      .kind = Kind::factor, .number = ratio->value, .sources = explained_by(ratio->value, axes, p.expected.over)};
}

std::optional<Clue> transposed(const Pair& p) {
  const int dims = p.shape.dim();
  const bool square = dims >= 2 && p.shape[dims - 2] == p.shape[dims - 1];
  if (!square || !is_exchanged(p, dims - 2, dims - 1)) return std::nullopt;
  return Clue{.kind = Kind::transposed};
}

std::optional<Clue> same_numbers_elsewhere(const Pair& p) {
  if (p.found.size() < 3 || !is_rearranged(p)) return std::nullopt;
  return Clue{.kind = Kind::at_wrong_places};
}

std::optional<Clue> only_in_region(const Pair& p) {
  std::optional<Clue> right_in_one;
  for (const Region& region : p.expected.regions) {
    const std::vector<double> mask = region.mask.expand(p.expected.value.shape()).to_vector();
    bool inside = false;
    bool outside = false;
    bool zero_inside = true;  // where nothing is expected, being right says nothing
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i] != 0.0 && p.right[i] != 0.0) zero_inside = false;
      if (!p.is_wrong(i)) continue;
      (mask[i] != 0.0 ? inside : outside) = true;
    }
    if (inside && !outside) return Clue{.kind = Kind::wrong_only_in, .name = region.name};
    if (outside && !inside && !zero_inside && !right_in_one) {
      right_in_one = Clue{.kind = Kind::right_in, .name = region.name};
    }
  }
  return right_in_one;
}

// Where nothing is expected, being right says nothing.
bool is_right_somewhere(const Pair& p) {
  for (std::size_t i = 0; i < p.found.size(); ++i) {
    if (!p.is_wrong(i) && p.right[i] != 0.0) return true;
  }
  return false;
}

// Along one dim: which slices are right as a whole, and which are wrong as a whole. Nothing about a few wrong entries,
// which stand somewhere.
std::optional<Clue> along_dim(const Pair& p, int dim) {
  const std::size_t entries = p.wrong().size();
  if (p.shape[dim] < 2 || entries < 2 || !is_right_somewhere(p)) return std::nullopt;
  const std::vector<bool> wrong = wrong_along(p, dim);
  Clue clue{.kind = Kind::right_and_wrong_along, .name = dim_name(dim, p.shape, p.context.axes)};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    (wrong[i] ? clue.positions : clue.right_positions).push_back(static_cast<std::int64_t>(i));
  }
  const bool as_a_whole = entries == clue.positions.size() * (p.found.size() / wrong.size());
  if (clue.right_positions.empty() || !as_a_whole) return std::nullopt;
  return clue;
}

// Every position along one dim has the same, and the expected ones differ.
std::optional<Clue> same_along_dim(const Pair& p, int dim) {
  if (p.shape[dim] < 2 || p.wrong().size() < 2) return std::nullopt;
  const auto is_constant = [&](const Tensor& value) {
    return same_value(value.narrow(dim, 0, 1).expand(value.shape()).contiguous(), value, 1e-9);
  };
  if (!is_constant(p.yours.value) || is_constant(p.expected.value)) return std::nullopt;
  return Clue{.kind = Kind::same_along, .name = dim_name(dim, p.shape, p.context.axes)};
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

// A zero is any number times zero.
bool is_telling(const Pair& p, const std::vector<double>& x) {
  int telling = 0;
  for (std::size_t i = 0; i < x.size(); ++i) telling += x[i] != 0.0 && (p.found[i] != 0.0 || p.right[i] != 0.0) ? 1 : 0;
  return telling > 1;
}

// How yours and the expected value are connected by something else with a name.
std::optional<Clue> relation_to(const Pair& p, const std::string& name, const Tensor& other) {
  static constexpr std::pair<Relation, Kind> relations[] = {{Relation::itself, Kind::another},
                                                            {Relation::factor_missing, Kind::factor_missing},
                                                            {Relation::factor_too_many, Kind::factor_too_many},
                                                            {Relation::term_missing, Kind::term_missing},
                                                            {Relation::term_too_many, Kind::term_too_many}};
  if (!other.defined() || other.numel() == 1) return std::nullopt;  // constant_ratio's business
  const auto x = stretched(other, p.shape);
  if (!x || largest_finite(*x) == 0.0 || !is_telling(p, *x)) return std::nullopt;
  for (const auto& [relation, kind] : relations) {
    if (is_related(p, relation, *x)) return Clue{.kind = kind, .name = name};
  }
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
  const bool one_number = p.found.size() > 2 && p.fits(std::vector<double>(p.found.size(), p.found[0]));
  const bool should_be_one =
      std::all_of(p.right.begin(), p.right.end(), [&](double right) { return near(right, p.right[0]); });
  if (!one_number || should_be_one || p.wrong().size() < 2) return std::nullopt;
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
