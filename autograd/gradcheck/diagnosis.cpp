#include "autograd/gradcheck/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "autograd/gradcheck/positions.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/factories.h"

namespace autograd::checker {
namespace {

using Guess = std::optional<Diagnosis>;

// ---- nothing arrives --------------------------------------------------------------------------------------

Guess not_connected(const Evidence& e) {
  if (e.connected) return {};
  return Diagnosis{Cause::not_connected, fmt::format("no gradient arrives at {} at all: is it detached on the way, or "
                                                     "read through item() or data_ptr()?",
                                                     e.name)};
}

Guess not_finite(const Evidence& e) {
  const auto bad = [](double value) { return !std::isfinite(value); };
  const Values& analytic = e.gradient.found;
  const auto count = std::count_if(analytic.begin(), analytic.end(), bad);
  if (count == 0) return {};
  return Diagnosis{Cause::not_finite,
                   fmt::format("NaN or infinite at {} of {} elements, where the function itself is finite: 0 / 0 or "
                               "0 * inf in the derivative?",
                               count, analytic.size())};
}

bool all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

Guess zero(const Evidence& e) {
  if (!all_zero(e.gradient.found)) return {};
  return Diagnosis{Cause::zero, "zero everywhere, and the true gradient is not: is the derivative missing?"};
}

// ---- one factor -------------------------------------------------------------------------------------------

// A number that may be the wrong factor, and its source.
struct Candidate {
  double value;
  std::string reason;
};

void add_dims(std::vector<Candidate>& candidates, const Shape& shape, const std::string& owner) {
  for (int dim = 0; dim < shape.dim(); ++dim) {
    candidates.push_back({static_cast<double>(shape[dim]), fmt::format("dim {} of {} has {}", dim, owner, shape[dim])});
  }
  if (shape.dim() > 1) {
    candidates.push_back({static_cast<double>(shape.numel()), fmt::format("{} has {} elements", owner, shape.numel())});
  }
}

std::vector<Candidate> candidates_for(const Evidence& e) {
  std::vector<Candidate> candidates;
  add_dims(candidates, e.gradient.shape, e.name);
  if (e.has_output && !(e.output_shape == e.gradient.shape)) add_dims(candidates, e.output_shape, "the output");
  std::erase_if(candidates, [](const Candidate& candidate) { return candidate.value <= 1.0; });
  return candidates;
}

bool same_factor(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::abs(b);
}

// All candidates that equal `factor`, as "dim 0 of x has 4, dim 1 of the output has 4"; "" for none.
std::string reasons_for(double factor, const Evidence& e) {
  std::vector<std::string> reasons;
  for (const Candidate& candidate : candidates_for(e)) {
    if (same_factor(factor, candidate.value)) reasons.push_back(candidate.reason);
  }
  return fmt::format("{}", fmt::join(reasons, ", "));
}

std::string as_fraction(double factor) {
  const double whole = std::round(factor);
  const double parts = std::round(1.0 / factor);
  if (same_factor(factor, whole) && whole < 1e6) return fmt::format("exactly {:.0f} times", whole);
  if (same_factor(1.0 / factor, parts) && parts < 1e6) return fmt::format("exactly 1/{:.0f} of", parts);
  return fmt::format("{:.7g} times", factor);
}

std::string explanation(double factor, const Evidence& e) {
  std::vector<std::string> guesses;
  const auto add = [&](const std::string& reasons, const char* guess) {
    if (!reasons.empty()) guesses.push_back(fmt::format("{}: {}", reasons, guess));
  };
  if (same_factor(factor, 2.0)) guesses.push_back("counted twice?");
  if (same_factor(factor, 0.5)) guesses.push_back("a 2 lost, as in d(x^2) = 2x?");
  add(reasons_for(1.0 / factor, e), "a mean where a sum belongs?");
  add(reasons_for(factor, e), "a sum where a mean belongs?");
  if (guesses.empty()) {
    add(reasons_for(factor * factor, e), "is a division by its square root missing?");
    add(reasons_for(1.0 / (factor * factor), e), "is there a division by its square root too many?");
  }
  return fmt::format("{}", fmt::join(guesses, " Or "));
}

Guess sign(const Evidence& e) {
  if (!is_multiple(e.gradient, -1.0)) return {};
  return Diagnosis{Cause::sign, "the true gradient with the opposite sign: a minus lost, or one too many?"};
}

Guess factor(const Evidence& e) {
  const double factor = best_factor(e.gradient);
  if (factor == 0.0 || !is_multiple(e.gradient, factor)) return {};
  const std::string why = explanation(std::abs(factor), e);
  const bool may_be_chance = e.gradient.found.size() == 1;  // for a single number, some factor always fits
  if (may_be_chance && why.empty()) return {};
  std::string text =
      fmt::format("{}{} the true gradient everywhere", factor < 0.0 ? "minus " : "", as_fraction(std::abs(factor)));
  if (!why.empty()) text += fmt::format("; {}", why);
  return Diagnosis{Cause::factor, text};
}

// ---- another quantity in its place ------------------------------------------------------------------------

Guess swapped(const Evidence& e) {
  for (const Evidence::Quantity& other : e.other_gradients) {
    if (!e.gradient.fits(other.values)) continue;
    return Diagnosis{Cause::swapped, fmt::format("this is the gradient of {}: are the two exchanged?", other.name)};
  }
  return {};
}

Guess pass_through(const Evidence& e) {
  if (!e.has_output || !e.gradient.fits(e.cotangent)) return {};
  return Diagnosis{Cause::pass_through, "this is the incoming gradient itself: is the local derivative missing?"};
}

// ---- right numbers, wrong places --------------------------------------------------------------------------

Guess transposed(const Evidence& e) {
  const Shape& shape = e.gradient.shape;
  for (int first = 0; first < shape.dim(); ++first) {
    for (int second = first + 1; second < shape.dim(); ++second) {
      if (!is_exchanged(e.gradient, first, second)) continue;
      const bool square = shape[first] == shape[second];
      return Diagnosis{
          Cause::transposed,
          fmt::format("the right numbers with dims {} and {} exchanged: {}", first, second,
                      square ? "a transpose missing, or one too many?" : "a reshape where a transpose belongs?")};
    }
  }
  return {};
}

Guess flipped(const Evidence& e) {
  const Tensor right = from_vector(e.gradient.right, e.gradient.shape, float64);
  for (int dim = 0; dim < right.dim(); ++dim) {
    if (!e.gradient.fits(flip(right, dim).to_vector())) continue;
    return Diagnosis{Cause::flipped, fmt::format("the right numbers, backwards along dim {}", dim)};
  }
  return {};
}

Guess shifted(const Evidence& e) {
  const Tensor right = from_vector(e.gradient.right, e.gradient.shape, float64);
  for (int dim = 0; dim < right.dim(); ++dim) {
    const std::int64_t size = right.shape()[dim];
    for (const std::int64_t by : {size - 1, std::int64_t{1}}) {
      const Tensor moved = cat({narrow(right, dim, by, size - by), narrow(right, dim, 0, by)}, dim);
      if (!e.gradient.fits(moved.to_vector())) continue;
      return Diagnosis{Cause::shifted, fmt::format("the right numbers, moved by one along dim {}: off by one?", dim)};
    }
  }
  return {};
}

// Among the wrong elements alone: of those that are right, or not known, each is in its place. One cannot be misplaced.
Guess misplaced(const Evidence& e) {
  const Arrays wrong = e.gradient.only(e.gradient.wrong());
  if (wrong.found.size() < 2 || !is_rearranged(wrong)) return {};
  return Diagnosis{Cause::misplaced, "the right numbers in the wrong places: a wrong permutation, index or stride?"};
}

// ---- several contributions to one element ------------------------------------------------------------------

constexpr std::size_t most_contributions = 4'000'000;

// contributions[element][output element]
using Contributions = std::vector<Values>;

Contributions all_contributions(const Evidence& e) {
  Contributions contributions;
  const std::size_t outputs = e.cotangent.size();
  if (!e.contributions || e.x.size() > 10'000 || e.x.size() * outputs > most_contributions) return contributions;
  for (std::size_t i = 0; i < e.x.size(); ++i) contributions.push_back(e.contributions(i));
  return contributions;
}

double sum_of_slice(const Values& contributions, const Shape& shape, int dim, std::int64_t at) {
  double total = 0.0;
  for (std::size_t o = 0; o < contributions.size(); ++o) {
    if (index_of(o, shape)[static_cast<std::size_t>(dim)] == at) total += contributions[o];
  }
  return total;
}

Guess one_slice(const Evidence& e, const Contributions& contributions) {
  if (!e.has_output) return {};
  for (int dim = 0; dim < e.output_shape.dim(); ++dim) {
    const std::int64_t size = e.output_shape[dim];
    for (const std::int64_t at : {size - 1, std::int64_t{0}}) {
      if (size < 2) continue;
      Values slice;
      for (const Values& of_element : contributions) slice.push_back(sum_of_slice(of_element, e.output_shape, dim, at));
      if (!e.gradient.fits(slice)) continue;
      return Diagnosis{Cause::one_slice,
                       fmt::format("only the {} of the {} slices along the output's dim {} counts: the sum over that "
                                   "dim missing, or = where += belongs?",
                                   at == 0 ? "first" : "last", size, dim)};
    }
  }
  return {};
}

struct Uses {
  int count = 0;
  double first = 0.0;
  double last = 0.0;
};

Uses uses_of(const Values& contributions) {
  Uses uses;
  for (const double contribution : contributions) {
    if (contribution == 0.0) continue;
    if (uses.count == 0) uses.first = contribution;
    uses.last = contribution;
    ++uses.count;
  }
  return uses;
}

Guess one_use(const Evidence& e, const Contributions& contributions) {
  Values first, last, mean;
  int most_uses = 0;
  int fewest_uses = 1000;
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    const Uses uses = uses_of(contributions[i]);
    first.push_back(uses.first);
    last.push_back(uses.last);
    mean.push_back(uses.count == 0 ? 0.0 : e.gradient.right[i] / uses.count);
    most_uses = std::max(most_uses, uses.count);
    if (uses.count > 0) fewest_uses = std::min(fewest_uses, uses.count);
  }
  if (most_uses < 2) return {};
  const char* where = fewest_uses == 1 ? "wrong only where an element is used more than once (a repeated index?): "
                                       : "every element is used several times: ";
  if (e.gradient.fits(last)) {
    return Diagnosis{Cause::repeated, fmt::format("{}only the last use counts, = where += belongs?", where)};
  }
  if (e.gradient.fits(first)) return Diagnosis{Cause::repeated, fmt::format("{}only the first use counts", where)};
  if (e.gradient.fits(mean)) {
    return Diagnosis{Cause::averaged,
                     fmt::format("{}divided by the number of uses, a mean where a sum belongs?", where)};
  }
  return {};
}

Guess lost_contributions(const Evidence& e) {
  const Contributions contributions = all_contributions(e);
  if (contributions.empty()) return {};
  if (const Guess guess = one_slice(e, contributions)) return guess;
  return one_use(e, contributions);
}

// ---- a factor or a term that depends on the element ---------------------------------------------------------

std::vector<Evidence::Quantity> quantities_of(const Evidence& e) {
  std::vector<Evidence::Quantity> quantities = {{e.name, e.x}};
  if (e.has_output) {
    quantities.push_back({"the output", e.output});
    quantities.push_back({"the incoming gradient", e.cotangent});
  }
  for (const Evidence::Quantity& other : e.other_values) quantities.push_back(other);
  std::erase_if(quantities, [&](const auto& quantity) { return quantity.values.size() != e.gradient.found.size(); });
  return quantities;
}

Guess elementwise_factor(const Evidence& e) {
  if (e.gradient.found.size() < 2) return {};
  for (const auto& [name, values] : quantities_of(e)) {
    if (is_related(e.gradient, Relation::factor_too_many, values)) {
      return Diagnosis{Cause::elementwise_factor,
                       fmt::format("{} times too large at every element: is it there once too often?", name)};
    }
    if (is_related(e.gradient, Relation::factor_missing, values)) {
      return Diagnosis{Cause::elementwise_factor, fmt::format("a factor of {} is missing at every element?", name)};
    }
  }
  return {};
}

// Does `values` stay the same along that dim? With -1: along all dims.
bool is_constant_along(const Values& values, const Values& slack, const Shape& shape, int along) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<std::int64_t> index = index_of(i, shape);
    for (int dim = 0; dim < shape.dim(); ++dim) {
      if (along < 0 || dim == along) index[static_cast<std::size_t>(dim)] = 0;
    }
    const std::size_t first = position_of(index, shape);
    if (!(std::abs(values[i] - values[first]) <= slack[i] + slack[first])) return false;  // nor infinities
  }
  return true;
}

// -1 for all dims, a dim, or nothing.
std::optional<int> constant_dim(const Values& values, const Values& slack, const Shape& shape) {
  if (values.size() < 3) return {};
  if (is_constant_along(values, slack, shape, -1)) return -1;
  for (int dim = 0; shape.dim() > 1 && dim < shape.dim(); ++dim) {
    if (shape[dim] > 2 && is_constant_along(values, slack, shape, dim)) return dim;
  }
  return {};
}

std::string along(int dim, const Shape& shape) {
  return dim < 0 || shape.dim() == 1 ? "over all elements" : fmt::format("over dim {}", dim);
}

Guess missing_term(const Evidence& e) {
  const Shape& shape = e.gradient.shape;
  Values difference = e.gradient.found;
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= e.gradient.right[i];
  if (const auto dim = constant_dim(difference, e.gradient.slack, shape)) {
    return Diagnosis{Cause::missing_term,
                     fmt::format("off by the same number everywhere{}: a term that sums {} missing, or too much?",
                                 *dim < 0 ? "" : fmt::format(" along dim {}", *dim), along(*dim, shape))};
  }
  for (const auto& [name, values] : quantities_of(e)) {
    Values quotient = difference;
    Values slack = e.gradient.slack;
    for (std::size_t i = 0; i < quotient.size(); ++i) {
      quotient[i] /= values[i];
      slack[i] /= std::abs(values[i]);
    }
    if (const auto dim = constant_dim(quotient, slack, shape)) {
      return Diagnosis{Cause::missing_term,
                       fmt::format("off by {} times one number: is a term {} * sum(..) {} missing?", name, name,
                                   along(*dim, shape))};
    }
  }
  return {};
}

// ---- wrong in some places only ------------------------------------------------------------------------------

std::string how_wrong(const Arrays& wrong) {
  if (all_zero(wrong.found)) return ", where it is zero";
  if (all_zero(wrong.right)) return ", where it should be zero";
  const double factor = best_factor(wrong);
  if (factor == 0.0 || wrong.found.size() < 2 || !is_multiple(wrong, factor)) return "";
  if (same_factor(factor, -1.0)) return ", where the sign is flipped";
  return fmt::format(", where it is {}{} the true one", factor < 0.0 ? "minus " : "", as_fraction(std::abs(factor)));
}

// The dim along which all wrong elements have the same index.
std::optional<int> dim_of_one_index(const Arrays& gradient) {
  for (int dim = 0; dim < gradient.shape.dim(); ++dim) {
    const std::vector<bool> wrong = wrong_along(gradient, dim);
    if (wrong.size() >= 2 && std::count(wrong.begin(), wrong.end(), true) == 1) return dim;
  }
  return std::nullopt;
}

// "with index 2 (the last) along dim 1".
std::string where_along(int dim, const Arrays& gradient) {
  const std::vector<bool> wrong = wrong_along(gradient, dim);
  const std::string which = wrong.front() ? " (the first)" : wrong.back() ? " (the last)" : "";
  return fmt::format("with index {}{} along dim {}", std::find(wrong.begin(), wrong.end(), true) - wrong.begin(), which,
                     dim);
}

// "where x < 0", if that separates wrong from right.
std::string where_by_sign(const Evidence& e) {
  bool exactly_negative = true;
  bool exactly_positive = true;
  for (std::size_t i = 0; i < e.x.size(); ++i) {
    exactly_negative = exactly_negative && (e.x[i] < 0.0) == e.gradient.is_wrong(i);
    exactly_positive = exactly_positive && (e.x[i] > 0.0) == e.gradient.is_wrong(i);
  }
  if (exactly_negative) return fmt::format("where {} < 0", e.name);
  if (exactly_positive) return fmt::format("where {} > 0", e.name);
  return "";
}

Guess some_elements(const Evidence& e) {
  const std::vector<std::size_t> wrong = e.gradient.wrong();
  const std::size_t all = e.gradient.found.size();
  if (wrong.empty() || wrong.size() == all) return {};
  const Arrays only_wrong = e.gradient.only(wrong);
  std::string how = how_wrong(only_wrong);
  if (wrong.size() == 1) {
    return Diagnosis{Cause::some_elements,
                     fmt::format("wrong only at the element {}{}{}", index_of(wrong[0], e.gradient.shape),
                                 wrong[0] + 1 == all ? " (the last)" : "", how)};
  }
  const std::optional<int> dim = dim_of_one_index(e.gradient);
  std::string where = dim ? where_along(*dim, e.gradient) : where_by_sign(e);
  if (where.empty() && how.empty()) return {};
  if (where.empty()) where = fmt::format("at {} of {} elements", wrong.size(), all);
  const bool may_be_padding = e.gradient.shape.dim() == 2 && dim == 0 && all_zero(only_wrong.found);
  if (may_be_padding) how += "; if this is the padding row of an embedding, that is meant";
  return Diagnosis{Cause::some_elements, fmt::format("wrong only {}{}", where, how)};
}

}  // namespace

Diagnosis diagnose(const Evidence& evidence) {
  using Question = Guess (*)(const Evidence&);
  // From the most specific to the most general.
  constexpr Question questions[] = {
      not_connected,      not_finite,    zero,        sign,    factor,    swapped,
      pass_through,       transposed,    flipped,     shifted, misplaced, lost_contributions,
      elementwise_factor, some_elements, missing_term};
  if (evidence.gradient.found.empty()) return {};
  const NoGradGuard no_grad;
  for (const Question question : questions) {
    if (const Guess guess = question(evidence)) return *guess;
  }
  return {};
}

}  // namespace autograd::checker
