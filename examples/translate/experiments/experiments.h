// run_experiment: the experiments of `translate experiment NAME`. Each trains and measures what it compares, and ends
// in a report (DIR/NAME.md, also on standard output) with tables and pictures.
//
//   translate experiment length --out reports
//   translate experiment bottleneck --out reports --data multi30k --epochs 5
//
// Without --data they work on the artificial language (artificial_language.h), except pairs. DIR/models keeps the
// trained models for all experiments that want the same ones. An experiment that was stopped or killed goes on where it
// was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "examples/translate/report/report.h"

namespace translate {

struct ExperimentOptions {
  std::filesystem::path out = "reports";
  std::filesystem::path data = {};  // a folder with train, val and test files; empty: the artificial language
  // Of every training, at least 1. By default 5 on --data, 8 for pairs, 14 on the artificial language (candidates.h).
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
  bool needs_data = false;  // it has no artificial language to work on
};

// Returns all experiments, in the order in which they are best read.
const std::vector<Experiment>& experiments();

// Runs an experiment. Returns 0, or 128 + the number of the signal that stopped it (130 for Ctrl-C), with a report of
// what had been measured by then. Throws bad-argument, which lists the experiments, for an unknown name, and for
// options out of range or missing; bad-file for data without a test, for an `out` that cannot be written to, or where
// another experiment is at work; and what training throws.
int run_experiment(const std::string& name, const ExperimentOptions& options);

// Returns the seeds to run: seed, seed + 1, ..
std::vector<std::uint64_t> seeds_of(const ExperimentOptions& options);

// ---- the experiments, each in a file of its own; experiments() says what they are about ------------------------

Report run_bottleneck(const ExperimentOptions& options);  // Bahdanau, Cho and Bengio 2015, section 5.1
Report run_alignments(const ExperimentOptions& options);  // the shapes: nn/measures/alignment_patterns.h
// Also beyond the lengths of training, if the data have such sentences (Bahdanau et al. 2015, figure 2).
Report run_length(const ExperimentOptions& options);
Report run_variants(const ExperimentOptions& options);
// By class of word (word_classes.h). On the artificial language also without agreement, which makes articles look
// ahead.
Report run_interpretability(const ExperimentOptions& options);
// From whole words to an ensemble: what is usually done around a model, step by step.
Report run_steps(const ExperimentOptions& options);
// The differences between languages that attention shows: pair_traits.h.
Report run_pairs(const ExperimentOptions& options);

}  // namespace translate
