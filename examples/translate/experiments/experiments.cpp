#include "examples/translate/experiments/experiments.h"

#include <fmt/format.h>

#include "examples/translate/experiments/alignments.h"
#include "examples/translate/experiments/bottleneck.h"
#include "examples/translate/experiments/experiment_report.h"
#include "examples/translate/experiments/gradient_flow.h"
#include "examples/translate/experiments/interpretability.h"
#include "examples/translate/experiments/length.h"
#include "examples/translate/experiments/scores.h"
#include "examples/translate/experiments/variants.h"
#include "examples/translate/messages.h"
#include "examples/translate/refuse.h"
#include "examples/translate/run_folder.h"
#include "examples/translate/stop_signal.h"

namespace translate {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      {"bottleneck", "attention against a fixed context: quality, curves, short against long sentences",
       run_bottleneck},
      {"alignments", "monotonic, reordering, one-to-many and many-to-one, found in the model's own attention",
       run_alignments},
      {"length", "quality against the length of the sentence, with and without attention", run_length},
      {"variants", "all kinds of attention and the Transformer: quality, alignment, size and time", run_variants},
      {"interpretability", "what attention looks at, by class of word: entropy and alignment error",
       run_interpretability},
      {"scores", "additive against scaled dot-product attention: cost and quality", run_scores},
      {"gradient-flow", "the gradient of the last word's loss at the first word, against length", run_gradient_flow},
  };
  return all;
}

namespace {

[[noreturn]] void refuse_name(const std::string& name) {
  std::string known;
  for (const Experiment& experiment : experiments()) known += (known.empty() ? "" : ", ") + experiment.name;
  refuse_option(fmt::format("there is no experiment \"{}\"", name), "choose one of " + known);
}

const Experiment& experiment_called(const std::string& name) {
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
  }
  refuse_name(name);
}

}  // namespace

int run_experiment(const std::string& name, const ExperimentOptions& options) {
  const Experiment& experiment = experiment_called(name);
  if (options.epochs) check_range("epochs", *options.epochs, 1, 1'000'000);
  if (options.steps) check_range("steps", *options.steps, 1, 1'000'000'000);
  check_range("seeds", options.seeds, 1, 1000);
  // Of the whole folder: two that want the same models would otherwise get in each other's way after minutes.
  const RunLock lock(options.out, "experiment");
  const StopSignal listening;
  experiment.run(options);
  if (StopSignal::received() == 0) return 0;
  say(fmt::format("Stopped. Go on with the same command: {}\n", command_line(name, options)));
  return 128 + StopSignal::received();
}

}  // namespace translate
