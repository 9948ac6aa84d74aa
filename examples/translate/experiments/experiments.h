// The experiments of `translate experiment NAME`: each trains what it compares, measures it, and ends in a report
// (DIR/NAME.html, and its text on standard output) with tables, pictures, and what was found.
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

#include "examples/translate/report/html_report.h"

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
  Report (*run)(const ExperimentOptions& options);
  bool keeps_models = true;  // so that it goes on where it was stopped
};

// In the order in which they are best read.
const std::vector<Experiment>& experiments();

// Runs one. 0, or 128 + the number of the signal (130 for Ctrl-C) that stopped it before all was measured: the report
// then holds what there is. Throws bad-argument, which lists the experiments, for a name that is none of them, and for
// options out of range; bad-file for data without a test, for an `out` that cannot be written to, or where another
// experiment is at work; and what training throws.
int run_experiment(const std::string& name, const ExperimentOptions& options);

// The seeds to be run: seed, seed + 1, ..
std::vector<std::uint64_t> seeds_of(const ExperimentOptions& options);

// ---- each of them, in a file of its own ------------------------------------------------------------------------

// Attention against a fixed context, in quality, in the course of training, and on short and long sentences (Bahdanau,
// Cho and Bengio 2015, section 5.1).
Report run_bottleneck(const ExperimentOptions& options);
// Searches the attention of a trained model for four shapes (nn/measures/alignment_patterns.h), counts them, beside the
// known alignments where there are some, and draws the clearest example of each.
Report run_alignments(const ExperimentOptions& options);
// Quality against the length of the source, with attention and without, beyond the lengths of training where the data
// have such sentences (Bahdanau et al. 2015, figure 2).
Report run_length(const ExperimentOptions& options);
// All kinds of attention (nn/attention/attention_kinds.h), no attention, and a Transformer: quality, how soon it was
// learnt, alignment error, cost; what is hard for which; and hierarchical attention on documents, which it is made for.
Report run_variants(const ExperimentOptions& options);
// What attention looks at, by kind of attention and class of word (word_classes.h): alignment error, whether it looks
// one word ahead, entropy. On the artificial language also without agreement, which is why articles look ahead.
Report run_interpretability(const ExperimentOptions& options);
// Additive against scaled dot-product attention: the time of a step against length and size, and quality.
Report run_scores(const ExperimentOptions& options);
// The gradient of the last word's loss at the first word, by length, with attention and without (first_word_model.h).
Report run_gradient_flow(const ExperimentOptions& options);

}  // namespace translate
