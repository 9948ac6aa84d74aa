#include <fmt/format.h>
#include <nn/measures/attention_measures.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/translate/experiments/figures.h"
#include "examples/translate/experiments/word_classes.h"
#include "examples/translate/report/attention_picture.h"

namespace translate {
namespace {

// ---- measuring by class ------------------------------------------------------------------------------------------

struct ClassCounts {
  nn::LookingCounts looking;
  nn::AlignmentCounts links;
  std::vector<double> entropies;

  double error_rate() const { return looking.linked == 0 ? not_measured : 100.0 * links.error_rate(); }
  double entropy() const { return Measured{entropies}.mean(); }
};

// The counts of one model on one kind of data, over all seeds.
struct Looked {
  std::string label;
  std::map<WordClass, ClassCounts> by_class = {};
};

// Sets the rows of unwanted words to zero, so that they are not counted.
Tensor rows_of(const Tensor& weights, const std::vector<bool>& wanted) {
  std::vector<double> keep(wanted.begin(), wanted.end());
  return weights * autograd::from_vector(keep, {weights.size(0), 1}, weights.dtype());
}

void count_class(ClassCounts& counts, const SentencePair& pair, const Tensor& weights,
                 const std::vector<bool>& wanted) {
  const std::vector<double> entropies = nn::attention_entropy(weights);
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    if (wanted[t] && std::isfinite(entropies[t])) counts.entropies.push_back(entropies[t]);
  }
  if (!pair.gold) return;
  const nn::ReferenceAlignment reference = nn::links_of_targets(*pair.gold, wanted);
  counts.looking += nn::compare_looking(rows_of(weights, wanted), reference);
  counts.links += nn::compare_links(nn::links_of_targets(nn::strongest_links(weights), wanted), reference);
}

// Counts the attention while the reference is written, because each of its words has a class.
void look_at(Looked& looked, const TranslatedSentence& sentence, bool is_artificial) {
  const SentencePair& pair = sentence.pair;
  if (!sentence.forced_weights.defined() || pair.target.empty() || pair.source.empty()) return;
  const Tensor weights = weights_of_words(sentence.forced_weights, pair.target, pair.source);
  const std::vector<std::optional<WordClass>> classes = classes_of(pair, is_artificial);
  for (const WordClass one : all_word_classes) {
    std::vector<bool> wanted;
    for (const auto& word_class : classes) wanted.push_back(word_class == one);
    const bool is_there = std::ranges::find(wanted, true) != wanted.end();
    if (is_there) count_class(looked.by_class[one], pair, weights, wanted);
  }
}

Looked look(const CandidateResult& result, bool is_artificial) {
  Looked looked{result.candidate.label};
  for (const Trained& trained : result.trained) {
    for (const TranslatedSentence& sentence : trained.tests.front()) look_at(looked, sentence, is_artificial);
  }
  return looked;
}

// ---- the report --------------------------------------------------------------------------------------------------

ReportTable articles_table(const std::vector<Looked>& all) {
  ReportTable table{.caption = "What the articles look at, while the references are written",
                    .columns = {"model", "articles", "the linked word, %", "one word ahead, %", "one word behind, %"}};
  for (const Looked& looked : all) {
    const auto found = looked.by_class.find(WordClass::articles);
    if (found == looked.by_class.end() || found->second.looking.linked == 0) continue;
    const nn::LookingCounts& articles = found->second.looking;
    table.rows.push_back({looked.label, fmt::format("{}", articles.linked)});
    for (const double share : {articles.right_share(), articles.ahead_share(), articles.behind_share()}) {
      table.rows.back().push_back(number_text(100.0 * share, 1));
    }
  }
  return table;
}

// Returns a row per model and a column per class of word.
ReportTable class_table(const std::vector<Looked>& all, const std::string& caption,
                        double (ClassCounts::*number)() const, int digits) {
  ReportTable table{.caption = caption, .columns = {"model"}};
  for (const Looked& looked : all) table.rows.push_back({looked.label});
  for (const WordClass one : all_word_classes) {
    std::vector<std::string> cells;
    for (const Looked& looked : all) {
      const auto found = looked.by_class.find(one);
      cells.push_back(number_text(found == looked.by_class.end() ? not_measured : (found->second.*number)(), digits));
    }
    add_column(table, name(one), cells);
  }
  return table;
}

}  // namespace

Report run_interpretability(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  std::vector<Candidate> candidates = all_kinds(setting);
  // Without documents, hierarchical attention is additive.
  std::erase_if(candidates, [](const Candidate& one) { return one.label == "hierarchical"; });
  const std::vector<CandidateResult> done = train_and_test(options, setting, candidates);
  std::vector<Looked> looked;
  for (const CandidateResult& result : done) looked.push_back(look(result, setting.is_artificial()));
  if (setting.is_artificial() && !looked.empty()) {  // again, with articles that have a single form
    const Setting other = setting_of(options, {.no_agreement = true});
    const auto plain = train_and_test(options, other, {candidate(other, "additive, no agreement", "additive")});
    if (!plain.empty()) looked.insert(looked.begin() + 1, look(plain.front(), true));
  }
  Report report("What attention looks at");
  report.settings = settings_of(setting, done);
  if (done.empty()) return report;
  report.table(
      table_of("The models", done,
               {columns::exact, columns::error_rate, columns::must_look,
                column("look at a linked word %", &Measures::looks_right),
                column("one word ahead %", &Measures::looks_ahead), columns::entropy,
                column("source words neglected %", &Measures::neglected), column("overused %", &Measures::overused)}));
  report.table(articles_table(looked));
  report.table(class_table(looked, "Alignment error rate by class of word, %", &ClassCounts::error_rate, 1));
  report.table(class_table(looked, "Entropy by class of word, nats", &ClassCounts::entropy, 2));
  return report;
}

}  // namespace translate
