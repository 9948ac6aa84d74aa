#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 4: all kinds of attention (nn/attention/attention_kinds.h), no attention, and a Transformer, trained
// alike: quality, alignment error, entropy, parameters, time per update; and hierarchical attention on documents, which
// it is made for.
void run_variants(const ExperimentOptions& options);

}  // namespace translate
