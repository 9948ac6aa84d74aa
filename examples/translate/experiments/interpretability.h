#pragma once

#include "examples/translate/experiments/experiments.h"

namespace translate {

// Experiment 5: what attention looks at, by class of word (word_classes.h): entropy, and how often its strongest weight
// is where the known alignment says, or one word further. On the artificial language with and without articles that
// agree with their noun, which is what makes attention look ahead.
void run_interpretability(const ExperimentOptions& options);

}  // namespace translate
