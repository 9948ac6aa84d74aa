#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 7: how much of the gradient of the last step's loss arrives at the encoder's first state, against the
// length of the sentence, with and without attention; before training, after it, and what follows for learning.
void run_gradient_flow(const ExperimentOptions& options);

}  // namespace translate
