#include "runner/check/loop_passes.h"

#include <map>
#include <string>

namespace learn {
namespace {

bool same_op(const Step& a, const Step& b) {
  return a.kind == b.kind && a.file == b.file && a.line == b.line && a.name == b.name;
}

// Of the ops [first, last), which are on one line: after how many they repeat themselves, as a loop written in one line
// does. The same op twice is rather a + b + c.
std::size_t period(const std::vector<Step>& steps, std::size_t first, std::size_t last) {
  const std::size_t count = last - first;
  for (std::size_t length = 2; length <= count / 2; ++length) {
    bool repeats = count % length == 0;
    for (std::size_t i = first + length; i < last && repeats; ++i) repeats = same_op(steps[i], steps[i - length]);
    if (repeats) return length;
  }
  return count;
}

}  // namespace

std::vector<Pass> passes_of(const std::vector<Step>& steps) {
  std::vector<Pass> passes(steps.size());
  std::map<int, std::size_t> times;  // of each line
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t last = first + 1;
    const Step& step = steps[first];
    if (step.kind != Step::Kind::op) {
      first = last;
      continue;
    }
    while (last < steps.size() && steps[last].kind == Step::Kind::op && steps[last].line == step.line) ++last;
    const std::size_t length = period(steps, first, last);
    std::size_t& count = times[step.line];
    for (std::size_t i = first; i < last; ++i) {
      passes[i].position = (i - first) % length;
      if (passes[i].position == 0) ++count;
      passes[i].number = count;
    }
    first = last;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Step::Kind::op) passes[i].of = times[steps[i].line];
  }
  return passes;
}

std::size_t first_bad_pass(const std::vector<Step>& steps, const std::vector<Pass>& passes) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != Step::Kind::op || steps[i].in_solution || passes[i].number == 1) continue;
    bool right_before = true;
    std::size_t passes_before = 0;
    for (std::size_t before = 0; before < i; ++before) {
      if (!same_op(steps[before], steps[i]) || passes[before].position != passes[i].position) continue;
      ++passes_before;
      right_before = right_before && steps[before].in_solution;
    }
    if (right_before && passes_before + 1 == passes[i].number) return i;
  }
  return steps.size();
}

}  // namespace learn
