#include "judge/judge.h"

#include <autograd/gradcheck/patterns.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "judge/causes.h"
#include "judge/comparison.h"
#include "judge/naming.h"

namespace judge {
namespace {

Record record_of(const Candidate& answer, const Setting& setting, RunOptions options = {}) {
  Record record = answer.observe(setting, options);
  for (const std::string& name : answer.calls) add_forbidden_call(name, record);
  return record;
}

// Is this the only right answer? At a tie of a maximum there are several gradients: the solution's is not the numeric
// one. And where the solution comes to 0/0, the exercise leaves open what is to come out.
bool is_the_only_answer(const Observation& observation) {
  if (!observation.value.defined()) return true;
  const std::vector<double> exact = observation.value.to_vector();
  if (std::any_of(exact.begin(), exact.end(), [](double value) { return std::isnan(value); })) return false;
  if (!observation.numeric) return true;
  const double slack = 1e-6 * std::max(1.0, autograd::checker::largest_finite(exact));
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (std::abs(observation.numeric(static_cast<std::int64_t>(i)) - exact[i]) > slack) return false;
  }
  return true;
}

// What is right at this setting. What may be something else just as well is not held against an answer, nor is what
// rounding leaves of a zero: where there is one of something, softmax's gradient is zero.
Observed expected_at(const Setting& setting) {
  Observed expected = observe(exercise.solution, setting);
  if (setting == usual_setting()) return expected;
  for (Observation& observation : expected.record.observations) observation.rounding = 1e-12;
  std::erase_if(expected.record.observations,
                [](const Observation& observation) { return !is_the_only_answer(observation); });
  return expected;
}

// The verdict at this setting; nothing where the exercise itself needs more.
std::optional<Verdict> judge_at(const Candidate& answer, const Setting& setting) {
  const Observed expected = expected_at(setting);
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
  const auto with_sizes = [&](Axes sizes) { return Setting{std::move(sizes), failing.seed, failing.numbers}; };
  keep_if_failing({failing.sizes});
  keep_if_failing({failing.sizes, failing.seed});
  for (const Axis& axis : axes) keep_if_failing(with_sizes(with_size(failing.sizes, axis.name, axis.size)));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t far = failing.sizes[i].size;
    const std::int64_t step = far > axes[i].size ? 1 : -1;
    for (std::int64_t size = axes[i].size + step; (far - size) * step > 0; size += step) {
      if (keep_if_failing(with_sizes(with_size(failing.sizes, axes[i].name, size)))) break;
    }
  }
  return failing;
}

// The least change of the usual setting at which an answer that is right there is wrong.
std::optional<Setting> wrong_elsewhere(const Candidate& answer, std::uint64_t seed) {
  for (const auto& settings : {other_settings(seed), special_settings(seed), drawn_settings(seed)}) {
    for (const Setting& setting : settings) {
      if (fails_at(answer, setting)) return least_change(answer, setting);
    }
  }
  return std::nullopt;
}

// Is it right there when that is the first that it is asked?
bool is_right_when_first(const Candidate& answer, const Setting& setting) {
  if (!answer.begin_anew) return false;
  answer.begin_anew();
  return !fails_at(answer, setting);
}

// Is it right at these sizes with other numbers? Then the sizes are not what makes it wrong.
bool passes_with_other_numbers(const Candidate& answer, const Setting& setting) {
  Setting other = setting;
  for (std::uint64_t more = 1; more <= 4; ++more) {
    other.seed = setting.seed + 1000 * more;
    if (const auto verdict = judge_at(answer, other); verdict && verdict->outcome == Verdict::Outcome::passed)
      return true;
  }
  return false;
}

// Which known mistakes give this, here and elsewhere.
void name_mistakes(const Candidate& answer, const Record& yours, const Observed& expected, Verdict& verdict) {
  name_mistakes([&](const Setting& setting) { return record_of(answer, setting); }, yours, expected.record, verdict);
}

Verdict explain_at(const Candidate& answer, const Setting& setting) {
  const Observed expected = expected_at(setting);
  const Record yours = record_of(answer, setting);
  Verdict verdict = compare_records(yours, expected, setting);
  if (verdict.outcome == Verdict::Outcome::passed) {  // and it was not, a moment ago
    verdict.repeatable = false;
    verdict.outcome = Verdict::Outcome::wrong;
  }
  name_mistakes(answer, yours, expected, verdict);
  verdict.right_when_first = is_right_when_first(answer, setting);
  verdict.depends_on_numbers = passes_with_other_numbers(answer, setting);
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

// Does the mistake change what is wrong first? The rest may follow from it.
bool changes(const Mistake& mistake, const Axes& sizes, const Observed& expected, const Verdict& verdict) {
  const Record record = observe(mistake.run, {sizes}).record;
  const std::string& first = verdict.differences.front().name;
  const Observation* const own = named(record.observations, SIZE_MAX, first);
  const Observation* const right = named(expected.record.observations, SIZE_MAX, first);
  return !own || !right || !same(*own, *right, 1e-7);
}

// Is what is wrong still wrong there in most answers? With one word any softmax is 1, and being right says nothing.
bool tells_mistakes_at(const Axes& sizes, const Verdict& verdict) {
  if (verdict.differences.empty()) return true;
  const Observed usually = observe(exercise.solution, usual_setting());
  const Observed there = observe(exercise.solution, {sizes});
  std::ptrdiff_t wrong_usually = 0;
  std::ptrdiff_t wrong_there = 0;
  for (const Mistake& mistake : exercise.mistakes) {
    if (mistake.names.size() > 1 || !changes(mistake, axes, usually, verdict)) continue;
    ++wrong_usually;
    if (changes(mistake, sizes, there, verdict)) ++wrong_there;
  }
  return 2 * wrong_there >= wrong_usually;
}

// And not by chance: with a single sentence, the word at which it is wrong may just not be in it.
bool is_right_at(const Candidate& answer, const Axes& sizes) {
  for (const std::uint64_t seed : {usual_seed, usual_seed + 1, usual_seed + 2, usual_seed + 3}) {
    const auto verdict = judge_at(answer, {sizes, seed});
    if (!verdict || verdict->outcome != Verdict::Outcome::passed) return false;
  }
  return true;
}

const Difference* difference_of(const Verdict& verdict, const std::string& name) {
  for (const Difference& difference : verdict.differences) {
    if (difference.name == name) return &difference;
  }
  const auto& probe = verdict.first_probe;
  return probe && probe->difference.name == name ? &probe->difference : nullptr;
}

bool have_same_axes(const FactorSource& a, const FactorSource& b) {
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [](const Axis& one, const Axis& other) { return one.name == other.name; });
}

// Does the factor follow when these axes become longer? An axis may have the length by chance.
bool is_source(const Candidate& answer, const Axes& sizes, const std::string& value, const FactorSource& source) {
  Axes longer = sizes;
  for (Axis& axis : longer) {
    if (std::any_of(source.axes.begin(), source.axes.end(), [&](const Axis& own) { return own.name == axis.name; }))
      ++axis.size;
  }
  const auto verdict = judge_at(answer, {longer});
  const Difference* const there = verdict ? difference_of(*verdict, value) : nullptr;
  return there && std::any_of(there->clues.begin(), there->clues.end(), [&](const Clue& clue) {
           return std::any_of(clue.sources.begin(), clue.sources.end(),
                              [&](const FactorSource& other) { return have_same_axes(other, source); });
         });
}

void keep_sources(const Candidate& answer, const Axes& sizes, Difference& difference) {
  for (Clue& clue : difference.clues) {
    std::erase_if(clue.sources,
                  [&](const FactorSource& source) { return !is_source(answer, sizes, difference.name, source); });
  }
}

void keep_all_sources(const Candidate& answer, Verdict& verdict) {
  const Axes& sizes = verdict.setting.sizes;
  for (Difference& difference : verdict.differences) keep_sources(answer, sizes, difference);
  if (verdict.first_probe) keep_sources(answer, sizes, verdict.first_probe->difference);
}

// What is said of positions must be so with other numbers, too: which entries are wrong may follow from the numbers.
void leave_out_chance(const Candidate& answer, Verdict& verdict) {
  const auto& differences = verdict.differences;
  const auto guesses = [](const Difference& difference) { return !difference.guesses.empty(); };
  if (std::none_of(differences.begin(), differences.end(), guesses)) return;
  Setting other = verdict.setting;
  ++other.seed;
  const auto there = judge_at(answer, other);
  for (Difference& difference : verdict.differences) {
    const Difference* const again = there ? difference_of(*there, difference.name) : nullptr;
    std::erase_if(difference.guesses, [&](const Clue& guess) {
      return !again || std::count(again->guesses.begin(), again->guesses.end(), guess) == 0;
    });
  }
}

// Makes one axis after the other as short as can be: alone, and then all of them together.
void shrink(const Candidate& answer, Verdict& verdict) {
  SmallestCase smallest{axes, {}};
  for (const Axis& axis : axes) {
    const Axes one = with_size(axes, axis.name, 1);
    const bool right_at_one =
        is_right_at(answer, one) && says_something_at(one, verdict) && tells_mistakes_at(one, verdict);
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
    if (!verdict.differences.empty()) name_mistakes(answer, yours, expected, verdict);
    return verdict;
  }
  verdict.repeatable = same(record_of(answer, usual), yours, 0.0);
  if (!verdict.repeatable) verdict.outcome = Verdict::Outcome::wrong;
  if (verdict.outcome == Verdict::Outcome::passed) {
    if (const auto elsewhere = wrong_elsewhere(answer, seed)) return explain_at(answer, *elsewhere);
    return compare_records(record_of(answer, usual, {.slow_too = true}), expected, usual);
  }
  name_mistakes(answer, yours, expected, verdict);
  shrink(answer, verdict);
  return verdict;
}

}  // namespace

Verdict judge(const Candidate& answer, std::uint64_t seed) {
  Verdict verdict = with_all_clues(answer, seed);
  keep_all_sources(answer, verdict);
  leave_out_chance(answer, verdict);
  leave_out_idle_clues(verdict);
  return verdict;
}

std::vector<Step> steps_of(const Candidate& answer) {
  const Setting usual = usual_setting();
  const Setting setting = fails_at(answer, usual) ? usual : wrong_elsewhere(answer, 0).value_or(usual);
  return compared_steps(answer.watch(setting), watch(exercise.solution, setting));
}

}  // namespace judge
