#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 6: additive against scaled dot-product attention: the time of a step against the length of the source and
// against the size of the vectors, and the quality of models of several sizes.
void run_scores(const ExperimentOptions& options);

}  // namespace translate
