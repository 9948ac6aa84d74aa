#include "judge/candidate.h"

namespace judge {

Candidate candidate_here(Run run) {
  return {[run](const Setting& setting, RunOptions options) { return observe(run, setting, options).record; },
          [run](const Setting& setting) { return watch(run, setting); }};
}

}  // namespace judge
