#include "autograd/gradcheck/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "autograd/gradcheck/positions.h"

namespace autograd::checker {
namespace {

using Values = std::vector<double>;
using Guess = std::optional<Diagnosis>;

// ---- comparing lists -------------------------------------------------------------------------------------

bool is_close(double a, double b, double slack) {
  return std::abs(a - b) <= slack;
}

bool all_close(const Values& a, const Values& b, const Values& slack) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_close(a[i], b[i], slack[i])) return false;
  }
  return true;
}

bool fits(const Evidence& e, const Values& candidate) {
  return all_close(e.analytic, candidate, e.slack);
}

bool is_wrong(const Evidence& e, std::size_t i) {
  return !is_close(e.analytic[i], e.numeric[i], e.slack[i]);
}

std::vector<std::size_t> wrong_elements(const Evidence& e) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < e.analytic.size(); ++i) {
    if (is_wrong(e, i)) wrong.push_back(i);
  }
  return wrong;
}

Values times(const Values& values, double factor) {
  Values result = values;
  for (double& value : result) value *= factor;
  return result;
}

// ---- walking over a shape ---------------------------------------------------------------------------------

// `values`, each read at the index that `change` makes of its own.
template <class Change> Values reordered(const Values& values, const Shape& shape, Change change) {
  Values result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<std::int64_t> index = index_of(i, shape);
    change(index);
    result[i] = values[position_of(index, shape)];
  }
  return result;
}

// The elements of `values` in the order in which they lie after exchanging two dims.
Values transposed(const Values& values, const Shape& shape, int first, int second) {
  Shape target = shape;
  std::swap(target[first], target[second]);
  Values result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<std::int64_t> index = index_of(i, target);
    std::swap(index[static_cast<std::size_t>(first)], index[static_cast<std::size_t>(second)]);
    result[i] = values[position_of(index, shape)];
  }
  return result;
}

// ---- nothing arrives --------------------------------------------------------------------------------------

Guess not_connected(const Evidence& e) {
  if (e.connected) return {};
  return Diagnosis{Cause::not_connected, fmt::format("no gradient arrives at {} at all: is it detached on the way, or "
                                                     "read through item() or data_ptr()?",
                                                     e.name)};
}

Guess not_finite(const Evidence& e) {
  const auto bad = [](double value) { return !std::isfinite(value); };
  const auto count = std::count_if(e.analytic.begin(), e.analytic.end(), bad);
  if (count == 0) return {};
  return Diagnosis{Cause::not_finite,
                   fmt::format("NaN or infinite at {} of {} elements, where the function itself is finite: 0 / 0 or "
                               "0 * inf in the derivative?",
                               count, e.analytic.size())};
}

bool all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

Guess zero(const Evidence& e) {
  if (!all_zero(e.analytic)) return {};
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
  add_dims(candidates, e.shape, e.name);
  if (e.has_output && !(e.output_shape == e.shape)) add_dims(candidates, e.output_shape, "the output");
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

// The factor that brings numeric closest to analytic.
double best_factor(const Evidence& e) {
  double products = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < e.analytic.size(); ++i) {
    products += e.analytic[i] * e.numeric[i];
    squares += e.numeric[i] * e.numeric[i];
  }
  return squares > 0.0 ? products / squares : 0.0;
}

Guess sign(const Evidence& e) {
  if (!fits(e, times(e.numeric, -1.0))) return {};
  return Diagnosis{Cause::sign, "the true gradient with the opposite sign: a minus lost, or one too many?"};
}

Guess factor(const Evidence& e) {
  const double factor = best_factor(e);
  if (factor == 0.0 || !fits(e, times(e.numeric, factor))) return {};
  const std::string why = explanation(std::abs(factor), e);
  const bool may_be_chance = e.analytic.size() == 1;  // for a single number, some factor always fits
  if (may_be_chance && why.empty()) return {};
  std::string text =
      fmt::format("{}{} the true gradient everywhere", factor < 0.0 ? "minus " : "", as_fraction(std::abs(factor)));
  if (!why.empty()) text += fmt::format("; {}", why);
  return Diagnosis{Cause::factor, text};
}

// ---- another quantity in its place ------------------------------------------------------------------------

Guess swapped(const Evidence& e) {
  for (const Evidence::Quantity& other : e.other_gradients) {
    if (!fits(e, other.values)) continue;
    return Diagnosis{Cause::swapped, fmt::format("this is the gradient of {}: are the two exchanged?", other.name)};
  }
  return {};
}

Guess pass_through(const Evidence& e) {
  if (!e.has_output || !fits(e, e.cotangent)) return {};
  return Diagnosis{Cause::pass_through, "this is the incoming gradient itself: is the local derivative missing?"};
}

// ---- right numbers, wrong places --------------------------------------------------------------------------

Guess transposed(const Evidence& e) {
  for (int first = 0; first < e.shape.dim(); ++first) {
    for (int second = first + 1; second < e.shape.dim(); ++second) {
      const bool square = e.shape[first] == e.shape[second];
      if (!fits(e, transposed(e.numeric, e.shape, first, second))) continue;
      return Diagnosis{
          Cause::transposed,
          fmt::format("the right numbers with dims {} and {} exchanged: {}", first, second,
                      square ? "a transpose missing, or one too many?" : "a reshape where a transpose belongs?")};
    }
  }
  return {};
}

Guess flipped(const Evidence& e) {
  for (int dim = 0; dim < e.shape.dim(); ++dim) {
    const auto backwards = [&](std::vector<std::int64_t>& index) {
      std::int64_t& i = index[static_cast<std::size_t>(dim)];
      i = e.shape[dim] - 1 - i;
    };
    if (!fits(e, reordered(e.numeric, e.shape, backwards))) continue;
    return Diagnosis{Cause::flipped, fmt::format("the right numbers, backwards along dim {}", dim)};
  }
  return {};
}

Guess shifted(const Evidence& e) {
  for (int dim = 0; dim < e.shape.dim(); ++dim) {
    for (const std::int64_t by : {-1, 1}) {
      const auto moved = [&](std::vector<std::int64_t>& index) {
        std::int64_t& i = index[static_cast<std::size_t>(dim)];
        i = (i + by + e.shape[dim]) % e.shape[dim];
      };
      if (!fits(e, reordered(e.numeric, e.shape, moved))) continue;
      return Diagnosis{Cause::shifted, fmt::format("the right numbers, moved by one along dim {}: off by one?", dim)};
    }
  }
  return {};
}

// Among the wrong elements alone: of those that are right, or not known, each is in its place. One cannot be misplaced.
Guess misplaced(const Evidence& e) {
  Values analytic;
  Values numeric;
  double slack = 0.0;
  for (std::size_t i = 0; i < e.analytic.size(); ++i) {
    if (!is_wrong(e, i)) continue;
    analytic.push_back(e.analytic[i]);
    numeric.push_back(e.numeric[i]);
    slack = std::max(slack, e.slack[i]);
  }
  if (analytic.size() < 2) return {};
  std::sort(analytic.begin(), analytic.end());
  std::sort(numeric.begin(), numeric.end());
  if (!all_close(analytic, numeric, Values(analytic.size(), slack))) return {};
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
      if (!fits(e, slice)) continue;
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
    mean.push_back(uses.count == 0 ? 0.0 : e.numeric[i] / uses.count);
    most_uses = std::max(most_uses, uses.count);
    if (uses.count > 0) fewest_uses = std::min(fewest_uses, uses.count);
  }
  if (most_uses < 2) return {};
  const char* where = fewest_uses == 1 ? "wrong only where an element is used more than once (a repeated index?): "
                                       : "every element is used several times: ";
  if (fits(e, last)) {
    return Diagnosis{Cause::repeated, fmt::format("{}only the last use counts, = where += belongs?", where)};
  }
  if (fits(e, first)) return Diagnosis{Cause::repeated, fmt::format("{}only the first use counts", where)};
  if (fits(e, mean)) {
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
  std::erase_if(quantities, [&](const auto& quantity) { return quantity.values.size() != e.analytic.size(); });
  return quantities;
}

Values product(const Values& a, const Values& b) {
  Values result = a;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] *= b[i];
  return result;
}

Guess elementwise_factor(const Evidence& e) {
  if (e.analytic.size() < 2) return {};
  for (const auto& [name, values] : quantities_of(e)) {
    if (fits(e, product(e.numeric, values))) {
      return Diagnosis{Cause::elementwise_factor,
                       fmt::format("{} times too large at every element: is it there once too often?", name)};
    }
    if (all_close(product(e.analytic, values), e.numeric, e.slack)) {
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
    if (!is_close(values[i], values[first], slack[i] + slack[first])) return false;
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
  Values difference = e.analytic;
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= e.numeric[i];
  if (const auto dim = constant_dim(difference, e.slack, e.shape)) {
    return Diagnosis{Cause::missing_term,
                     fmt::format("off by the same number everywhere{}: a term that sums {} missing, or too much?",
                                 *dim < 0 ? "" : fmt::format(" along dim {}", *dim), along(*dim, e.shape))};
  }
  for (const auto& [name, values] : quantities_of(e)) {
    Values quotient = difference;
    Values slack = e.slack;
    for (std::size_t i = 0; i < quotient.size(); ++i) {
      quotient[i] /= values[i];
      slack[i] /= std::abs(values[i]);
    }
    if (const auto dim = constant_dim(quotient, slack, e.shape)) {
      return Diagnosis{Cause::missing_term,
                       fmt::format("off by {} times one number: is a term {} * sum(..) {} missing?", name, name,
                                   along(*dim, e.shape))};
    }
  }
  return {};
}

// ---- wrong in some places only ------------------------------------------------------------------------------

std::string how_wrong(const Evidence& e, const std::vector<std::size_t>& wrong) {
  Evidence only;
  for (const std::size_t i : wrong) {
    only.analytic.push_back(e.analytic[i]);
    only.numeric.push_back(e.numeric[i]);
    only.slack.push_back(e.slack[i]);
  }
  if (all_zero(only.analytic)) return ", where it is zero";
  if (all_zero(only.numeric)) return ", where it should be zero";
  const double factor = best_factor(only);
  if (factor == 0.0 || wrong.size() < 2 || !fits(only, times(only.numeric, factor))) return "";
  if (same_factor(factor, -1.0)) return ", where the sign is flipped";
  return fmt::format(", where it is {}{} the true one", factor < 0.0 ? "minus " : "", as_fraction(std::abs(factor)));
}

// "in the last slice along dim 1", if all wrong elements are there.
std::string where_in_shape(const Evidence& e, const std::vector<std::size_t>& wrong) {
  for (int dim = 0; dim < e.shape.dim(); ++dim) {
    const std::int64_t at = index_of(wrong.front(), e.shape)[static_cast<std::size_t>(dim)];
    const bool all_there = std::all_of(wrong.begin(), wrong.end(), [&](std::size_t i) {
      return index_of(i, e.shape)[static_cast<std::size_t>(dim)] == at;
    });
    if (!all_there || e.shape[dim] < 2) continue;
    const std::string which = at == 0 ? " (the first)" : at == e.shape[dim] - 1 ? " (the last)" : "";
    return fmt::format("with index {}{} along dim {}", at, which, dim);
  }
  return "";
}

// "where x < 0", if that separates wrong from right.
std::string where_by_sign(const Evidence& e) {
  bool exactly_negative = true;
  bool exactly_positive = true;
  for (std::size_t i = 0; i < e.x.size(); ++i) {
    exactly_negative = exactly_negative && (e.x[i] < 0.0) == is_wrong(e, i);
    exactly_positive = exactly_positive && (e.x[i] > 0.0) == is_wrong(e, i);
  }
  if (exactly_negative) return fmt::format("where {} < 0", e.name);
  if (exactly_positive) return fmt::format("where {} > 0", e.name);
  return "";
}

Guess some_elements(const Evidence& e) {
  const std::vector<std::size_t> wrong = wrong_elements(e);
  if (wrong.empty() || wrong.size() == e.analytic.size()) return {};
  std::string how = how_wrong(e, wrong);
  if (wrong.size() == 1) {
    return Diagnosis{Cause::some_elements, fmt::format("wrong only at the element {}{}{}", index_of(wrong[0], e.shape),
                                                       wrong[0] + 1 == e.analytic.size() ? " (the last)" : "", how)};
  }
  std::string where = where_in_shape(e, wrong);
  if (where.empty()) where = where_by_sign(e);
  if (where.empty() && how.empty()) return {};
  if (where.empty()) where = fmt::format("at {} of {} elements", wrong.size(), e.analytic.size());
  const bool may_be_padding = e.shape.dim() == 2 && how.find("where it is zero") != std::string::npos &&
                              where.find("along dim 0") != std::string::npos;
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
  if (evidence.analytic.empty()) return {};
  for (const Question question : questions) {
    if (const Guess guess = question(evidence)) return *guess;
  }
  return {};
}

}  // namespace autograd::checker
