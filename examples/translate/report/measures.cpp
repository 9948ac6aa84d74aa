#include "examples/translate/report/measures.h"

#include <fmt/core.h>
#include <nn/measures/attention_measures.h>
#include <nn/measures/bleu.h>
#include <nn/measures/perplexity.h>
#include <nn/measures/tokenizer_moses.h>

#include <algorithm>

#include "examples/translate/data/detokenizer.h"
#include "examples/translate/report/attention_picture.h"

namespace translate {
namespace {

constexpr const char* unknown_word = "<unk>";
constexpr const char* plain_word = "unknownword";  // in no reference

// Returns the words as a line, with a plain word for "<unk>", which a tokeniser would split.
std::string line_of(const Words& words) {
  Words plain = words;
  std::ranges::replace(plain, std::string(unknown_word), std::string(plain_word));
  return detokenize(plain);
}

// Translations and their references as lines.
struct Lines {
  std::vector<std::string> translations;
  std::vector<std::string> references;
  std::vector<Words> translation_tokens;  // Moses'
  std::vector<Words> reference_tokens;

  void add(const std::string& translation, const RawLine& reference) {
    translations.push_back(translation);
    references.push_back(reference.text);
    translation_tokens.push_back(nn::tokenize_moses(translation, reference.language));
    reference_tokens.push_back(nn::tokenize_moses(reference.text, reference.language));
  }
};

// Sums over the sentences.
struct Sums {
  std::vector<Words> translations;
  std::vector<Words> references;
  Lines lines;
  std::int64_t exact = 0;
  std::int64_t unknown = 0;
  double negative_log_likelihood = 0.0;
  std::int64_t predicted_words = 0;
  nn::AlignmentCounts alignment;
  nn::AlignmentCounts must_look;
  nn::LookingCounts looking;
  nn::AttentionTotals attention;

  void add(const TranslatedSentence& sentence) {
    add_words(sentence);
    if (sentence.weights.defined()) add_attention(sentence);
    if (sentence.forced_weights.defined() && sentence.pair.gold) add_alignment(sentence);
  }
  void add_words(const TranslatedSentence& sentence);
  void add_attention(const TranslatedSentence& sentence);
  void add_alignment(const TranslatedSentence& sentence);
};

void Sums::add_words(const TranslatedSentence& sentence) {
  translations.push_back(sentence.translation);
  references.push_back(sentence.pair.target);
  if (sentence.pair.target_line) lines.add(line_of(sentence.translation), *sentence.pair.target_line);
  if (sentence.translation == sentence.pair.target) ++exact;
  unknown += std::ranges::count(sentence.translation, unknown_word);
  negative_log_likelihood += sentence.negative_log_likelihood;
  predicted_words += sentence.predicted_words;
}

void Sums::add_attention(const TranslatedSentence& sentence) {
  const Tensor weights = weights_of_words(sentence.weights, sentence.translation, sentence.pair.source);
  const std::int64_t words = weights.size(1);
  const std::int64_t with_end = std::min(words + 1, sentence.weights.size(1));
  attention.add(sentence.weights.narrow(0, 0, weights.size(0)).narrow(1, 0, with_end), words);
}

void Sums::add_alignment(const TranslatedSentence& sentence) {
  const Tensor weights = weights_of_words(sentence.forced_weights, sentence.pair.target, sentence.pair.source);
  const nn::ReferenceAlignment& gold = *sentence.pair.gold;
  const nn::AlignmentLinks found = nn::strongest_links(weights);
  alignment += nn::compare_links(found, gold);
  looking += nn::compare_looking(weights, gold);
  const std::vector<bool>& wanted = sentence.pair.must_look;
  must_look += nn::compare_links(nn::links_of_targets(found, wanted), nn::links_of_targets(gold, wanted));
}

// Fills in the measures of words; there must be at least one sentence.
void measure_words(const Sums& sums, Measures& measures) {
  const nn::BleuScore bleu = nn::corpus_bleu_of_tokens(sums.translations, {sums.references});
  measures.bleu = bleu.score;
  measures.length_ratio = static_cast<double>(bleu.hypothesis_length) / static_cast<double>(bleu.reference_length);
  measures.exact_match = 100.0 * static_cast<double>(sums.exact) / static_cast<double>(measures.sentences);
  measures.unknown_words = sums.unknown;
}

void measure_lines(const Lines& lines, Measures& measures) {
  measures.bleu_detokenized = nn::corpus_bleu(lines.translations, {lines.references}, {.lowercase = true}).score;
  measures.bleu_papers_tokens = nn::corpus_bleu_of_tokens(lines.translation_tokens, {lines.reference_tokens}).score;
}

// A row of measures_table().
struct MeasureRow {
  const char* name;
  double Measures::*value;
  int digits;
};
constexpr MeasureRow measure_rows[] = {{"perplexity", &Measures::perplexity, 2},
                                       {"BLEU", &Measures::bleu, 2},
                                       {"BLEU (13a, detokenised)", &Measures::bleu_detokenized, 2},
                                       {"BLEU (papers' tokens)", &Measures::bleu_papers_tokens, 2},
                                       {"exact match %", &Measures::exact_match, 1},
                                       {"AER %", &Measures::alignment_error_rate, 1},
                                       {"AER, must look %", &Measures::alignment_error_rate_must_look, 1},
                                       {"looks right %", &Measures::looks_right, 1},
                                       {"looks 1 ahead %", &Measures::looks_ahead, 1},
                                       {"entropy (nats)", &Measures::entropy, 2},
                                       {"entropy / ln S", &Measures::normalized_entropy, 2},
                                       {"neglected words %", &Measures::neglected, 1},
                                       {"overused words %", &Measures::overused, 1},
                                       {"length ratio", &Measures::length_ratio, 3}};

}  // namespace

std::string_view name(LengthGroup group) {
  constexpr std::string_view names[] = {"all", "short (< 10)", "middle (10–20)", "long (> 20)"};
  return names[static_cast<std::size_t>(group)];
}

bool belongs_to(const TranslatedSentence& sentence, LengthGroup group) {
  const std::size_t words = sentence.pair.source.size();
  const LengthGroup own = words < 10    ? LengthGroup::short_sentences
                          : words <= 20 ? LengthGroup::middle_sentences
                                        : LengthGroup::long_sentences;
  return group == LengthGroup::all || group == own;
}

Measures measure(const std::vector<TranslatedSentence>& sentences, LengthGroup group) {
  Sums sums;
  for (const TranslatedSentence& sentence : sentences) {
    if (belongs_to(sentence, group)) sums.add(sentence);
  }
  Measures measures;
  measures.group = group;
  measures.sentences = std::ssize(sums.translations);
  if (measures.sentences > 0) measure_words(sums, measures);
  if (!sums.lines.references.empty()) measure_lines(sums.lines, measures);
  if (sums.predicted_words > 0) {
    measures.perplexity = nn::perplexity(sums.negative_log_likelihood, sums.predicted_words);
  }
  measures.alignment_error_rate = 100.0 * sums.alignment.error_rate();
  measures.alignment_error_rate_must_look = 100.0 * sums.must_look.error_rate();
  measures.looks_right = 100.0 * sums.looking.right_share();
  measures.looks_ahead = 100.0 * sums.looking.ahead_share();
  measures.entropy = sums.attention.mean_entropy();
  measures.normalized_entropy = sums.attention.mean_normalized_entropy();
  measures.neglected = 100.0 * sums.attention.neglected_share();
  measures.overused = 100.0 * sums.attention.overused_share();
  return measures;
}

std::vector<Measures> measures_by_length(const std::vector<TranslatedSentence>& sentences) {
  std::vector<Measures> all;
  for (const LengthGroup group : all_length_groups) all.push_back(measure(sentences, group));
  return all;
}

ReportTable measures_table(const std::string& caption, const std::vector<Measures>& groups) {
  ReportTable table{.caption = caption, .columns = {"measure"}};
  std::vector<std::string> sentences = {"sentences"};
  std::vector<std::string> unknown = {"unknown words"};
  for (const Measures& measures : groups) {
    table.columns.emplace_back(name(measures.group));
    sentences.push_back(fmt::format("{}", measures.sentences));
    unknown.push_back(measures.sentences > 0 ? fmt::format("{}", measures.unknown_words) : "–");
  }
  table.rows.push_back(sentences);
  for (const MeasureRow& measure : measure_rows) {
    std::vector<std::string> row = {measure.name};
    for (const Measures& measures : groups) row.push_back(number_text(measures.*measure.value, measure.digits));
    const bool is_known = std::any_of(row.begin() + 1, row.end(), [](const std::string& cell) { return cell != "–"; });
    if (is_known) table.rows.push_back(row);
  }
  table.rows.push_back(unknown);
  return table;
}

}  // namespace translate
