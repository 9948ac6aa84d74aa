#include "examples/translate/experiments/candidates.h"

#include <fmt/format.h>
#include <nn/attention/attention_kinds.h>
#include <nn/saving/fingerprint.h>

#include <algorithm>

#include "examples/translate/data/corpus.h"
#include "examples/translate/evaluation.h"
#include "examples/translate/messages.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/stop_signal.h"
#include "examples/translate/training/training_run.h"

namespace translate {

namespace {

// ---- settings ----------------------------------------------------------------------------------------------------

// Large enough to learn the artificial language, small enough to do so in about a minute. The slowest kind of attention
// needs this many epochs, so that all that can learn it have done so when they are compared.
void make_small(Setting& setting) {
  setting.model.dim = 64;
  setting.model.dropout = 0.1;
  setting.training.batch = 32;
  setting.training.lr = 3e-3;
  setting.training.epochs = 14;
}

// A Transformer needs a warm-up. It learns the artificial language more slowly than the others, and badly at their
// learning rate, so it gets a rate of its own and twice the epochs.
void suit_transformer(TrainingOptions& training, const Setting& setting) {
  training.warmup = 400;
  if (!setting.is_artificial()) return;
  training.epochs *= 2;
  training.lr = 2e-3;
  training.warmup = 200;
}

// Learns nothing: this only tries out whether everything runs.
void make_tiny(Setting& setting) {
  setting.model.dim = 8;
  setting.training.batch = 8;
  setting.training.epochs = 1;
  setting.training.steps = 3;
  const auto shorten = [](ParallelText& text) { text.pairs.resize(std::min<std::size_t>(text.pairs.size(), 12)); };
  shorten(setting.corpus.train);
  shorten(setting.corpus.validation);
  for (ParallelText& test : setting.corpus.tests) shorten(test);
}

}  // namespace

Setting setting_of(const ExperimentOptions& options, const DataOptions& data) {
  Setting setting;
  setting.data = data;
  setting.data.data = options.data.string();
  if (options.data.empty() && options.quick) setting.data.pairs = 12;
  setting.corpus = load_corpus(setting.data);
  if (setting.corpus.tests.empty()) {
    refuse_files(fmt::format("{} has no test: no test*.{} with its test*.{}", setting.data.data,
                             setting.data.source_language, setting.data.target_language),
                 "what an experiment compares is measured on a test: put one there");
  }
  setting.training.epochs = 5;
  if (setting.is_artificial()) make_small(setting);
  setting.training.epochs = options.epochs.value_or(setting.training.epochs);
  setting.training.steps = options.steps.value_or(setting.training.steps);
  if (options.quick) make_tiny(setting);
  return setting;
}

Candidate candidate(const Setting& setting, const std::string& label, const std::string& attention) {
  Candidate result{label, setting.model, setting.training, setting.data};
  if (attention == "none") {
    result.model.model = "vanilla";
  } else if (attention == "transformer") {
    result.model.model = "transformer";
    suit_transformer(result.training, setting);
  } else {
    result.model.attention = attention;
  }
  return result;
}

std::vector<Candidate> all_kinds(const Setting& setting) {
  std::vector<Candidate> candidates;
  for (const std::string& kind : nn::attention_kinds()) candidates.push_back(candidate(setting, kind, kind));
  candidates.push_back(candidate(setting, "transformer", "transformer"));
  return candidates;
}

// ---- training ----------------------------------------------------------------------------------------------------

namespace {

std::filesystem::path folder_of(const ExperimentOptions& options, const Setting& setting, const Candidate& candidate,
                                std::uint64_t seed) {
  nn::Fingerprint settings;
  settings.add(to_json(candidate.model).dump());
  settings.add(to_json(candidate.training).dump());
  settings.add(candidate.data.bpe);
  settings.add(fingerprint_of(setting.corpus));
  const ModelOptions& model = candidate.model;
  const std::string kind = model.model == "attention" ? model.attention : model.model;
  return options.out / "models" / fmt::format("{}-{}-seed{}-{}", kind, model.dim, seed, settings.text());
}

std::optional<Trained> train_one(const ExperimentOptions& options, const Setting& setting, const Candidate& candidate,
                                 std::uint64_t seed) {
  RunOptions run{.folder = folder_of(options, setting, candidate, seed),
                 .model = candidate.model,
                 .data = candidate.data,
                 .training = candidate.training,
                 .if_exists = IfRunExists::resume_or_start};
  run.training.seed = seed;
  say(fmt::format("{}, seed {}: {}\n", candidate.label, seed, run.folder.string()));
  const RunResult result = train_run(run, &setting.corpus);
  if (result.stopped_by != 0) return std::nullopt;
  const bool was_kept = result.target_words == 0;
  if (was_kept)
    say(fmt::format("{}, seed {}: trained before with the same settings, and taken\n", candidate.label, seed));
  Trained trained{.seed = seed,
                  .run = run.folder,
                  .model = load_model(model_file_of(run.folder)),
                  .curve = result.curve,
                  .was_kept = was_kept};
  if (!translate_tests(trained, setting, candidate.search)) return std::nullopt;
  return trained;
}

}  // namespace

bool translate_tests(Trained& trained, const Setting& setting, const SearchSettings& search) {
  for (const ParallelText& test : setting.corpus.tests) {
    std::optional<std::vector<TranslatedSentence>> sentences = translate_text(trained.model, test, search, stop_wanted);
    if (!sentences) return false;
    trained.measures.push_back(measures_by_length(*sentences));
    trained.tests.push_back(std::move(*sentences));
  }
  return true;
}

std::vector<CandidateResult> train_and_test(const ExperimentOptions& options, const Setting& setting,
                                            const std::vector<Candidate>& candidates) {
  std::vector<CandidateResult> results;
  for (const Candidate& one : candidates) results.push_back({one});
  for (const std::uint64_t seed : seeds_of(options)) {
    for (CandidateResult& result : results) {
      if (stop_wanted()) continue;
      std::optional<Trained> trained = train_one(options, setting, result.candidate, seed);
      if (trained) result.trained.push_back(std::move(*trained));
    }
  }
  std::erase_if(results, [](const CandidateResult& result) { return result.trained.empty(); });
  return results;
}

// ---- measuring ---------------------------------------------------------------------------------------------------

Measured measured(const CandidateResult& result, double Measures::*measure, std::size_t test, LengthGroup group) {
  Measured values;
  for (const Trained& trained : result.trained) {
    values.values.push_back(trained.measures.at(test).at(static_cast<std::size_t>(group)).*measure);
  }
  return values;
}

Measured epochs_until(const CandidateResult& result, double exact_match) {
  Measured epochs;
  for (const Trained& trained : result.trained) {
    const auto is_there = [exact_match](const CurvePoint& point) { return point.exact_match >= exact_match; };
    const auto first = std::ranges::find_if(trained.curve, is_there);
    if (first != trained.curve.end()) epochs.values.push_back(static_cast<double>(first->epoch));
  }
  return epochs;
}

// ---- for reports -------------------------------------------------------------------------------------------------

std::string description(const Setting& setting) {
  const std::size_t pairs = setting.corpus.train.pairs.size();
  if (setting.is_artificial()) return fmt::format("the artificial language ({} sentence pairs to train on)", pairs);
  return fmt::format("{} ({} to {}, {} sentence pairs to train on)",
                     std::filesystem::path(setting.data.data).filename().string(), setting.corpus.source_language,
                     setting.corpus.target_language, pairs);
}

std::string test_name(const Setting& setting, std::size_t test) {
  if (!setting.is_artificial()) return setting.corpus.tests[test].name;
  return test == 0 ? "the test sentences" : "sentences with one clause more than any in training";
}

std::vector<LengthGroup> groups_of(const CandidateResult& result, std::size_t test) {
  const std::vector<TranslatedSentence>& sentences = result.trained.front().tests[test];
  std::vector<LengthGroup> groups;
  for (const LengthGroup group : all_length_groups) {
    const auto is_in_it = [group](const TranslatedSentence& sentence) { return belongs_to(sentence, group); };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(sentences, is_in_it));
    const bool is_all = count == sentences.size();
    if (group == LengthGroup::all || (count > 0 && !is_all)) groups.push_back(group);
  }
  return groups;
}

std::vector<std::pair<std::string, std::string>> settings_of(const Setting& setting,
                                                             const std::vector<CandidateResult>& results) {
  std::vector<std::pair<std::string, std::string>> lines = {{"data", description(setting)}};
  for (const CandidateResult& result : results) {
    const TrainingOptions& training = result.candidate.training;
    std::vector<std::uint64_t> seeds;
    for (const Trained& trained : result.trained) seeds.push_back(trained.seed);
    lines.emplace_back(result.candidate.label,
                       fmt::format("dim {}, {}, batch {}, Adam {}, warm-up {}, seeds {}", result.candidate.model.dim,
                                   counted(training.epochs, "epoch"), training.batch, training.lr, training.warmup,
                                   fmt::join(seeds, " ")));
  }
  return lines;
}

}  // namespace translate
