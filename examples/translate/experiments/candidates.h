// What the experiments have in common: data, the models that are compared on them, training each (or taking the one
// that was trained before), and all measures of each.
//
//   const Setting setting = setting_of(options);
//   const std::vector<CandidateResult> results = train_and_test(options, setting, {with_attention, without});
//   const Measured bleu = measured(results[0], &Measures::bleu);
#pragma once

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

// The data, and how a model is made and trained unless its candidate says otherwise.
struct Setting {
  DataOptions data = {};
  ModelOptions model = {};
  TrainingOptions training = {};
  Corpus corpus = {};

  bool is_artificial() const { return data.data.empty(); }
};

struct SettingWishes {
  bool agreement = true;   // of the artificial language (artificial_language.h)
  bool documents = false;  // likewise
};

// Small models on the artificial language, those of `translate train` on a folder.
Setting setting_of(const ExperimentOptions& options, const SettingWishes& wishes = {});

struct Candidate {
  std::string label;
  ModelOptions model = {};
  TrainingOptions training = {};
};

// The setting's model with another attention ("additive", ..), without ("none"), or a Transformer ("transformer"),
// which is trained in a way that suits it: with warm-up, and on the artificial language twice as many epochs at its own
// rate.
Candidate candidate(const Setting& setting, const std::string& label, const std::string& attention);
// All kinds of attention, and a Transformer.
std::vector<Candidate> all_kinds(const Setting& setting);

// One trained model and what it made of the tests.
struct Trained {
  std::uint64_t seed = 0;
  TrainedModel model = {};
  Curve curve = {};
  bool was_kept = false;                                    // trained by an earlier command
  std::vector<std::vector<TranslatedSentence>> tests = {};  // as in the corpus
  std::vector<std::vector<Measures>> measures = {};         // of each test, by length group
};

struct CandidateResult {
  Candidate candidate;
  std::vector<Trained> trained = {};  // one per seed; fewer if it was stopped
};

// All candidates with all seeds, seed by seed. Models are kept in DIR/models, one folder each, whose name has the
// fingerprint of all settings; one that is there already is used, and one that was stopped goes on. After Ctrl-C it
// returns what there is: candidates with a model at least.
std::vector<CandidateResult> train_and_test(const ExperimentOptions& options, const Setting& setting,
                                            const std::vector<Candidate>& candidates);

// A measure of the corpus' test number `test`, a value per seed.
Measured measured(const CandidateResult& result, double Measures::*measure, std::size_t test = 0,
                  LengthGroup group = LengthGroup::all);
// After how many epochs the validation text had, for the first time, at least so many percent of its sentences without
// a mistake: a value for each seed that got there.
Measured epochs_until(const CandidateResult& result, double exact_match);

// Processor time of this program so far, all threads together: unlike the time on the wall it does not count what other
// programs do meanwhile.
double processor_seconds();
// Median processor time of one update, over a few of them with a new model.
double seconds_per_update(const Setting& setting, const Candidate& candidate, std::int64_t updates);

// "the artificial language (6000 sentence pairs to train on)", "multi30k (en to de, ..)"
std::string description(const Setting& setting);
// "the test sentences", "sentences with one clause more than any in training", "test2016"
std::string test_name(const Setting& setting, std::size_t test);
// The groups that are there in this test and not the same as all of it; of one group there is nothing to compare.
std::vector<LengthGroup> groups_of(const CandidateResult& result, std::size_t test);
// How the models of these candidates were trained, and how many were kept from earlier: for the report's settings.
std::vector<std::pair<std::string, std::string>> settings_of(const Setting& setting,
                                                             const std::vector<CandidateResult>& results);

}  // namespace translate
