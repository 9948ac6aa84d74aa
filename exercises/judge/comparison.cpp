#include "judge/comparison.h"

#include <autograd/gradcheck/patterns.h>
#include <autograd/gradcheck/positions.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "judge/causes.h"
#include "judge/clues.h"

namespace judge {
namespace {

// The entries that differ, the worst first.
std::vector<std::int64_t> wrong_entries(const Observation& yours, const Observation& expected) {
  const std::vector<double> a = yours.value.to_vector();
  const std::vector<double> b = expected.value.to_vector();
  const double slack = expected.tolerance * autograd::checker::largest_finite(b) + expected.rounding + 1e-300;
  std::vector<std::int64_t> wrong;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!autograd::checker::is_same(a[i], b[i], slack)) wrong.push_back(static_cast<std::int64_t>(i));
  }
  const auto distance = [&](std::int64_t i) {
    const double d = std::abs(a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(i)]);
    return std::isnan(d) ? HUGE_VAL : d;
  };
  std::stable_sort(wrong.begin(), wrong.end(),
                   [&](std::int64_t i, std::int64_t j) { return distance(i) > distance(j); });
  return wrong;
}

// Which numbers are wrong, where the expected ones must not be given away: those of which the same can be said
// together. That all of them are is not a clue.
std::vector<Clue> clues_of_hidden(std::vector<std::int64_t> wrong, const std::vector<double>& yours,
                                  const std::vector<double>& expected) {
  std::sort(wrong.begin(), wrong.end());
  std::vector<Clue> clues;
  for (const std::int64_t entry : wrong) {
    const auto i = static_cast<std::size_t>(entry);
    const Clue::Kind kind = clue_from_decimals(yours[i], expected[i]).value_or(Clue::Kind::not_right);
    const auto same_kind =
        std::find_if(clues.begin(), clues.end(), [&](const Clue& clue) { return clue.kind == kind; });
    (same_kind == clues.end() ? clues.emplace_back(Clue{.kind = kind}) : *same_kind).positions.push_back(entry);
  }
  if (clues.size() == 1 && clues[0].kind == Clue::Kind::not_right && wrong.size() == expected.size()) return {};
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
    describe_kind(yours, expected, context, difference);
    difference.clues = clues_from_shapes(yours, expected, context);
    return difference;
  }
  const std::vector<std::int64_t> wrong = wrong_entries(yours, expected);
  if (wrong.empty()) return std::nullopt;
  difference.wrong = std::ssize(wrong);
  difference.total = expected.value.numel();
  const std::vector<double> a = yours.value.to_vector();
  const std::vector<double> b = expected.value.to_vector();
  if (expected.hide_expected) {
    difference.kind = Difference::Kind::hidden_numbers;
    difference.clues = clues_of_hidden(wrong, a, b);
    return difference;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 3); ++i) {
    const auto entry = static_cast<std::size_t>(wrong[i]);
    Difference::Entry shown{autograd::checker::index_of(wrong[i], expected.value.shape()), a[entry], b[entry],
                            std::nullopt};
    if (expected.numeric) shown.numeric = expected.numeric(wrong[i]);
    difference.entries.push_back(std::move(shown));
  }
  Clues clues = clues_from_values(yours, expected, context);
  difference.clues = std::move(clues.certain);
  difference.guesses = std::move(clues.guesses);
  difference.begins_right_along = axes_that_begin_right(yours, expected, context);
  return difference;
}

// Of what holds or not.
std::optional<Difference::Kind> kind_of_requirement(Observation::Kind kind) {
  switch (kind) {
    case Observation::Kind::property: return Difference::Kind::property;
    case Observation::Kind::bound: return Difference::Kind::bound;
    case Observation::Kind::changed_input: return Difference::Kind::changed_input;
    case Observation::Kind::forbidden_call: return Difference::Kind::forbidden_call;
    default: return std::nullopt;
  }
}

std::optional<Difference> compare(const Observation& yours, const Observation* expected, const ClueContext& context) {
  using Kind = Observation::Kind;
  Difference difference;
  difference.name = yours.name;
  if (expected && yours.kind != expected->kind) {
    difference.kind = Difference::Kind::something_else;
    return difference;
  }
  if (const auto kind = kind_of_requirement(yours.kind)) {
    if (yours.holds) return std::nullopt;
    difference.kind = *kind;
    difference.said = yours.text;
    return difference;
  }
  if (!expected) return std::nullopt;
  if (yours.kind == Kind::text) {
    if (yours.text == expected->text) return std::nullopt;
    difference.kind = Difference::Kind::text;
    difference.yours = yours.text;
    difference.expected = expected->text;
    return difference;
  }
  return compare_values(yours, *expected, context);
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
    if (same_numbers(*own[occurrence], probe, probe.tolerance)) {
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
    difference.kind = Difference::Kind::missing;
    verdict.differences.push_back(std::move(difference));
  }
}

}  // namespace

Verdict compare_records(const Record& yours, const Observed& expected, const Setting& setting) {
  Verdict verdict;
  verdict.setting = setting;
  verdict.usual = usual_setting();
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
      if (!unwritten) verdict.thrown = own.thrown;
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

}  // namespace judge
