#include "course/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "course/clues.h"

namespace course {
namespace {

// A mistake is recognised at this relative difference: what two ways of adding the same numbers may differ by.
constexpr double recognition = 1e-7;

const Observation* named(const std::vector<Observation>& observations, std::size_t position, const std::string& name) {
  if (position < observations.size() && observations[position].name == name) return &observations[position];
  for (const Observation& observation : observations) {
    if (observation.name == name) return &observation;
  }
  return nullptr;
}

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
    if (!close(a[i], b[i], expected.tolerance * largest + 1e-300)) wrong.push_back(static_cast<std::int64_t>(i));
  }
  const auto distance = [&](std::int64_t i) {
    const double d = std::abs(a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(i)]);
    return std::isnan(d) ? HUGE_VAL : d;
  };
  std::stable_sort(wrong.begin(), wrong.end(),
                   [&](std::int64_t i, std::int64_t j) { return distance(i) > distance(j); });
  return wrong;
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
    for (const std::int64_t entry : wrong) {
      const auto i = static_cast<std::size_t>(entry);
      difference.clues.push_back(
          fmt::format("number {} is {}", entry + 1, clue_from_decimals(a[i], b[i]).value_or("not right yet")));
    }
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
  difference.begins_right_along = axes_that_begin_right(yours, expected, context);
  return difference;
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
    difference.summary = fmt::format("yours is \"{}\", expected is \"{}\"", yours.text, expected->text);
    return difference;
  }
  return compare_values(yours, *expected, context);
}

// [batch, 1] is as good as [batch] on the way.
bool same_numbers(const Observation& a, const Observation& b) {
  if (!a.value.defined() || !b.value.defined() || a.value.numel() != b.value.numel()) return false;
  return same_value(a.value.flatten(), b.value.flatten(), b.tolerance);
}

// Was this intermediate value right on the way to something that is wrong? Then the cause is behind it, and that it is
// wrong later may be a consequence.
bool was_right_before_a_wrong_result(const Observation& probe, const std::vector<const Observation*>& right,
                                     const std::vector<std::size_t>& wrong_at) {
  return std::any_of(right.begin(), right.end(), [&](const Observation* before) {
    return before->name == probe.name && std::any_of(wrong_at.begin(), wrong_at.end(), [&](std::size_t position) {
             return before->observations_before <= position && position < probe.observations_before;
           });
  });
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
    if (auto difference = compare_values(*own[occurrence], probe, context)) {
      const auto same_name = [&](const Observation* before) { return before->name == probe.name; };
      verdict.first_probe = FirstProbe{std::move(*difference), right.empty() ? "" : right.back()->name,
                                       static_cast<int>(std::count_if(right.begin(), right.end(), same_name))};
      break;
    }
  }
  verdict.right_probes = names_of(right);
}

bool is_changed_input(const Difference& difference) {
  return difference.name.find("' left as it was") != std::string::npos;
}

bool is_forbidden_call(const Difference& difference) {
  return difference.name.rfind("without the engine's", 0) == 0;
}

bool is_wrong_shape(const Difference& difference) {
  return difference.summary.rfind("has shape", 0) == 0;
}

bool has_any(const Verdict& verdict, bool (*is_cause)(const Difference&)) {
  return std::any_of(verdict.differences.begin(), verdict.differences.end(), is_cause);
}

// An input that was changed, or an op that is not to be called, is the cause of what else is wrong.
void put_causes_first(Verdict& verdict) {
  std::stable_partition(verdict.differences.begin(), verdict.differences.end(), [](const Difference& difference) {
    return is_changed_input(difference) || is_forbidden_call(difference);
  });
}

// A property of a value that has another shape cannot hold, and why it does not is said by the shape.
void leave_out_what_follows_from_shapes(Verdict& verdict) {
  auto& differences = verdict.differences;
  const auto shape = std::find_if(differences.begin(), differences.end(), is_wrong_shape);
  if (shape == differences.end()) return;
  differences.erase(std::remove_if(shape, differences.end(),
                                   [](const Difference& difference) {
                                     return difference.is_property && !is_changed_input(difference) &&
                                            !is_forbidden_call(difference);
                                   }),
                    differences.end());
}

// A NaN is its own cause, which is looked for elsewhere.
bool is_not_finite(const Difference& difference) {
  return std::any_of(difference.entries.begin(), difference.entries.end(), [](const Difference::Entry& entry) {
    return !std::isfinite(entry.yours) && std::isfinite(entry.expected);
  });
}

// Where the first position along an axis was right among several, it is right alone, too.
bool is_news_at_one(const Verdict& verdict, const std::string& axis) {
  return std::any_of(verdict.differences.begin(), verdict.differences.end(), [&](const Difference& difference) {
    const auto& right = difference.begins_right_along;
    return !difference.is_property && std::find(right.begin(), right.end(), axis) == right.end();
  });
}

// What the numbers suggest leads astray where something else is known to be their cause.
void leave_out_idle_clues(Verdict& verdict) {
  const bool changed_input = has_any(verdict, is_changed_input);
  const bool threw = verdict.outcome == Verdict::Outcome::wrong && !verdict.message.empty();
  const bool has_other_cause = changed_input || threw || has_any(verdict, is_forbidden_call) ||
                               has_any(verdict, is_wrong_shape) || has_any(verdict, is_not_finite);
  const bool guess = !has_other_cause && verdict.named.empty() && !verdict.first_probe;
  const auto settle = [&](Difference& difference) {
    if (changed_input && verdict.named.empty()) difference.clues.clear();
    if (guess) difference.clues.insert(difference.clues.end(), difference.guesses.begin(), difference.guesses.end());
  };
  for (Difference& difference : verdict.differences) settle(difference);
  if (verdict.first_probe) settle(*verdict.first_probe);
  if (has_other_cause && verdict.named.empty()) verdict.shrunk.clear();
  for (Shrunk& axis : verdict.shrunk) axis.right_at_one = axis.right_at_one && is_news_at_one(verdict, axis.axis);
  if (changed_input) verdict.partly_named.clear();
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

Record record_of(const Candidate& answer, const Setting& setting, RunOptions options = {}) {
  Record record = answer.observe(setting, options);
  for (const std::string& name : answer.calls) add_forbidden_call(name, record);
  return record;
}

// Judges a record as far as it goes.
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
  if (verdict.outcome == Verdict::Outcome::passed) add_missing(yours, expected.record, verdict);
  if (verdict.outcome == Verdict::Outcome::passed && !verdict.differences.empty()) {
    verdict.outcome = Verdict::Outcome::wrong;
  }
  compare_probes(yours, expected.record, context, wrong_at, verdict);
  put_causes_first(verdict);
  leave_out_what_follows_from_shapes(verdict);
  return verdict;
}

void name_mistakes(const Record& learner, Verdict& verdict) {
  const Mistake* found = nullptr;
  for (const Mistake& mistake : exercise.mistakes) {
    // The simplest stand first, and one explanation is enough.
    const bool is_less_simple =
        found && (mistake.names.size() > found->names.size() || mistake.only_in.empty() != found->only_in.empty());
    if (is_less_simple) break;
    if (!same(learner, observe(mistake.run, verdict.setting).record, recognition)) continue;
    found = &mistake;
    verdict.only_in = mistake.only_in;
    if (verdict.named.empty() || verdict.named.back() != mistake.names) verdict.named.push_back(mistake.names);
  }
}

// The names of what this record has otherwise than the solution's, as far as the learner's goes; empty if the learner's
// numbers are not exactly these there.
std::vector<std::string> explained_by(const Record& mistake, const Record& solution, const Record& learner) {
  std::vector<std::string> names;
  bool with_a_value = false;  // that something does not hold has many causes
  for (std::size_t i = 0; i < learner.observations.size(); ++i) {
    const Observation& own = learner.observations[i];
    const Observation* const wrong = named(mistake.observations, i, own.name);
    const Observation* const right = named(solution.observations, i, own.name);
    if (!wrong || (right && same(*wrong, *right, recognition))) continue;
    if (!same(own, *wrong, recognition)) return {};
    names.push_back(own.name);
    if (own.kind == Observation::Kind::value || own.kind == Observation::Kind::text) with_a_value = true;
  }
  return with_a_value ? names : std::vector<std::string>{};
}

bool shares_one(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return std::count(b.begin(), b.end(), name); });
}

// Each difference is explained by one mistake at most, the one that explains most: two that explain the same would be
// a guess.
void name_parts(const Record& learner, const Record& solution, Verdict& verdict) {
  std::vector<PartlyNamed> candidates;
  for (const Mistake& mistake : exercise.mistakes) {
    if (mistake.names.size() > 1) break;
    auto explains = explained_by(observe(mistake.run, verdict.setting).record, solution, learner);
    const bool is_known = std::any_of(candidates.begin(), candidates.end(), [&](const PartlyNamed& other) {
      return other.mistake == mistake.names[0] && other.explains == explains;
    });
    if (!explains.empty() && !is_known) candidates.push_back({mistake.names[0], std::move(explains)});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const PartlyNamed& a, const PartlyNamed& b) { return a.explains.size() > b.explains.size(); });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool ambiguous = std::any_of(candidates.begin(), candidates.end(), [&](const PartlyNamed& other) {
      return &other != &candidates[i] && other.explains == candidates[i].explains;
    });
    const bool taken =
        std::any_of(verdict.partly_named.begin(), verdict.partly_named.end(),
                    [&](const PartlyNamed& one) { return shares_one(one.explains, candidates[i].explains); });
    if (!ambiguous && !taken) verdict.partly_named.push_back(candidates[i]);
  }
}

void name_all(const Record& learner, const Record& solution, Verdict& verdict) {
  name_mistakes(learner, verdict);
  if (verdict.named.empty()) name_parts(learner, solution, verdict);
}

// The verdict at this setting; nothing where the exercise itself needs more.
std::optional<Verdict> judge_at(const Candidate& answer, const Setting& setting) {
  const Observed expected = observe(exercise.solution, setting);
  if (!is_sound(expected.record)) return std::nullopt;
  return compare_records(record_of(answer, setting), expected, setting);
}

bool fails_at(const Candidate& answer, const Setting& setting) {
  const auto verdict = judge_at(answer, setting);
  return verdict && verdict->outcome != Verdict::Outcome::passed;
}

// Undoes what it can of a change of the usual setting at which the answer fails, so that what is left tells why.
Setting least_change(const Candidate& answer, Setting failing) {
  const auto keep_if_failing = [&](const Setting& simpler) {
    const bool fails = fails_at(answer, simpler);
    if (fails) failing = simpler;
    return fails;
  };
  keep_if_failing({failing.sizes});
  for (const Axis& axis : axes) keep_if_failing({with_size(failing.sizes, axis.name, axis.size), failing.seed});
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t far = failing.sizes[i].size;
    const std::int64_t step = far > axes[i].size ? 1 : -1;
    for (std::int64_t size = axes[i].size + step; (far - size) * step > 0; size += step) {
      if (keep_if_failing({with_size(failing.sizes, axes[i].name, size), failing.seed})) break;
    }
  }
  return failing;
}

// The least change of the usual setting at which an answer that is right there is wrong.
std::optional<Setting> wrong_elsewhere(const Candidate& answer, std::uint64_t seed) {
  for (const Setting& setting : other_settings(seed)) {
    if (fails_at(answer, setting)) return least_change(answer, setting);
  }
  return std::nullopt;
}

Verdict explain_at(const Candidate& answer, const Setting& setting) {
  const Observed expected = observe(exercise.solution, setting);
  const Record yours = record_of(answer, setting);
  Verdict verdict = compare_records(yours, expected, setting);
  if (verdict.outcome == Verdict::Outcome::passed) {  // and it was not, a moment ago
    verdict.repeatable = false;
    verdict.outcome = Verdict::Outcome::wrong;
  }
  name_all(yours, expected.record, verdict);
  return verdict;
}

// The smallest length of one axis at which the answer is wrong, the others being what they are in `sizes`. An exercise
// that cannot do with less than two of something is not asked about one.
std::int64_t smallest_wrong(const Candidate& answer, const Axes& sizes, const Axis& axis) {
  for (std::int64_t size = 1; size < axis.size; ++size) {
    const auto verdict = judge_at(answer, {with_size(sizes, axis.name, size)});
    if (verdict && verdict->outcome == Verdict::Outcome::wrong) return size;
  }
  return axis.size;
}

// Is anything expected there of what is wrong at the usual sizes, other than zeros?
bool says_something_at(const Axes& sizes, const Verdict& verdict) {
  const Observed expected = observe(exercise.solution, {sizes});
  for (const Difference& difference : verdict.differences) {
    const Observation* const there = named(expected.record.observations, SIZE_MAX, difference.name);
    if (!there || there->kind != Observation::Kind::value || !there->value.defined()) continue;
    const std::vector<double> values = there->value.to_vector();
    if (std::any_of(values.begin(), values.end(), [](double x) { return std::abs(x) > 1e-12; })) return true;
  }
  return false;
}

// Makes one axis after the other as short as can be: alone, and then all of them together.
void shrink(const Candidate& answer, Verdict& verdict) {
  SmallestCase smallest{axes, {}};
  for (const Axis& axis : axes) {
    const auto at_one = judge_at(answer, {with_size(axes, axis.name, 1)});
    const bool right_at_one = at_one && at_one->outcome == Verdict::Outcome::passed &&
                              says_something_at(with_size(axes, axis.name, 1), verdict);
    verdict.shrunk.push_back({axis.name, axis.size, right_at_one, smallest_wrong(answer, axes, axis)});
    smallest.sizes = with_size(smallest.sizes, axis.name, smallest_wrong(answer, smallest.sizes, axis));
  }
  if (axes.empty()) return;
  if (auto small = judge_at(answer, {smallest.sizes}); small && small->outcome == Verdict::Outcome::wrong) {
    smallest.differences = std::move(small->differences);
    verdict.smallest = std::move(smallest);
  }
}

Verdict with_all_clues(const Candidate& answer, std::uint64_t seed) {
  const Setting usual = usual_setting();
  const Observed expected = observe(exercise.solution, usual);
  const Record yours = record_of(answer, usual);
  Verdict verdict = compare_records(yours, expected, usual);
  if (verdict.outcome == Verdict::Outcome::unwritten) {
    if (!verdict.differences.empty()) name_parts(yours, expected.record, verdict);
    return verdict;
  }
  verdict.repeatable = same(record_of(answer, usual), yours, 0.0);
  if (!verdict.repeatable) verdict.outcome = Verdict::Outcome::wrong;
  if (verdict.outcome == Verdict::Outcome::passed) {
    if (const auto elsewhere = wrong_elsewhere(answer, seed)) return explain_at(answer, *elsewhere);
    return compare_records(record_of(answer, usual, {.slow_too = true}), expected, usual);
  }
  name_all(yours, expected.record, verdict);
  shrink(answer, verdict);
  return verdict;
}

}  // namespace

Verdict judge(const Candidate& answer, std::uint64_t seed) {
  Verdict verdict = with_all_clues(answer, seed);
  leave_out_idle_clues(verdict);
  return verdict;
}

std::vector<Step> steps_of(const Candidate& answer) {
  const Setting usual = usual_setting();
  const Setting setting = fails_at(answer, usual) ? usual : wrong_elsewhere(answer, 0).value_or(usual);
  return compared_steps(answer.watch(setting), watch(exercise.solution, setting));
}

}  // namespace course
