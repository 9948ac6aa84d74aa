#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 2: shapes of alignments (alignment_patterns.h) in the attention of a trained model while it translates:
// how often each occurs, the clearest example of each as a heatmap, and how often the known alignment has it too.
void run_alignments(const ExperimentOptions& options);

}  // namespace translate
