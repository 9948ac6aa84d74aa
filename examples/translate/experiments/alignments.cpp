#include <fmt/format.h>
#include <nn/measures/alignment_patterns.h>

#include <algorithm>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/messages.h"
#include "examples/translate/report/attention_picture.h"

namespace translate {
namespace {

constexpr std::size_t longest_drawn = 14;  // words; larger pictures cannot be read

// Returns the known alignment as a matrix whose rows sum to 1; target words without a sure link have no row. Undefined
// if no link is known.
Tensor gold_matrix(const SentencePair& pair) {
  const std::vector<double> no_link(pair.source.size(), 0.0);
  std::vector<std::vector<double>> rows(pair.target.size(), no_link);
  for (const nn::AlignmentLink& link : pair.gold.value_or(nn::ReferenceAlignment()).sure) {
    rows[static_cast<std::size_t>(link.target)][static_cast<std::size_t>(link.source)] = 1.0;
  }
  std::erase(rows, no_link);
  if (rows.empty()) return Tensor();
  std::vector<double> flat;
  for (const std::vector<double>& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  const Tensor links = autograd::from_vector(flat, {std::ssize(rows), std::ssize(pair.source)});
  return links / links.sum({1}, true);
}

struct PatternCount {
  nn::AlignmentPattern pattern;
  std::int64_t sentences = 0;  // all sentences with words on both sides
  std::int64_t own = 0;        // with the pattern in the attention of the model's own translation
  // Counted where the alignment is known, while the reference is written:
  std::int64_t known = 0;
  std::int64_t forced = 0;  // in the attention
  std::int64_t gold = 0;    // in the alignment
  std::int64_t both = 0;
  // The best example in the model's own translation.
  nn::FoundPattern best = {};
  const TranslatedSentence* example = nullptr;
};

void count_gold(const TranslatedSentence& sentence, PatternCount& count) {
  const SentencePair& pair = sentence.pair;
  const Tensor gold = gold_matrix(pair);
  if (!gold.defined() || !sentence.forced_weights.defined()) return;
  const Tensor forced = weights_of_words(sentence.forced_weights, pair.target, pair.source);
  const bool in_forced = nn::find_pattern(count.pattern, forced).found;
  const bool in_gold = nn::find_pattern(count.pattern, gold).found;
  ++count.known;
  count.forced += in_forced ? 1 : 0;
  count.gold += in_gold ? 1 : 0;
  count.both += in_forced && in_gold ? 1 : 0;
}

void consider(const nn::FoundPattern& found, const TranslatedSentence& sentence, PatternCount& count) {
  const bool can_be_drawn = std::max(sentence.translation.size(), sentence.pair.source.size()) <= longest_drawn;
  if (!found.found || !can_be_drawn || !nn::is_better_example(found, count.best)) return;
  count.best = found;
  count.example = &sentence;
}

PatternCount count_pattern(nn::AlignmentPattern pattern, const std::vector<TranslatedSentence>& sentences) {
  PatternCount count{pattern};
  for (const TranslatedSentence& sentence : sentences) {
    if (sentence.translation.empty() || sentence.pair.source.empty()) continue;
    ++count.sentences;
    const nn::FoundPattern found =
        nn::find_pattern(pattern, weights_of_words(sentence.weights, sentence.translation, sentence.pair.source));
    if (found.found) ++count.own;
    consider(found, sentence, count);
    count_gold(sentence, count);
  }
  return count;
}

// ---- the report --------------------------------------------------------------------------------------------------

ReportTable patterns_table(const std::vector<PatternCount>& counts) {
  ReportTable table{.caption = "Sentences with each shape", .columns = {"shape", "in own translations", "of"}};
  const bool is_any_known = counts.front().known > 0;
  if (is_any_known) {
    table.columns.insert(table.columns.end(),
                         {"alignment known", "in the attention on references", "in the alignment", "in both"});
  }
  for (const PatternCount& count : counts) {
    std::vector<std::string> row{std::string(name(count.pattern)), fmt::format("{}", count.own),
                                 fmt::format("{}", count.sentences)};
    for (const std::int64_t number : {count.known, count.forced, count.gold, count.both}) {
      if (is_any_known) row.push_back(fmt::format("{}", number));
    }
    table.rows.push_back(row);
  }
  return table;
}

std::string words_at(const std::vector<std::int64_t>& positions, const Words& words) {
  Words chosen;
  for (const std::int64_t position : positions) chosen.push_back(words[static_cast<std::size_t>(position)]);
  return join(chosen);
}

void draw_example(Report& report, const PatternCount& count) {
  if (count.example == nullptr) return;
  const TranslatedSentence& sentence = *count.example;
  const std::string label(name(count.pattern));
  std::string caption = fmt::format("{}: {}.", label, description(count.pattern));
  if (!count.best.targets.empty()) {
    caption += fmt::format(" Here {}, made from {}.", words_at(count.best.targets, sentence.translation),
                           words_at(count.best.sources, sentence.pair.source));
  }
  const bool is_right = sentence.translation == sentence.pair.target;
  caption += is_right ? " The translation is right." : " The reference: " + join(sentence.pair.target);
  const AttentionPicture picture{sentence.pair.source, sentence.translation, sentence.weights, "Attention, " + label};
  report.picture(label, picture.svg(), caption);
}

}  // namespace

Report run_alignments(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done =
      train_and_test(options, setting, {candidate(setting, "attention", "additive")});
  Report report("Shapes of alignments, found in a trained model");
  report.settings = settings_of(setting, done);
  if (done.empty()) return report;
  const std::vector<TranslatedSentence>& sentences = done.front().trained.front().tests.front();
  std::vector<PatternCount> counts;
  for (const nn::AlignmentPattern pattern : nn::all_alignment_patterns) {
    counts.push_back(count_pattern(pattern, sentences));
  }
  report.table(patterns_table(counts));
  report.heading("The clearest example of each");
  for (const PatternCount& count : counts) draw_example(report, count);
  return report;
}

}  // namespace translate
