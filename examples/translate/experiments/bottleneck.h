#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 1: attention against a fixed context, in quality, in the course of training, and on short and long
// sentences (Bahdanau, Cho and Bengio 2015, section 5.1).
void run_bottleneck(const ExperimentOptions& options);

}  // namespace translate
