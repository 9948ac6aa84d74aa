#include "course/naming.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "course/exercise.h"

namespace course {
namespace {

// A mistake is recognised at this relative difference: what two ways of adding the same numbers may differ by.
constexpr double recognition = 1e-7;

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

}  // namespace

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

}  // namespace course
