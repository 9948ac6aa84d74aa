#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 3: quality against the length of the source sentence, with attention and without, beyond the lengths of
// training where the data have such sentences (Bahdanau, Cho and Bengio 2015, figure 2).
void run_length(const ExperimentOptions& options);

}  // namespace translate
