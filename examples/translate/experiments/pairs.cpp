#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/pair_traits.h"
#include "examples/translate/experiments/shapes.h"
#include "examples/translate/training/recipes.h"

namespace translate {
namespace {

// ---- what is compared --------------------------------------------------------------------------------------------

struct LanguagePair {
  std::string label;
  std::string source;
  std::string target;
  std::string trait;  // what its examples show
  FindTrait find;
};

const std::vector<LanguagePair>& language_pairs() {
  static const std::vector<LanguagePair> all = {
      {"EN-DE", "en", "de",
       "the last word before the full stop looks most at a source word three or more before the furthest one that was "
       "clearly looked at",
       find_far_reach},
      {"EN-FR", "en", "fr", "two neighbours clearly look at two source neighbours in the opposite order", find_swap},
      {"EN-CS", "en", "cs", "all articles of the source, two or more, receive less than 0.2 attention each",
       find_neglected_articles},
      {"DE-EN", "de", "en", std::string(description(nn::AlignmentPattern::one_to_many)), find_one_to_many},
  };
  return all;
}

// The recipe of the four models: that of an attentive GRU, made small. Everything they have in common is set here.
Setting make_pair_setting(const ExperimentOptions& options, const LanguagePair& pair) {
  Setting setting = setting_of(options, {.source_language = pair.source, .target_language = pair.target});
  RunOptions run{.model = setting.model, .data = setting.data, .training = setting.training};
  run.data.bpe = 5000;
  run.training.label_smoothing = 0.1;
  if (!options.quick) {
    run.model.dim = 128;
    run.training.epochs = options.epochs.value_or(8);
  }
  run.given = {"bpe", "dim", "epochs", "batch", "lr"};  // few epochs need a higher rate than the paper's
  apply_recipe("lium-gru", run);
  setting.model = run.model;
  setting.data = run.data;
  setting.training = run.training;
  return setting;
}

struct PairResult {
  const LanguagePair* pair = nullptr;
  Setting setting = {};
  std::vector<CandidateResult> done = {};  // of one model; none before its first seed is done
  std::vector<PairTraits> traits = {};     // one per seed
};

void train(const ExperimentOptions& options, PairResult& result) {
  result.done = train_and_test(options, result.setting, {candidate(result.setting, result.pair->label, "additive")});
  if (result.done.empty()) return;
  for (const Trained& trained : result.done.front().trained) {
    result.traits.push_back(traits_of(trained.tests.front(), result.pair->source));
  }
}

// ---- numbers and statements --------------------------------------------------------------------------------------

// A number that every model has.
struct Number {
  std::string name;
  std::function<double(const PairTraits&)> of;
  int digits = 1;
};

Number shape_share(nn::AlignmentPattern pattern) {
  const auto of = [pattern](const PairTraits& traits) { return traits.shapes[static_cast<std::size_t>(pattern)]; };
  return {fmt::format("sentences with shape {}, %", name(pattern)), of};
}
Number distance(const std::string& part, std::size_t third) {
  return {"distance from the diagonal, " + part + " third, % of the sentence",
          [third](const PairTraits& traits) { return 100.0 * traits.diagonal.mean(third); }};
}
Number measure_of(const std::string& name, double Measures::*measure, int digits = 1) {
  return {name, [measure](const PairTraits& traits) { return traits.measures.*measure; }, digits};
}

namespace numbers {
const Number reordering = shape_share(nn::AlignmentPattern::reordering);
const Number one_to_many = shape_share(nn::AlignmentPattern::one_to_many);
const Number many_to_one = shape_share(nn::AlignmentPattern::many_to_one);
const Number last_distance = distance("last", 2);
const Number swaps{"neighbours that are swapped, %", &PairTraits::swapped_share};
const Number reach{"the last word looks back, words", &PairTraits::mean_reach, 2};
const Number articles{"neglected of the source's articles, %", &PairTraits::neglected_share_of_articles};
const Number among_neglected{"articles among the neglected words, %", &PairTraits::articles_among_neglected};
const std::vector<Number> all = {measure_of("BLEU", &Measures::bleu),
                                 measure_of("BLEU (13a, detokenised)", &Measures::bleu_detokenized),
                                 measure_of("BLEU (papers' tokens)", &Measures::bleu_papers_tokens),
                                 shape_share(nn::AlignmentPattern::monotonic),
                                 reordering,
                                 one_to_many,
                                 many_to_one,
                                 measure_of("entropy, nats per word", &Measures::entropy, 2),
                                 distance("first", 0),
                                 distance("middle", 1),
                                 last_distance,
                                 swaps,
                                 reach,
                                 articles,
                                 {"neglected of the source's other words, %", &PairTraits::neglected_share_of_others},
                                 among_neglected};
}  // namespace numbers

// That a number is larger for one pair than for each of the others.
struct Statement {
  std::string about;
  const Number& number;
  std::string larger;
  std::vector<std::string> others;
};

const std::vector<Statement>& statements() {
  static const std::vector<Statement> all = {
      {"the German verb at the end", numbers::reach, "EN-DE", {"EN-FR", "EN-CS"}},
      {"the German verb at the end", numbers::last_distance, "EN-DE", {"EN-FR", "EN-CS"}},
      {"German order is the most different", numbers::reordering, "EN-DE", {"EN-FR", "EN-CS"}},
      {"French adjectives after the noun", numbers::swaps, "EN-FR", {"EN-DE", "EN-CS"}},
      {"Czech without articles", numbers::articles, "EN-CS", {"EN-DE", "EN-FR"}},
      {"Czech without articles", numbers::among_neglected, "EN-CS", {"EN-DE", "EN-FR"}},
      {"German compounds join words", numbers::many_to_one, "EN-DE", {"EN-FR", "DE-EN"}},
      {"German compounds come apart", numbers::one_to_many, "DE-EN", {"EN-DE"}},
  };
  return all;
}

Measured measured(const PairResult& result, const Number& number) {
  Measured values;
  for (const PairTraits& traits : result.traits) values.values.push_back(number.of(traits));
  return values;
}

Measured measured(const std::vector<PairResult>& results, const std::string& label, const Number& number) {
  const auto has_label = [&label](const PairResult& result) { return result.pair->label == label; };
  return measured(*std::ranges::find_if(results, has_label), number);
}

// ---- the report --------------------------------------------------------------------------------------------------

std::vector<std::string> row_of(const std::string& name, const std::vector<PairResult>& results, const Number& number) {
  std::vector<std::string> row = {name};
  for (const PairResult& result : results) row.push_back(measured(result, number).text(number.digits));
  return row;
}

ReportTable table_with(const std::string& caption, const std::string& first) {
  ReportTable table{.caption = caption, .columns = {first}};
  for (const LanguagePair& pair : language_pairs()) table.columns.push_back(pair.label);
  return table;
}

ReportTable numbers_table(const std::vector<PairResult>& results, const std::string& test) {
  ReportTable table = table_with("On " + test, "number");
  for (const Number& number : numbers::all) table.rows.push_back(row_of(number.name, results, number));
  return table;
}

ReportTable statements_table(const std::vector<PairResult>& results) {
  ReportTable table = table_with("Which statements held", "statement");
  table.columns.push_back("held in, seeds");
  for (const Statement& statement : statements()) {
    std::vector<Measured> others;
    for (const std::string& other : statement.others) others.push_back(measured(results, other, statement.number));
    const Held held = held_in(measured(results, statement.larger, statement.number), others);
    const std::string text = fmt::format("{}: {}: {} above {}", statement.about, statement.number.name,
                                         statement.larger, fmt::join(statement.others, " and "));
    table.rows.push_back(row_of(text, results, statement.number));
    table.rows.back().push_back(held.of == 0 ? "–" : fmt::format("{} of {}", held.held, held.of));
  }
  return table;
}

struct Example {
  const TranslatedSentence* sentence;
  nn::FoundPattern found;
  double agreement;  // with the reference, 0 to 1: 2 |words of both| / (|words| + |words of the reference|)
};

double agreement(Words words, Words reference) {
  std::ranges::sort(words);
  std::ranges::sort(reference);
  Words both;
  std::ranges::set_intersection(words, reference, std::back_inserter(both));
  return 2.0 * static_cast<double>(both.size()) / static_cast<double>(words.size() + reference.size());
}

// Draws what is seen in good translations: a criterion alone would find the model's worst mistakes.
void draw_examples(Report& report, const PairResult& result) {
  constexpr std::size_t drawn = 3;
  if (result.traits.empty()) return;
  const LanguagePair& pair = *result.pair;
  const std::vector<TranslatedSentence>& sentences = result.done.front().trained.front().tests.front();
  std::vector<Example> examples;
  for (const TranslatedSentence& sentence : sentences) {
    if (sentence.translation.empty() || sentence.pair.source.empty()) continue;
    const nn::FoundPattern found = pair.find(sentence, pair.source);
    if (found.found) examples.push_back({&sentence, found, agreement(sentence.translation, sentence.pair.target)});
  }
  report.heading(pair.label);
  std::string text = fmt::format("In {} of {} translations, {}.", examples.size(), sentences.size(), pair.trait);
  std::erase_if(examples, [](const Example& example) {
    return !can_be_drawn(*example.sentence) || !is_confirmed(example.found, *example.sentence);
  });
  std::ranges::stable_sort(examples, [](const Example& a, const Example& b) {
    return a.agreement != b.agreement ? a.agreement > b.agreement : nn::is_better_example(a.found, b.found);
  });
  if (!examples.empty()) {
    text += " Of the short ones whose words in question are in the reference too, those that agree most with it:";
  }
  report.paragraph(text);
  for (std::size_t i = 0; i < std::min(drawn, examples.size()); ++i) {
    const std::string name = fmt::format("{}-{}", pair.label, i + 1);
    draw_found(report, name, name + ".", *examples[i].sentence, examples[i].found);
  }
}

}  // namespace

Report run_pairs(const ExperimentOptions& options) {
  std::vector<PairResult> results;  // all data are read before anything is trained
  for (const LanguagePair& pair : language_pairs()) {
    results.push_back({&pair, make_pair_setting(options, pair)});
  }
  for (PairResult& result : results) train(options, result);
  Report report("Four languages: what attention does in each");
  for (const PairResult& result : results) {
    const auto lines = settings_of(result.setting, result.done);
    report.settings.insert(report.settings.end(), lines.begin(), lines.end());
  }
  const Setting& first = results.front().setting;
  report.settings.emplace_back(
      "all models", fmt::format("the recipe lium-gru, made small: {} merges, label smoothing {}", first.data.bpe,
                                first.training.label_smoothing));
  if (results.front().traits.empty()) return report;
  report.paragraph(
      "Each statement says that a number is larger for one pair than for each of the others. It held in a seed if that "
      "was so for the models of this seed. All is measured in the models' own translations. A word clearly looks at "
      "another if at least half of its attention is there, and one that receives less than 0.2 in all is neglected.");
  report.table(statements_table(results));
  report.table(numbers_table(results, test_name(first, 0)));
  for (const PairResult& result : results) draw_examples(report, result);
  return report;
}

}  // namespace translate
