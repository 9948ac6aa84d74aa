#include "examples/translate/training/ensemble_of_runs.h"

#include <fmt/core.h>
#include <nn/translation/ensemble.h>

#include "examples/translate/messages.h"
#include "examples/translate/training/run_folder.h"

namespace translate {

TrainedModel load_ensemble(const std::filesystem::path& run, const std::vector<std::filesystem::path>& others) {
  TrainedModel first = load_model(model_file_of(run));
  if (others.empty()) return first;
  std::vector<std::unique_ptr<nn::TranslationModel>> members;
  members.push_back(std::move(first.model));
  for (const std::filesystem::path& other : others) {
    TrainedModel next = load_model(model_file_of(other));
    if (next.source != first.source || next.target != first.target) {
      refuse_option(fmt::format("{} and {} have different vocabularies or merges", run.string(), other.string()),
                    "train both on the same data, alike in --bpe, --min-frequency and --tying all");
    }
    members.push_back(std::move(next.model));
  }
  first.model = std::make_unique<nn::Ensemble>(std::move(members));
  return first;
}

}  // namespace translate
