#include "judge/naming.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/exercise.h"

namespace judge {
namespace {

// A mistake is recognised at this relative difference: what two ways of adding the same numbers may differ by.
constexpr double recognition = 1e-7;

// What each known mistake does at this setting, found out when it is first asked for.
class MistakeRecords {
 public:
  explicit MistakeRecords(const Setting& setting) : setting_(setting), records_(exercise.mistakes.size()) {}
  const Record& operator[](std::size_t i) {
    if (!records_[i]) records_[i] = observe(exercise.mistakes[i].run, setting_).record;
    return *records_[i];
  }

 private:
  Setting setting_;
  std::vector<std::optional<Record>> records_;
};

// Does it change a number to one that hardly anything else gives? A NaN, a 0 and a count have many causes.
bool is_telling(const Observation& wrong, const Observation* right) {
  if (wrong.kind == Observation::Kind::threw) return true;  // what it says is as telling
  if (wrong.kind != Observation::Kind::value || !wrong.value.defined()) return false;
  if (!right || !right->value.defined() || !(wrong.value.shape() == right->value.shape())) return true;
  const std::vector<double> a = wrong.value.to_vector();
  const std::vector<double> b = right->value.to_vector();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool differs = !(std::abs(a[i] - b[i]) <= recognition * std::abs(b[i]));
    if (differs && std::isfinite(a[i]) && a[i] != std::round(a[i])) return true;
  }
  return false;
}

bool is_telling(const Record& mistake, const Record& solution) {
  for (std::size_t i = 0; i < mistake.observations.size(); ++i) {
    const Observation& wrong = mistake.observations[i];
    const Observation* const right = named(solution.observations, i, wrong.name);
    if ((!right || !same(wrong, *right, recognition)) && is_telling(wrong, right)) return true;
  }
  return false;
}

// Is it a mistake that a learner can have made who is right at the usual setting? There it must show nothing of what it
// explains here, or its numbers are the learner's by chance.
bool is_hidden_usually(std::size_t i, const std::vector<std::string>& explains) {
  const Record usual = observe(exercise.mistakes[i].run, usual_setting()).record;
  const Record right = observe(exercise.solution, usual_setting()).record;
  return std::all_of(explains.begin(), explains.end(), [&](const std::string& name) {
    const Observation* const wrong = named(usual.observations, SIZE_MAX, name);
    const Observation* const expected = named(right.observations, SIZE_MAX, name);
    return (!wrong && !expected) || (wrong && expected && same(*wrong, *expected, recognition));
  });
}

std::vector<std::string> names_of(const Record& record) {
  std::vector<std::string> names;
  for (const Observation& observation : record.observations) names.push_back(observation.name);
  return names;
}

void name_mistakes(const Record& learner, const Record& solution, MistakeRecords& records, Verdict& verdict) {
  const bool elsewhere = !(verdict.setting == usual_setting());
  const Mistake* found = nullptr;
  for (std::size_t i = 0; i < exercise.mistakes.size(); ++i) {
    const Mistake& mistake = exercise.mistakes[i];
    // The simplest stand first, and one explanation is enough.
    const bool is_less_simple =
        found && (mistake.names.size() > found->names.size() || mistake.only_in.empty() != found->only_in.empty());
    if (is_less_simple) break;
    if (!same(learner, records[i], recognition)) continue;
    if (same(records[i], solution, recognition)) continue;  // here it is not a mistake, and explains nothing
    if (elsewhere && !is_hidden_usually(i, names_of(learner))) continue;
    found = &mistake;
    verdict.only_in = mistake.only_in;
    verdict.named_by_numbers = is_telling(records[i], solution);
    if (verdict.named.empty() || verdict.named.back() != mistake.names) verdict.named.push_back(mistake.names);
  }
}

// The names of what this record has otherwise than the solution's, as far as the learner's goes; empty if the learner's
// numbers are not exactly these there.
std::vector<std::string> explained_by(const Record& mistake, const Record& solution, const Record& learner) {
  std::vector<std::string> names;
  bool telling = false;
  for (std::size_t i = 0; i < learner.observations.size(); ++i) {
    const Observation& own = learner.observations[i];
    const Observation* const wrong = named(mistake.observations, i, own.name);
    const Observation* const right = named(solution.observations, i, own.name);
    if (!wrong || (right && same(*wrong, *right, recognition))) continue;
    if (!same(own, *wrong, recognition)) return {};
    names.push_back(own.name);
    if (own.kind == Observation::Kind::text || is_telling(*wrong, right)) telling = true;
  }
  return telling ? names : std::vector<std::string>{};
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool shares_one(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return has(b, name); });
}

// Is all of it explained by the one or the other of the two mistakes, made alone?
bool is_explained_by_singles(const PartlyNamed& pair, const std::vector<PartlyNamed>& candidates) {
  return std::all_of(pair.explains.begin(), pair.explains.end(), [&](const std::string& name) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const PartlyNamed& single) {
      return single.mistakes.size() == 1 && has(pair.mistakes, single.mistakes[0]) && has(single.explains, name);
    });
  });
}

// Each mistake, alone or in a pair, and what it explains: the single ones first.
std::vector<PartlyNamed> possible_parts(const Record& learner, const Record& solution, MistakeRecords& records,
                                        bool elsewhere) {
  std::vector<PartlyNamed> candidates;
  for (std::size_t i = 0; i < exercise.mistakes.size(); ++i) {
    PartlyNamed part{exercise.mistakes[i].names, explained_by(records[i], solution, learner)};
    const bool is_known = std::any_of(candidates.begin(), candidates.end(), [&](const PartlyNamed& other) {
      return other.mistakes == part.mistakes && other.explains == part.explains;
    });
    if (part.explains.empty() || is_known) continue;
    if (part.mistakes.size() > 1 && is_explained_by_singles(part, candidates)) continue;
    if (part.mistakes.size() > part.explains.size()) continue;  // two that show in one place would be a guess
    if (elsewhere && !is_hidden_usually(i, part.explains)) continue;
    candidates.push_back(std::move(part));
  }
  return candidates;
}

// Each difference is explained by one mistake or pair at most, the one that explains most: two that explain the same
// would be a guess, unless one of them is the simpler one.
void name_parts(const Record& learner, const Record& solution, MistakeRecords& records, Verdict& verdict) {
  std::vector<PartlyNamed> candidates =
      possible_parts(learner, solution, records, !(verdict.setting == usual_setting()));
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const PartlyNamed& a, const PartlyNamed& b) { return a.explains.size() > b.explains.size(); });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool ambiguous = std::any_of(candidates.begin(), candidates.end(), [&](const PartlyNamed& other) {
      return &other != &candidates[i] && other.explains == candidates[i].explains &&
             other.mistakes.size() <= candidates[i].mistakes.size();
    });
    const bool taken =
        std::any_of(verdict.partly_named.begin(), verdict.partly_named.end(),
                    [&](const PartlyNamed& one) { return shares_one(one.explains, candidates[i].explains); });
    if (!ambiguous && !taken) verdict.partly_named.push_back(candidates[i]);
  }
}

}  // namespace

void name_parts(const Record& learner, const Record& solution, Verdict& verdict) {
  MistakeRecords records(verdict.setting);
  name_parts(learner, solution, records, verdict);
}

void name_all(const Record& learner, const Record& solution, Verdict& verdict) {
  MistakeRecords records(verdict.setting);
  name_mistakes(learner, solution, records, verdict);
  if (verdict.named.empty()) name_parts(learner, solution, records, verdict);
}

}  // namespace judge
