#include "examples/translate/experiments/shapes.h"

#include <fmt/format.h>

#include <algorithm>

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
  if (!found.found || !can_be_drawn(sentence) || !nn::is_better_example(found, count.best)) return;
  count.best = found;
  count.example = &sentence;
}

std::string words_at(const std::vector<std::int64_t>& positions, const Words& words) {
  Words chosen;
  for (const std::int64_t position : positions) chosen.push_back(words[static_cast<std::size_t>(position)]);
  return join(chosen);
}

}  // namespace

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

bool can_be_drawn(const TranslatedSentence& sentence) {
  return std::max(sentence.translation.size(), sentence.pair.source.size()) <= longest_drawn;
}

void draw_found(Report& report, const std::string& name, const std::string& what, const TranslatedSentence& sentence,
                const nn::FoundPattern& found) {
  std::string caption = what;
  const std::string sources = words_at(found.sources, sentence.pair.source);
  if (!found.targets.empty()) {
    caption += fmt::format(" Here {}, made from {}.", words_at(found.targets, sentence.translation), sources);
  } else if (!found.sources.empty()) {
    caption += fmt::format(" Here {}.", sources);
  }
  const bool is_right = sentence.translation == sentence.pair.target;
  caption += is_right ? " The translation is right." : " The reference: " + join(sentence.pair.target);
  const AttentionPicture picture{sentence.pair.source, sentence.translation, sentence.weights, "Attention, " + name};
  report.picture(name, picture.svg(), caption);
}

}  // namespace translate
