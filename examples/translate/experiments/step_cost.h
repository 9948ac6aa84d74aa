// The time of one decoder step of attention, forward and backward, against the sizes it depends on.
#pragma once

#include <cstdint>
#include <string>

namespace translate {

struct StepSizes {
  std::int64_t batch = 32;
  std::int64_t source = 20;  // S
  std::int64_t dim = 128;    // of state, encoder outputs and attention alike
};

struct StepCost {
  double step_seconds = 0.0;    // scores, weights, context and their derivatives
  double source_seconds = 0.0;  // what is made of the source once per sentence, and its derivatives
};

// Processor time of this program so far, all threads together: unlike the time on the wall it does not count what other
// programs do meanwhile.
double processor_seconds();

// The least of `repeats` measurements of a few steps each, in processor time. `kind` is one of nn::attention_kinds().
StepCost measure_step_cost(const std::string& kind, const StepSizes& sizes, int repeats);

}  // namespace translate
