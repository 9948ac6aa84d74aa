#include "judge/causes.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace judge {
namespace {

bool is_changed_input(const Difference& difference) {
  return difference.kind == Difference::Kind::changed_input;
}

bool is_forbidden_call(const Difference& difference) {
  return difference.kind == Difference::Kind::forbidden_call;
}

bool is_wrong_shape(const Difference& difference) {
  return difference.kind == Difference::Kind::shape;
}

// A NaN is its own cause, which is looked for elsewhere.
bool is_not_finite(const Difference& difference) {
  return std::any_of(difference.entries.begin(), difference.entries.end(), [](const Difference::Entry& entry) {
    return !std::isfinite(entry.yours) && std::isfinite(entry.expected);
  });
}

bool has_any(const Verdict& verdict, bool (*is_cause)(const Difference&)) {
  return std::any_of(verdict.differences.begin(), verdict.differences.end(), is_cause);
}

bool is_nearly_right(const Difference& difference) {
  return !difference.clues.empty() && difference.clues[0].kind == Clue::Kind::nearly_right;
}

bool is_far_off(const Difference& difference) {
  return !difference.is_property() && !is_nearly_right(difference);
}

// Where the first position along an axis was right among several, it is right alone, too.
bool is_news_at_one(const Verdict& verdict, const std::string& axis) {
  return std::any_of(verdict.differences.begin(), verdict.differences.end(), [&](const Difference& difference) {
    const auto& right = difference.begins_right_along;
    return !difference.is_property() && std::find(right.begin(), right.end(), axis) == right.end();
  });
}

// Where it is what was asked before that makes the numbers wrong, they say nothing themselves.
void leave_out_what_follows_from_history(Verdict& verdict) {
  if (!verdict.right_when_first) return;
  for (Difference& difference : verdict.differences) {
    difference.clues.clear();
    difference.guesses.clear();
  }
  verdict.first_probe.reset();
  verdict.shrunk.clear();
}

bool is_about(const Clue& clue, const std::string& axis) {
  return clue.name == axis || std::any_of(clue.sources.begin(), clue.sources.end(), [&](const FactorSource& source) {
           return std::any_of(source.axes.begin(), source.axes.end(),
                              [&](const Axis& other) { return other.name == axis; });
         });
}

// What else is said of the numbers has nothing to do with that axis.
bool other_clues_pass_over(const Verdict& verdict, const std::string& axis) {
  bool any = false;
  const auto mentions = [&](const Difference& difference) {
    any = any || !difference.clues.empty();
    return std::any_of(difference.clues.begin(), difference.clues.end(),
                       [&](const Clue& clue) { return is_about(clue, axis); });
  };
  return std::none_of(verdict.differences.begin(), verdict.differences.end(), mentions) && any;
}

}  // namespace

void put_causes_first(Verdict& verdict) {
  std::stable_partition(verdict.differences.begin(), verdict.differences.end(), [](const Difference& difference) {
    return is_changed_input(difference) || is_forbidden_call(difference);
  });
}

void leave_out_what_follows_from_shapes(Verdict& verdict) {
  auto& differences = verdict.differences;
  const auto shape = std::find_if(differences.begin(), differences.end(), is_wrong_shape);
  differences.erase(
      std::remove_if(shape, differences.end(),
                     [](const Difference& difference) { return difference.kind == Difference::Kind::property; }),
      differences.end());
}

void leave_out_idle_clues(Verdict& verdict) {
  leave_out_what_follows_from_history(verdict);
  const bool changed_input = has_any(verdict, is_changed_input);
  const bool has_other_cause = changed_input || verdict.threw() || has_any(verdict, is_forbidden_call) ||
                               has_any(verdict, is_wrong_shape) || has_any(verdict, is_not_finite);
  const bool guess = !has_other_cause && verdict.named.empty() && !verdict.first_probe;
  const auto settle = [&](Difference& difference) {
    if (changed_input && verdict.named.empty()) difference.clues.clear();
    if (guess) difference.clues.insert(difference.clues.end(), difference.guesses.begin(), difference.guesses.end());
  };
  if (has_any(verdict, is_far_off)) {
    for (Difference& difference : verdict.differences) {
      if (is_nearly_right(difference)) difference.clues.clear();
    }
  }
  for (Difference& difference : verdict.differences) settle(difference);
  if (verdict.first_probe) settle(verdict.first_probe->difference);
  if (has_other_cause && verdict.named.empty()) verdict.shrunk.clear();
  for (Shrunk& axis : verdict.shrunk) {
    axis.right_at_one =
        axis.right_at_one && is_news_at_one(verdict, axis.axis) && !other_clues_pass_over(verdict, axis.axis);
  }
  if (changed_input) verdict.partly_named.clear();
}

}  // namespace judge
