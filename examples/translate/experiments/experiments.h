// The experiments of `translate experiment NAME`: each trains what it compares, measures it, and ends in a report
// (DIR/NAME.html, and its table on stdout) with a table, pictures, and a paragraph that says what was found.
//
//   translate experiment gradient-flow --out reports
//   translate experiment bottleneck --out reports --data multi30k --epochs 5
//
// Without --data they work on the artificial language (artificial_language.h). Trained models are kept in DIR/models
// and taken from there when the same experiment, or another one that wants the same model, asks for them again: so one
// that was stopped or killed goes on where it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace translate {

struct ExperimentOptions {
  std::filesystem::path out = "reports";
  std::filesystem::path data = {};  // a folder with train, val and test files; empty: the artificial language
  // Of every training, at least 1. Unless given: 5 over --data, 14 over the artificial language (candidates.h).
  std::optional<std::int64_t> epochs = {};
  std::optional<std::int64_t> steps = {};  // updates after which every training stops, at least 1
  std::uint64_t seed = 1;                  // of the weights and of the order of the sentences: seed, seed + 1, ..
  std::int64_t seeds = 1;  // how many models of each kind are trained; their mean and spread are reported
  bool quick = false;      // everything very small, for tests: seconds, and nothing is learnt
};

struct Experiment {
  std::string name;
  std::string description;  // one line
  void (*run)(const ExperimentOptions& options);
};

// In the order in which they are best read.
const std::vector<Experiment>& experiments();

// Runs one. 0, or 128 + the number of the signal (130 for Ctrl-C) that stopped it before all was measured: the report
// then holds what there is. Throws bad-argument, which lists the experiments, for a name that is none of them, and for
// options out of range; bad-file for data without a test, for an `out` that cannot be written to, or where another
// experiment is at work; and what training throws.
int run_experiment(const std::string& name, const ExperimentOptions& options);

}  // namespace translate
