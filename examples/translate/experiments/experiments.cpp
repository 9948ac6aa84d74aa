#include "examples/translate/experiments/experiments.h"

#include <fmt/ranges.h>

#include <cstdio>

#include "examples/translate/messages.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/stop_signal.h"

namespace translate {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      {"bottleneck", "attention against a fixed context: quality, curves, short against long sentences",
       run_bottleneck},
      {"alignments", "monotonic, reordering, one-to-many and many-to-one, found in the model's own attention",
       run_alignments},
      {"length", "quality against the length of the sentence, with and without attention", run_length},
      {"variants", "all kinds of attention and the Transformer: quality, alignment and size", run_variants},
      {"interpretability", "what attention looks at, by class of word: entropy and alignment error",
       run_interpretability},
      {"steps", "what subwords, a longer training, dropout, smoothing, averaging, a beam and an ensemble are worth",
       run_steps, true},
      {"pairs", "four languages: order, articles and compounds in the attention of EN-DE, EN-FR, EN-CS and DE-EN",
       run_pairs, true},
  };
  return all;
}

std::vector<std::uint64_t> seeds_of(const ExperimentOptions& options) {
  std::vector<std::uint64_t> seeds;
  for (std::int64_t i = 0; i < options.seeds; ++i) seeds.push_back(options.seed + static_cast<std::uint64_t>(i));
  return seeds;
}

namespace {

const Experiment& experiment_called(const std::string& name) {
  std::vector<std::string> known;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    known.push_back(experiment.name);
  }
  refuse_option(fmt::format("there is no experiment \"{}\"", name),
                fmt::format("choose one of {}", fmt::join(known, ", ")));
}

}  // namespace

int run_experiment(const std::string& name, const ExperimentOptions& options) {
  const Experiment& experiment = experiment_called(name);
  if (options.epochs) check_range("epochs", *options.epochs, 1, 1'000'000);
  if (options.steps) check_range("steps", *options.steps, 1, 1'000'000'000);
  check_range("seeds", options.seeds, 1, 1000);
  if (experiment.needs_data && options.data.empty()) {
    refuse_option(fmt::format("the experiment {} needs --data", name),
                  "give a folder with train, val and test files in all its languages");
  }
  // Locks the whole folder: two experiments that want the same models would otherwise collide after minutes.
  const RunLock lock(options.out, "experiment");
  const StopSignal listening;
  Report report = experiment.run(options);
  if (stop_wanted()) {
    report.note =
        "This experiment was stopped before its end. What follows is what had been measured by then. The same command "
        "goes on where it was stopped.";
  }
  // The text comes first, so that it is there even if the disk is full.
  fmt::print("{}\n", report.markdown(name));
  std::fflush(stdout);
  fmt::print("The report with its pictures: {}\n", report.write(options.out, name));
  std::fflush(stdout);
  if (!stop_wanted()) return 0;
  say("Stopped. The same command goes on.\n");
  return 128 + StopSignal::received();
}

}  // namespace translate
