#include <fmt/format.h>

#include <algorithm>

#include "examples/translate/experiments/figures.h"
#include "examples/translate/experiments/shapes.h"
#include "examples/translate/training/ensemble_of_runs.h"
#include "examples/translate/training/recipes.h"
#include "examples/translate/training/stop_signal.h"

namespace translate {
namespace {

constexpr std::int64_t beam = 5;
constexpr std::size_t drawn = 5;  // translations with their attention

// ---- the steps, each on top of those before it ----------------------------------------------------------------------

// The options of the recipe with these names, and nothing else of it.
void take_from_recipe(Candidate& candidate, const std::vector<std::string>& names) {
  RunOptions run;
  apply_recipe("lium-gru", run);
  Json wanted = Json::object();
  for (const std::string& name : names) wanted[name] = to_json(run)[name];
  set_options(candidate.model, wanted);
  set_options(candidate.training, wanted);
  set_options(candidate.data, wanted);
}

std::vector<Candidate> all_steps(const Setting& setting) {
  std::vector<Candidate> steps = {candidate(setting, "whole words", "additive")};
  const auto add = [&steps](const std::string& label) -> Candidate& {
    steps.push_back(steps.back());
    steps.back().label = label;
    return steps.back();
  };
  take_from_recipe(add("pieces of words"), {"bpe"});
  take_from_recipe(add("the conditional GRU, tied"), {"conditional", "embedding", "tying"});
  take_from_recipe(add("trained until it stops"), {"epochs", "patience", "best-by"});
  take_from_recipe(add("dropout on contexts and output"), {"context-dropout", "output-dropout"});
  add("label smoothing").training.label_smoothing = 0.1;
  add("mean of five epochs").training.average = 5;
  add(fmt::format("beam of {}", beam)).search.beam = beam;
  return steps;
}

// All seeds of the last step as one model. Returns nothing if it was stopped.
std::optional<CandidateResult> ensemble_of(const CandidateResult& last, const Setting& setting) {
  std::vector<std::filesystem::path> others;
  for (std::size_t i = 1; i < last.trained.size(); ++i) others.push_back(last.trained[i].run);
  const std::filesystem::path& first = last.trained.front().run;
  CandidateResult result{last.candidate};
  result.candidate.label = fmt::format("ensemble of {}", last.trained.size());
  Trained& together = result.trained.emplace_back(Trained{.run = first, .model = load_ensemble(first, others)});
  if (!translate_tests(together, setting, last.candidate.search)) return std::nullopt;
  return result;
}

// ---- the report --------------------------------------------------------------------------------------------------

std::vector<Column> columns_of() {
  const auto unknown = [](const CandidateResult& result) {
    Measured values;
    for (const Trained& trained : result.trained) {
      values.values.push_back(static_cast<double>(trained.measures.front().front().unknown_words));
    }
    return values;
  };
  const auto epochs = [](const CandidateResult& result) {
    Measured values;
    for (const Trained& trained : result.trained) {
      if (!trained.curve.empty()) values.values.push_back(static_cast<double>(trained.curve.back().epoch));
    }
    return values;
  };
  const auto parameters = [](const CandidateResult& result) {
    return Measured{{static_cast<double>(result.trained.front().model.model->num_parameters())}};
  };
  return {columns::bleu,
          column("BLEU (13a, detokenised)", &Measures::bleu_detokenized),
          column("BLEU (papers' tokens)", &Measures::bleu_papers_tokens),
          column("perplexity", &Measures::perplexity, 2),
          {"unknown words", unknown, 0},
          {"epochs", epochs, 0},
          {"parameters", parameters, 0}};
}

// Sentences from all over the test that are short enough for a picture. Their attention over pieces is joined to words.
void draw_examples(Report& report, const std::vector<TranslatedSentence>& sentences) {
  std::vector<const TranslatedSentence*> short_ones;
  for (const TranslatedSentence& sentence : sentences) {
    if (can_be_drawn(sentence) && !sentence.translation.empty()) short_ones.push_back(&sentence);
  }
  report.heading("Translations of the last step");
  for (std::size_t i = 0; i < std::min(drawn, short_ones.size()); ++i) {
    const std::string name = fmt::format("example-{}", i + 1);
    draw_found(report, name, "", *short_ones[i * short_ones.size() / drawn], {});
  }
}

}  // namespace

Report run_steps(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  std::vector<CandidateResult> done = train_and_test(options, setting, all_steps(setting));
  Report report("From whole words to an ensemble, step by step");
  report.settings = settings_of(setting, done);
  if (done.empty()) return report;
  report.paragraph("Each row has all that the rows above it have.");
  const std::vector<TranslatedSentence>& examples = done.back().trained.front().tests.front();
  std::optional<CandidateResult> ensemble;
  if (!stop_wanted() && done.back().trained.size() > 1) ensemble = ensemble_of(done.back(), setting);
  std::vector<CandidateResult> rows = std::move(done);
  if (ensemble) rows.push_back(std::move(*ensemble));
  report.table(table_of("On " + test_name(setting, 0), rows, columns_of()));
  report.picture("curves",
                 training_curves(rows, &CurvePoint::bleu,
                                 {.title = "BLEU on the validation sentences", .x_axis = "epochs", .y_axis = "BLEU"}),
                 "BLEU on the validation sentences, greedy, in the course of training");
  draw_examples(report, examples);
  return report;
}

}  // namespace translate
