// load_ensemble: the models of several runs as one that translates (nn/translation/ensemble.h).
#pragma once

#include <filesystem>
#include <vector>

#include "examples/translate/training/trained_model.h"

namespace translate {

// Returns the model of `run`, as it is if there are no `others`, otherwise together with theirs. Options and data are
// those of `run`. Throws bad-argument for a run whose words or merges are not those of `run`, and what loading throws.
TrainedModel load_ensemble(const std::filesystem::path& run, const std::vector<std::filesystem::path>& others);

}  // namespace translate
