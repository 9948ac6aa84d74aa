#include "judge/naming.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/exercise.h"

namespace judge {
namespace {

// A mistake is recognised at this relative difference: what two ways of adding the same numbers may differ by.
constexpr double recognition = 1e-7;

// What can be compared of two records: what was observed, by its name, and what was shown on the way, by its turn, too.
struct Key {
  std::size_t call;
  std::string name;
  std::size_t turn;
  bool is_probe() const { return call != SIZE_MAX; }
  auto operator<=>(const Key&) const = default;
};
using Items = std::map<Key, const Observation*>;

Items items_of(const Record& record) {
  Items items;
  for (const Observation& observation : record.observations)
    items.emplace(Key{SIZE_MAX, observation.name, 0}, &observation);
  std::map<ProbeKey, std::size_t> turns;
  for (const Observation& probe : record.probes)
    items.emplace(Key{probe.observations_before, probe.name, turns[key_of(probe)]++}, &probe);
  return items;
}

const Observation* find(const Items& items, const Key& key) {
  const auto found = items.find(key);
  return found == items.end() ? nullptr : found->second;
}

bool is_same(const Key& key, const Observation* a, const Observation* b) {
  return a && b && (key.is_probe() ? same_numbers(*a, *b, recognition) : same(*a, *b, recognition));
}

// Is it a number that hardly anything else gives? A NaN, a 0 and a count have many causes.
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

// A mistake, or two at once, held against what the learner has.
struct Candidate {
  const Mistake* mistake = nullptr;
  bool is_all = false;          // every number is as with it
  std::set<Key> explains = {};  // what is wrong just as with it
  std::size_t telling = 0;      // of these
  bool by_numbers = false;
  std::size_t otherwise = 0;    // what it changes, and the learner has otherwise
  bool is_right_there = false;  // some of that is right

  bool is_pair() const { return mistake->names.size() > 1; }
  bool shows_in_a_result() const {
    return std::any_of(explains.begin(), explains.end(), [](const Key& key) { return !key.is_probe(); });
  }
  // Something else may be wrong, too, and what is right may be written in another way. But two mistakes fit easily
  // somewhere; and what is right was not computed with one that only shows on the way to it.
  bool is_plausible() const {
    return is_all || ((shows_in_a_result() || !is_right_there) && otherwise < telling * (is_pair() ? 1 : 10));
  }
  // Two mistakes must explain more than one of them alone. The simplest stand first in the exercise.
  bool is_better_than(const Candidate& other) const {
    const auto rank = [](const Candidate& one) {
      return std::tuple(!one.is_all, -static_cast<std::ptrdiff_t>(one.telling), one.mistake->names.size(),
                        one.otherwise);
    };
    return rank(*this) < rank(other);
  }
};

class Naming {
 public:
  Naming(const std::function<Record(const Setting&)>& run_again, const Record& learner, const Record& solution,
         const Setting& setting)
      : run_again_(run_again),
        learner_(learner),
        solution_(solution),
        yours_(items_of(learner)),
        right_(items_of(solution)),
        here_(setting) {}

  void name(Verdict& verdict) {
    std::vector<Candidate> candidates = plausible_ones();
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.is_better_than(b); });
    if (!candidates.empty() && candidates[0].is_all) return name_all(candidates, verdict);
    std::set<Key> taken;
    for (const Candidate& one : candidates) {
      const bool is_taken =
          std::any_of(one.explains.begin(), one.explains.end(), [&](const Key& key) { return taken.count(key); });
      if (is_taken || is_guess(one, candidates)) continue;
      taken.insert(one.explains.begin(), one.explains.end());
      verdict.partly_named.push_back({one.mistake->names, names_of(one)});
    }
  }

 private:
  // One explanation is enough, or several that are as simple.
  static void name_all(const std::vector<Candidate>& candidates, Verdict& verdict) {
    verdict.named_by_numbers = candidates[0].by_numbers;
    for (const Candidate& one : candidates) {
      if (candidates[0].is_better_than(one)) return;
      if (verdict.named.empty() || verdict.named.back() != one.mistake->names)
        verdict.named.push_back(one.mistake->names);
    }
  }

  // Another one explains the same, and is as good.
  static bool is_guess(const Candidate& one, const std::vector<Candidate>& candidates) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
      return other.explains == one.explains && other.mistake->names != one.mistake->names && !one.is_better_than(other);
    });
  }

  std::vector<Candidate> plausible_ones() {
    std::vector<Candidate> candidates;
    for (const Mistake& mistake : exercise.mistakes) {
      const auto is_simpler = [&](const Candidate& other) {
        return other.is_all && other.mistake->names.size() < mistake.names.size();
      };
      if (std::any_of(candidates.begin(), candidates.end(), is_simpler)) break;
      Candidate candidate = held_against(mistake);
      if (candidate.is_plausible() && fits_elsewhere(candidate)) candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  Candidate held_against(const Mistake& mistake) const {
    const Record record = observe(mistake.run, here_).record;
    Candidate candidate{&mistake};
    candidate.is_all = same(learner_, record, recognition) && !same(record, solution_, recognition);
    for (const auto& [key, wrong] : items_of(record)) {
      const Observation* const right = find(right_, key);
      const Observation* const own = find(yours_, key);
      if (is_same(key, wrong, right) || (!own && wrong->kind != Observation::Kind::threw)) continue;
      if (is_same(key, own, wrong)) {
        candidate.explains.insert(key);
        const bool by_numbers = is_telling(*wrong, right);
        candidate.by_numbers = candidate.by_numbers || by_numbers;
        if (by_numbers || wrong->kind == Observation::Kind::text) ++candidate.telling;
      } else {
        ++candidate.otherwise;
        candidate.is_right_there = candidate.is_right_there || is_same(key, own, right);
      }
    }
    return candidate;
  }

  // At the usual numbers and sizes, where an answer that is wrong elsewhere is right; and what may fit by chance, with
  // others, too.
  bool fits_elsewhere(const Candidate& candidate) {
    if (elsewhere_.empty()) {
      for (const Setting& setting : {usual_setting(), Setting{axes, usual_seed + 1}, other_settings().front()}) {
        if (!(setting == here_)) elsewhere_.push_back({setting, run_again_(setting)});
      }
    }
    const bool may_be_chance = !candidate.is_all || candidate.is_pair();
    return std::all_of(elsewhere_.begin(), elsewhere_.end(), [&](const auto& there) {
      if (!may_be_chance && !(there.first == usual_setting())) return true;
      const Record record = observe(candidate.mistake->run, there.first).record;
      const Items wrong = items_of(record);
      const Items yours = items_of(there.second);
      return std::all_of(candidate.explains.begin(), candidate.explains.end(), [&](const Key& key) {
        const Observation* const own = find(yours, key);
        const Observation* const other = find(wrong, key);
        return !own || !other || is_same(key, own, other);
      });
    });
  }

  // Of results, or where none is explained, of what was shown on the way.
  std::vector<std::string> names_of(const Candidate& candidate) const {
    std::vector<std::string> names;
    for (const Observation& own : candidate.shows_in_a_result() ? learner_.observations : learner_.probes) {
      const bool is_explained = std::any_of(candidate.explains.begin(), candidate.explains.end(), [&](const Key& key) {
        return key.name == own.name && key.is_probe() != candidate.shows_in_a_result();
      });
      if (is_explained && std::find(names.begin(), names.end(), own.name) == names.end()) names.push_back(own.name);
    }
    return names;
  }

  const std::function<Record(const Setting&)>& run_again_;
  const Record& learner_;
  const Record& solution_;
  Items yours_;
  Items right_;
  Setting here_;
  std::vector<std::pair<Setting, Record>> elsewhere_;
};

}  // namespace

void name_mistakes(const std::function<Record(const Setting&)>& run_again, const Record& learner,
                   const Record& solution, Verdict& verdict) {
  Naming(run_again, learner, solution, verdict.setting).name(verdict);
}

}  // namespace judge
