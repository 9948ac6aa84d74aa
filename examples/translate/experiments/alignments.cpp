#include "examples/translate/experiments/alignments.h"

#include <fmt/format.h>
#include <nn/pictures/heatmap.h>

#include <algorithm>

#include "examples/translate/experiments/alignment_patterns.h"
#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"

namespace translate {

namespace {

constexpr std::size_t longest_drawn = 14;  // words: larger pictures cannot be read

// Rows and columns of words alone, without eos and padding.
Tensor of_words(const Tensor& weights, const Words& targets, const Words& sources) {
  return weights.narrow(0, 0, static_cast<std::int64_t>(targets.size()))
      .narrow(1, 0, static_cast<std::int64_t>(sources.size()));
}

// The known alignment as a matrix whose rows sum to 1; target words without a sure link have no row. Undefined if there
// is none or nothing is linked.
Tensor gold_matrix(const SentencePair& pair) {
  if (!pair.gold) return Tensor();
  std::vector<std::vector<double>> rows(pair.target.size(), std::vector<double>(pair.source.size(), 0.0));
  std::vector<double> links(pair.target.size(), 0.0);
  for (const Link& link : *pair.gold) {
    if (!link.sure) continue;
    rows[static_cast<std::size_t>(link.target)][static_cast<std::size_t>(link.source)] = 1.0;
    links[static_cast<std::size_t>(link.target)] += 1.0;
  }
  std::vector<double> flat;
  std::int64_t count = 0;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (links[t] == 0.0) continue;
    ++count;
    for (const double one : rows[t]) flat.push_back(one / links[t]);
  }
  if (count == 0) return Tensor();
  return autograd::from_vector(flat, {count, static_cast<std::int64_t>(pair.source.size())});
}

struct PatternCount {
  std::int64_t sentences = 0;  // that were long enough to look at: all
  std::int64_t own = 0;        // with the pattern in the attention of the model's own translation
  // Where the alignment is known, while the reference is written:
  std::int64_t known = 0;
  std::int64_t forced = 0;  // in the attention
  std::int64_t gold = 0;    // in the alignment
  std::int64_t both = 0;
  // The best example in the model's own translation.
  FoundPattern best = {};
  bool best_is_known = false;  // the known alignment has it too, at the same words
  const TranslatedSentence* example = nullptr;
};

void count_gold(Pattern pattern, const TranslatedSentence& sentence, PatternCount& count) {
  const Tensor gold = gold_matrix(sentence.pair);
  if (!gold.defined() || !sentence.forced_weights.defined()) return;
  const Tensor forced = of_words(sentence.forced_weights, sentence.pair.target, sentence.pair.source);
  const bool in_forced = find_pattern(pattern, forced).found;
  const bool in_gold = find_pattern(pattern, gold).found;
  ++count.known;
  if (in_forced) ++count.forced;
  if (in_gold) ++count.gold;
  if (in_forced && in_gold) ++count.both;
}

bool is_linked(const SentencePair& pair, std::int64_t target, std::int64_t source) {
  return std::any_of(pair.gold->begin(), pair.gold->end(),
                     [&](const Link& link) { return link.target == target && link.source == source; });
}

// Has the known alignment the pattern at the same words? It is known of the reference only.
bool is_known(Pattern pattern, const FoundPattern& found, const TranslatedSentence& sentence) {
  const SentencePair& pair = sentence.pair;
  if (!pair.gold || sentence.translation != pair.target) return false;
  if (pattern == Pattern::monotonic) return find_pattern(pattern, gold_matrix(pair)).found;
  const std::size_t words = std::max(found.targets.size(), found.sources.size());
  for (std::size_t i = 0; i < words; ++i) {
    const std::int64_t target = found.targets[std::min(i, found.targets.size() - 1)];
    const std::int64_t source = found.sources[std::min(i, found.sources.size() - 1)];
    if (!is_linked(pair, target, source)) return false;
  }
  return true;
}

// An example that the known alignment shares is better than one that is the attention's alone.
void consider(Pattern pattern, const FoundPattern& found, const TranslatedSentence& sentence, PatternCount& count) {
  const bool can_be_drawn = std::max(sentence.translation.size(), sentence.pair.source.size()) <= longest_drawn;
  if (!found.found || !can_be_drawn) return;
  const bool known = is_known(pattern, found, sentence);
  const bool is_better = known == count.best_is_known ? is_better_example(found, count.best) : known;
  if (count.example != nullptr && !is_better) return;
  count.best = found;
  count.best_is_known = known;
  count.example = &sentence;
}

PatternCount count_pattern(Pattern pattern, const std::vector<TranslatedSentence>& sentences) {
  PatternCount count;
  for (const TranslatedSentence& sentence : sentences) {
    if (sentence.translation.empty() || sentence.pair.source.empty()) continue;
    ++count.sentences;
    const FoundPattern found =
        find_pattern(pattern, of_words(sentence.weights, sentence.translation, sentence.pair.source));
    if (found.found) ++count.own;
    consider(pattern, found, sentence, count);
    count_gold(pattern, sentence, count);
  }
  return count;
}

// ---- what was found, in words ------------------------------------------------------------------------------------

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? not_measured : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string finding_of(Pattern pattern, const PatternCount& count) {
  std::string text = fmt::format("{}: in {} of {} translations ({:.0f} %).", capitalised(std::string(name(pattern))),
                                 count.own, count.sentences, percent(count.own, count.sentences));
  if (count.known > 0) {
    text += fmt::format(
        " Writing the references, attention has it in {} of the {} sentences whose alignment is known, and the "
        "alignment "
        "itself in {}; both in {}.",
        count.forced, count.known, count.gold, count.both);
    const std::int64_t own_shape = count.forced - count.both;
    if (own_shape > 4 && 4 * own_shape > count.forced) {
      text += fmt::format(
          " So in {} sentences the shape is that of the attention and not of the alignment: it looks at other words "
          "than "
          "the linked ones, such as a neighbour whose state knows enough (experiment interpretability).",
          own_shape);
    }
  }
  return text;
}

std::string finding_word_order(const PatternCount& monotonic, const PatternCount& reordering) {
  if (reordering.own == 0)
    return "No translation shows a clear reordering: this model was not seen to change the order.";
  return fmt::format(
      "Does the model learn a different word order? {} translations of {} cross clearly ({:.0f} %), the longest over "
      "{} "
      "positions; {} are read from left to right throughout.",
      reordering.own, reordering.sentences, percent(reordering.own, reordering.sentences), reordering.best.extent,
      monotonic.own);
}

// ---- pictures ----------------------------------------------------------------------------------------------------

std::string caption(Pattern pattern, const PatternCount& count) {
  const TranslatedSentence& sentence = *count.example;
  std::vector<std::string> targets, sources;
  for (const std::int64_t t : count.best.targets) targets.push_back(sentence.translation[static_cast<std::size_t>(t)]);
  for (const std::int64_t s : count.best.sources) sources.push_back(sentence.pair.source[static_cast<std::size_t>(s)]);
  std::string text = fmt::format("{}: {}.", capitalised(std::string(name(pattern))), description(pattern));
  if (!targets.empty()) text += fmt::format(" Here {}, made from {}.", listed(targets), listed(sources));
  if (sentence.pair.gold && sentence.translation == sentence.pair.target) {
    text += count.best_is_known ? " The known alignment has it too." : " The known alignment does not have it.";
  }
  text += sentence.translation == sentence.pair.target ? " The translation is right."
                                                       : " The reference: " + join(sentence.pair.target);
  return text;
}

void draw(ExperimentReport& out, Pattern pattern, const PatternCount& count) {
  if (count.example == nullptr) return;
  const TranslatedSentence& sentence = *count.example;
  const Tensor weights = of_words(sentence.weights, sentence.translation, sentence.pair.source);
  nn::HeatmapOptions options{.title = fmt::format("Attention, {}", name(pattern)),
                             .row_axis = "translation",
                             .column_axis = "source",
                             .style = nn::heatmap_style_for(stdout)};
  out.picture(std::string(name(pattern)), nn::heatmap_svg(weights, sentence.translation, sentence.pair.source, options),
              caption(pattern, count), nn::heatmap_text(weights, sentence.translation, sentence.pair.source, options));
}

void draw_sentence(ExperimentReport& out, const TranslatedSentence& sentence) {
  const std::size_t length = sentence.pair.source.size();
  const Tensor weights = of_words(sentence.weights, sentence.translation, sentence.pair.source);
  const bool is_right = sentence.translation == sentence.pair.target;
  out.picture(fmt::format("words-{}", length),
              nn::heatmap_svg(weights, sentence.translation, sentence.pair.source,
                              {.title = fmt::format("Attention over {} words", length),
                               .row_axis = "translation",
                               .column_axis = "source"}),
              is_right ? "Translated as the reference is." : "The reference: " + join(sentence.pair.target));
}

// The first sentence of each of these lengths, whatever it shows.
void draw_various(ExperimentReport& out, const std::vector<TranslatedSentence>& sentences) {
  for (const std::size_t length : {6U, 9U, 13U, 18U, 25U}) {
    const auto is_as_long = [length](const TranslatedSentence& sentence) {
      const std::size_t words = sentence.translation.size();
      return sentence.pair.source.size() == length && words > 0 && words <= 2 * length;
    };
    const auto first = std::find_if(sentences.begin(), sentences.end(), is_as_long);
    if (first != sentences.end()) draw_sentence(out, *first);
  }
}

using PatternCounts = std::vector<std::pair<Pattern, PatternCount>>;

ReportTable table_of(const PatternCounts& counts) {
  ReportTable table{.caption = "Sentences with each shape", .columns = {"shape", "in own translations", "of", "%"}};
  const bool is_known = std::any_of(counts.begin(), counts.end(), [](const auto& one) { return one.second.known > 0; });
  if (is_known) {
    table.columns.insert(table.columns.end(),
                         {"alignment known", "in the attention on references", "in the alignment", "in both"});
  }
  for (const auto& [pattern, count] : counts) {
    std::vector<std::string> row{std::string(name(pattern)), fmt::format("{}", count.own),
                                 fmt::format("{}", count.sentences),
                                 fmt::format("{:.1f}", percent(count.own, count.sentences))};
    if (is_known) {
      for (const std::int64_t number : {count.known, count.forced, count.gold, count.both}) {
        row.push_back(fmt::format("{}", number));
      }
    }
    table.rows.push_back(row);
  }
  return table;
}

void draw_examples(ExperimentReport& out, const PatternCounts& counts) {
  const auto has_example = [](const auto& one) { return one.second.example != nullptr; };
  if (std::none_of(counts.begin(), counts.end(), has_example)) return;
  out.report.heading("The clearest example of each");
  for (const auto& [pattern, count] : counts) draw(out, pattern, count);
}

}  // namespace

void run_alignments(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done =
      with_models(train_and_test(options, setting, {candidate(setting, "attention", "additive")}));
  ExperimentReport out("alignments", "Shapes of alignments, found in a trained model", options);
  out.note_if_stopped();
  if (!done.empty()) {
    const std::vector<TranslatedSentence>& sentences = done.front().trained.front().tests.front();
    PatternCounts counts;
    for (const Pattern pattern : all_patterns) counts.emplace_back(pattern, count_pattern(pattern, sentences));
    out.report.heading("What was found");
    for (const auto& [pattern, count] : counts) out.report.paragraph(finding_of(pattern, count));
    out.report.paragraph(finding_word_order(counts[0].second, counts[1].second));
    out.report.table(table_of(counts));
    draw_examples(out, counts);
    out.report.heading("Sentences of growing length");
    draw_various(out, sentences);
  }
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
