#include "course/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "course/causes.h"
#include "course/clues.h"

namespace course {
namespace {

std::vector<std::int64_t> index_of(std::int64_t entry, const autograd::Shape& shape) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(shape.dim()));
  for (int dim = shape.dim() - 1; dim >= 0; --dim) {
    index[static_cast<std::size_t>(dim)] = entry % shape[dim];
    entry /= shape[dim];
  }
  return index;
}

bool close(double yours, double expected, double limit) {
  if (std::isnan(yours) || std::isnan(expected)) return std::isnan(yours) && std::isnan(expected);
  return yours == expected || std::abs(yours - expected) <= limit;
}

// The entries that differ, the worst first.
std::vector<std::int64_t> wrong_entries(const Observation& yours, const Observation& expected) {
  const std::vector<double> a = yours.value.to_vector();
  const std::vector<double> b = expected.value.to_vector();
  double largest = 0.0;
  for (const double value : b) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  std::vector<std::int64_t> wrong;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!close(a[i], b[i], expected.tolerance * largest + expected.rounding + 1e-300))
      wrong.push_back(static_cast<std::int64_t>(i));
  }
  const auto distance = [&](std::int64_t i) {
    const double d = std::abs(a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(i)]);
    return std::isnan(d) ? HUGE_VAL : d;
  };
  std::stable_sort(wrong.begin(), wrong.end(),
                   [&](std::int64_t i, std::int64_t j) { return distance(i) > distance(j); });
  return wrong;
}

// "numbers 1, 2 and 4 are".
std::string counted(const std::vector<std::int64_t>& entries) {
  if (entries.size() == 1) return fmt::format("number {} is", entries[0] + 1);
  std::string text = "numbers ";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool last = i + 1 == entries.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", entries[i] + 1);
  }
  return text + " are";
}

// Which numbers are wrong, where the expected ones are not to be given away: those of which the same can be said
// together. "All of them" has been said by the summary.
std::vector<std::string> clues_of_hidden(std::vector<std::int64_t> wrong, const std::vector<double>& yours,
                                         const std::vector<double>& expected) {
  constexpr const char* nothing_known = "not right yet";
  std::sort(wrong.begin(), wrong.end());
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> said;
  for (const std::int64_t entry : wrong) {
    const auto i = static_cast<std::size_t>(entry);
    const std::string clue = clue_from_decimals(yours[i], expected[i]).value_or(nothing_known);
    const auto before = std::find_if(said.begin(), said.end(), [&](const auto& one) { return one.first == clue; });
    before == said.end() ? said.push_back({clue, {entry}}) : before->second.push_back(entry);
  }
  if (said.size() == 1 && said[0].first == nothing_known && wrong.size() == expected.size()) return {};
  std::vector<std::string> clues;
  for (const auto& [clue, entries] : said) clues.push_back(fmt::format("{} {}", counted(entries), clue));
  return clues;
}

// Compares two values of the same name; nothing if they agree.
std::optional<Difference> compare_values(const Observation& yours, const Observation& expected,
                                         const ClueContext& context) {
  Difference difference;
  difference.name = yours.name;
  if (!yours.value.defined() || !expected.value.defined() || yours.dtype != expected.dtype ||
      !(yours.value.shape() == expected.value.shape())) {
    if (!yours.value.defined() && !expected.value.defined()) return std::nullopt;
    difference.summary = describe_kind_difference(yours, expected, context);
    difference.clues = clues_from_shapes(yours, expected, context);
    return difference;
  }
  const std::vector<std::int64_t> wrong = wrong_entries(yours, expected);
  if (wrong.empty()) return std::nullopt;
  const std::int64_t total = expected.value.numel();
  difference.summary =
      total == 1 ? std::string("differs") : fmt::format("{} of {} entries differ", wrong.size(), total);
  const std::vector<double> a = yours.value.to_vector();
  const std::vector<double> b = expected.value.to_vector();
  if (expected.hide_expected) {
    difference.summary = fmt::format("{} of {} numbers are not right yet", wrong.size(), total);
    difference.clues = clues_of_hidden(wrong, a, b);
    return difference;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 3); ++i) {
    const auto entry = static_cast<std::size_t>(wrong[i]);
    Difference::Entry shown{index_of(wrong[i], expected.value.shape()), a[entry], b[entry], std::nullopt};
    if (expected.numeric) shown.numeric = expected.numeric(wrong[i]);
    difference.entries.push_back(std::move(shown));
  }
  Clues clues = clues_from_values(yours, expected, context);
  difference.clues = std::move(clues.certain);
  difference.guesses = std::move(clues.guesses);
  difference.factor = std::move(clues.factor);
  difference.begins_right_along = axes_that_begin_right(yours, expected, context);
  return difference;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// What stands from a little before that word on, and so that it shows where there was more: "7 6 | 5 ...".
std::string excerpt_of(const std::vector<std::string>& words, std::size_t word) {
  constexpr std::size_t before = 3;
  constexpr std::size_t after = 8;
  const std::size_t first = word - std::min(word, before);
  const std::size_t last = std::min(words.size(), word + after);
  std::string text = first == 0 ? "" : "... ";
  for (std::size_t i = first; i < last; ++i) text += (i == first ? "" : " ") + words[i];
  return text + (last == words.size() ? "" : " ...");
}

// Of long texts only where they part. A picture, which has lines, is looked at as a whole.
std::string text_difference(const std::string& yours, const std::string& expected) {
  constexpr std::size_t long_text = 80;
  const std::vector<std::string> a = words_of(yours);
  const std::vector<std::string> b = words_of(expected);
  const auto word = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const bool is_short = std::max(yours.size(), expected.size()) <= long_text;
  const bool has_lines = (yours + expected).find('\n') != std::string::npos;
  if (is_short || has_lines || (word == a.size() && word == b.size())) {
    return fmt::format("yours is \"{}\", expected is \"{}\"", yours, expected);
  }
  const bool is_picture = (yours + expected).find("↵") != std::string::npos;  // of which a blank ends the lines
  return fmt::format("differs first {} {}: yours is \"{}\", expected is \"{}\"", is_picture ? "in line" : "at word",
                     word + 1, excerpt_of(a, word), excerpt_of(b, word));
}

std::optional<Difference> compare(const Observation& yours, const Observation* expected, const ClueContext& context) {
  using Kind = Observation::Kind;
  Difference difference;
  difference.name = yours.name;
  if (expected && yours.kind != expected->kind) {
    difference.summary = "is something else than expected";
    return difference;
  }
  if (yours.kind == Kind::property || yours.kind == Kind::bound) {
    if (yours.holds) return std::nullopt;
    difference.summary = yours.text;
    difference.is_property = yours.kind == Kind::property;
    return difference;
  }
  if (!expected) return std::nullopt;
  if (yours.kind == Kind::text) {
    if (yours.text == expected->text) return std::nullopt;
    difference.summary = text_difference(yours.text, expected->text);
    return difference;
  }
  return compare_values(yours, *expected, context);
}

// [batch, 1] is as good as [batch] on the way.
bool same_numbers(const Observation& a, const Observation& b) {
  if (!a.value.defined() || !b.value.defined() || a.value.numel() != b.value.numel()) return false;
  return same_value(a.value.flatten(), b.value.flatten(), b.tolerance);
}

// Was this intermediate value right on the way to something that is wrong? Then the cause comes after it, and that it
// is wrong later may be a consequence.
bool was_right_before_a_wrong_result(const Observation& probe, const std::vector<const Observation*>& right,
                                     const std::vector<std::size_t>& wrong_at) {
  return std::any_of(right.begin(), right.end(), [&](const Observation* before) {
    return before->name == probe.name && std::any_of(wrong_at.begin(), wrong_at.end(), [&](std::size_t position) {
             return before->observations_before <= position && position < probe.observations_before;
           });
  });
}

// Was everything right that was observed of the call that showed it? Then it is another way to a right result.
bool is_of_a_right_call(const Observation& probe, const Record& expected, const std::vector<std::size_t>& wrong_at) {
  const std::size_t from = probe.observations_before;
  std::size_t to = expected.observations.size();
  for (const Observation& other : expected.probes) {
    if (other.observations_before > from) to = std::min(to, other.observations_before);
  }
  return std::none_of(wrong_at.begin(), wrong_at.end(),
                      [&](std::size_t position) { return from <= position && position < to; });
}

std::vector<std::string> names_of(const std::vector<const Observation*>& observations) {
  std::vector<std::string> names;
  for (const Observation* observation : observations) {
    if (std::find(names.begin(), names.end(), observation->name) == names.end()) names.push_back(observation->name);
  }
  return names;
}

// Compares the intermediate values that both show, in the solution's order; `wrong_at` has the positions of the
// observations that are wrong. What was shown after all of them has nothing to do with them.
void compare_probes(const Record& yours, const Record& expected, const ClueContext& context,
                    const std::vector<std::size_t>& wrong_at, Verdict& verdict) {
  const std::size_t last_wrong = wrong_at.empty() ? 0 : wrong_at.back();
  std::map<ProbeKey, std::vector<const Observation*>> shown;
  for (const Observation& probe : yours.probes) shown[key_of(probe)].push_back(&probe);
  std::map<ProbeKey, std::size_t> seen;
  std::vector<const Observation*> right;
  for (const Observation& probe : expected.probes) {
    const std::size_t occurrence = seen[key_of(probe)]++;
    const auto& own = shown[key_of(probe)];
    if (occurrence >= own.size()) continue;
    if (same_numbers(*own[occurrence], probe)) {
      if (probe.observations_before <= last_wrong) right.push_back(&probe);
      continue;
    }
    if (was_right_before_a_wrong_result(probe, right, wrong_at)) continue;
    if (is_of_a_right_call(probe, expected, wrong_at)) continue;
    if (auto difference = compare_values(*own[occurrence], probe, context)) {
      const auto same_name = [&](const Observation* before) { return before->name == probe.name; };
      verdict.first_probe = FirstProbe{std::move(*difference), right.empty() ? "" : right.back()->name,
                                       static_cast<int>(std::count_if(right.begin(), right.end(), same_name))};
      break;
    }
  }
  verdict.right_probes = names_of(right);
}

// What the check saw the solution do and not the answer: a check goes through all of it, so something is odd.
void add_missing(const Record& yours, const Record& expected, Verdict& verdict) {
  for (const Observation& observation : expected.observations) {
    if (named(yours.observations, SIZE_MAX, observation.name)) continue;
    Difference difference;
    difference.name = observation.name;
    difference.summary = "was never looked at";
    verdict.differences.push_back(std::move(difference));
  }
}

}  // namespace

Verdict compare_records(const Record& yours, const Observed& expected, const Setting& setting) {
  Verdict verdict;
  verdict.setting = setting;
  verdict.shown = yours.shown;
  const ClueContext context{setting.sizes, expected.inputs, expected.record.observations};
  const auto& observations = yours.observations;
  std::vector<std::size_t> wrong_at;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Observation& own = observations[i];
    if (own.kind == Observation::Kind::unwritten || own.kind == Observation::Kind::threw) {
      const bool unwritten = own.kind == Observation::Kind::unwritten;
      verdict.outcome = unwritten ? Verdict::Outcome::unwritten : Verdict::Outcome::wrong;
      verdict.message = own.text;
      wrong_at.push_back(i);
      if (i < expected.record.observations.size()) verdict.stopped_before = expected.record.observations[i].name;
      break;
    }
    auto difference = compare(own, named(expected.record.observations, i, own.name), context);
    if (difference) {
      verdict.differences.push_back(std::move(*difference));
      wrong_at.push_back(i);
    } else {
      const bool measured = own.kind == Observation::Kind::bound;
      verdict.right.push_back(measured ? fmt::format("{} ({})", own.name, own.text) : own.name);
    }
  }
  if (verdict.outcome == Verdict::Outcome::passed && verdict.differences.empty())
    add_missing(yours, expected.record, verdict);
  if (verdict.outcome == Verdict::Outcome::passed && !verdict.differences.empty()) {
    verdict.outcome = Verdict::Outcome::wrong;
  }
  compare_probes(yours, expected.record, context, wrong_at, verdict);
  put_causes_first(verdict);
  leave_out_what_follows_from_shapes(verdict);
  return verdict;
}

}  // namespace course
