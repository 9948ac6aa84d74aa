#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 4: all kinds of attention (nn/attention/attention_kinds.h) and no attention, trained alike, and a
// Transformer, trained in its own way (candidates.h): quality, how soon it was learnt, alignment error, entropy,
// parameters, time per update; which is no good at what (hard_cases.h); and hierarchical attention on documents, which
// it is made for. On the artificial language some 13 minutes on one core, most of them for the 14 trainings.
void run_variants(const ExperimentOptions& options);

}  // namespace translate
