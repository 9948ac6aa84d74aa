// run_experiment: the experiments of `translate experiment NAME`. Each trains and measures what it compares, and ends
// in a report (DIR/NAME.html, and its text on standard output) with tables, pictures, and what was found.
//
//   translate experiment gradient-flow --out reports
//   translate experiment bottleneck --out reports --data multi30k --epochs 5
//
// Without --data they work on the artificial language (artificial_language.h). DIR/models keeps the trained models for
// all experiments that want the same ones. An experiment that was stopped or killed goes on where it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "examples/translate/report/html_report.h"

namespace translate {

struct ExperimentOptions {
  std::filesystem::path out = "reports";
  std::filesystem::path data = {};  // a folder with train, val and test files; empty: the artificial language
  // Of every training, at least 1. By default 5 on --data, 14 on the artificial language (candidates.h).
  std::optional<std::int64_t> epochs = {};
  std::optional<std::int64_t> steps = {};  // updates after which every training stops, at least 1
  std::uint64_t seed = 1;                  // of the weights and of the order of the sentences: seed, seed + 1, ..
  std::int64_t seeds = 1;  // how many models of each kind are trained; their mean and spread are reported
  bool quick = false;      // everything very small, for tests: takes seconds, learns nothing
};

struct Experiment {
  std::string name;
  std::string description;  // one line
  Report (*run)(const ExperimentOptions& options);
  bool keeps_models = true;  // if so, it goes on where it was stopped
};

// Returns all experiments, in the order in which they are best read.
const std::vector<Experiment>& experiments();

// Runs an experiment. Returns 0, or 128 + the number of the signal that stopped it (130 for Ctrl-C), with a report of
// what had been measured by then. Throws bad-argument, which lists the experiments, for an unknown name, and for
// options out of range; bad-file for data without a test, for an `out` that cannot be written to, or where another
// experiment is at work; and what training throws.
int run_experiment(const std::string& name, const ExperimentOptions& options);

// Returns the seeds to run: seed, seed + 1, ..
std::vector<std::uint64_t> seeds_of(const ExperimentOptions& options);

// ---- the experiments, each in a file of its own ----------------------------------------------------------------

// Attention against a fixed context: quality, progress in training, and short against long sentences (Bahdanau, Cho and
// Bengio 2015, section 5.1).
Report run_bottleneck(const ExperimentOptions& options);
// Searches the attention of a trained model for four shapes (nn/measures/alignment_patterns.h), counts them, compares
// them with the known alignments if there are any, and draws the clearest example of each.
Report run_alignments(const ExperimentOptions& options);
// Quality against the length of the source, with attention and without; also beyond the lengths of training if the data
// have such sentences (Bahdanau et al. 2015, figure 2).
Report run_length(const ExperimentOptions& options);
// All kinds of attention (nn/attention/attention_kinds.h), no attention, and a Transformer: quality, speed of learning,
// alignment error, cost, and hard cases; and hierarchical attention on documents, for which it was made.
Report run_variants(const ExperimentOptions& options);
// What attention looks at, by kind of attention and class of word (word_classes.h): alignment error, looking one word
// ahead, entropy. On the artificial language also without agreement, because agreement makes articles look ahead.
Report run_interpretability(const ExperimentOptions& options);
// Additive against scaled dot-product attention: the time of a step against length and size, and quality.
Report run_scores(const ExperimentOptions& options);
// The gradient of the last word's loss at the first word, by length, with attention and without (first_word_model.h).
Report run_gradient_flow(const ExperimentOptions& options);

}  // namespace translate
