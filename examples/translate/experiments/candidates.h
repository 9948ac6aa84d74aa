// Setting, Candidate, train_and_test: what the experiments share. They load data, say which models to compare on them,
// train each model (or take one that was trained before), and measure it.
//
//   const Setting setting = setting_of(options);
//   const std::vector<CandidateResult> results = train_and_test(options, setting, {with_attention, without});
//   const Measured bleu = measured(results[0], &Measures::bleu);
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "examples/translate/experiments/experiments.h"
#include "examples/translate/experiments/measured.h"
#include "examples/translate/options.h"
#include "examples/translate/report/measures.h"
#include "examples/translate/training/curve.h"
#include "examples/translate/training/trained_model.h"

namespace translate {

// The data, and how models are made and trained unless a candidate says otherwise.
struct Setting {
  DataOptions data = {};
  ModelOptions model = {};
  TrainingOptions training = {};
  Corpus corpus = {};

  bool is_artificial() const { return data.data.empty(); }
};

// Returns the setting for these options: small models for the artificial language, and those of `translate train` for a
// folder. `data` says more of either. Throws bad-file for data without a test, and what load_corpus throws.
Setting setting_of(const ExperimentOptions& options, const DataOptions& data = {});

struct Candidate {
  std::string label;
  ModelOptions model = {};
  TrainingOptions training = {};
  DataOptions data = {};       // of the setting's corpus
  SearchSettings search = {};  // for the tests
};

// Returns the setting's model with the given kind of attention ("additive", ..), without ("none"), or a Transformer
// ("transformer"). That is trained as suits it: with warm-up, and on the artificial language for twice as many epochs
// at a learning rate of its own.
Candidate candidate(const Setting& setting, const std::string& label, const std::string& attention);
// Returns a candidate for each kind of attention, and a Transformer.
std::vector<Candidate> all_kinds(const Setting& setting);

// One trained model and what it made of the tests.
struct Trained {
  std::uint64_t seed = 0;
  std::filesystem::path run = {};  // its folder
  TrainedModel model = {};
  Curve curve = {};
  bool was_kept = false;                                    // trained by an earlier command
  std::vector<std::vector<TranslatedSentence>> tests = {};  // in the order of the corpus
  std::vector<std::vector<Measures>> measures = {};         // for each test, by length group
};

struct CandidateResult {
  Candidate candidate;
  std::vector<Trained> trained = {};  // one per seed; fewer if it was stopped
};

// Trains and tests all candidates, seed by seed. DIR/models keeps each model in a folder with the fingerprint of all
// settings in its name: a finished model is used again, and a stopped training goes on. After Ctrl-C, returns the
// candidates that have at least one model.
std::vector<CandidateResult> train_and_test(const ExperimentOptions& options, const Setting& setting,
                                            const std::vector<Candidate>& candidates);

// Translates the tests of the setting's corpus with the model, and measures them. Returns false if it was stopped.
bool translate_tests(Trained& trained, const Setting& setting, const SearchSettings& search);

// Returns a measure of the corpus' test number `test`, with a value per seed.
Measured measured(const CandidateResult& result, double Measures::*measure, std::size_t test = 0,
                  LengthGroup group = LengthGroup::all);
// Returns after how many epochs at least `exact_match` percent of the validation sentences were first without a
// mistake, with a value for each seed that got there.
Measured epochs_until(const CandidateResult& result, double exact_match);

// Returns "the artificial language (6000 sentence pairs to train on)", "multi30k (en to de, ..)".
std::string description(const Setting& setting);
// Returns "the test sentences", "sentences with one clause more than any in training", "test2016".
std::string test_name(const Setting& setting, std::size_t test);
// Returns the length groups that this test has: `all`, and those that some but not all of its sentences belong to.
std::vector<LengthGroup> groups_of(const CandidateResult& result, std::size_t test);
// Returns the data and how these candidates were trained, for the report's settings.
std::vector<std::pair<std::string, std::string>> settings_of(const Setting& setting,
                                                             const std::vector<CandidateResult>& results);

}  // namespace translate
