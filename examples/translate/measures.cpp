#include "examples/translate/measures.h"

#include <fmt/core.h>
#include <nn/measures/alignment.h>
#include <nn/measures/attention_measures.h>
#include <nn/measures/bleu.h>
#include <nn/measures/perplexity.h>

#include <algorithm>
#include <cmath>

namespace translate {
namespace {

constexpr const char* unknown_word = "<unk>";
constexpr const char* plain_word = "UNK";  // in no reference: these are in lower case

std::int64_t length(const Words& words) {
  return static_cast<std::int64_t>(words.size());
}

// The first rows and columns of the weights. Throws shape-mismatch if there are fewer.
Tensor part_of(const Tensor& weights, std::int64_t rows, std::int64_t columns, Where where) {
  if (weights.dim() != 2 || weights.size(0) < rows || weights.size(1) < columns) {
    autograd::fail(autograd::ErrorId::shape_mismatch, "measure", where,
                   fmt::format("weights {} for {} target and {} source words", weights.shape(), rows, columns),
                   "give a row for each target word and a column for each source word; eos may follow");
  }
  return weights.narrow(0, 0, rows).narrow(1, 0, columns);
}

nn::ReferenceAlignment reference_of(const Alignment& gold) {
  nn::ReferenceAlignment reference;
  for (const Link& link : gold) {
    nn::AlignmentLinks& kind = link.sure ? reference.sure : reference.possible;
    kind.push_back({link.source, link.target});
  }
  return reference;
}

// The words in one line, in which "<unk>" is a word that no tokeniser splits.
std::string line_for_13a(const Words& words) {
  Words plain = words;
  std::replace(plain.begin(), plain.end(), std::string(unknown_word), std::string(plain_word));
  return join(plain);
}

// What is summed over the sentences.
struct Sums {
  std::vector<Words> translations;
  std::vector<Words> references;
  std::vector<std::string> translation_lines;
  std::vector<std::string> reference_lines;
  std::int64_t exact = 0;
  std::int64_t unknown = 0;
  double negative_log_likelihood = 0.0;
  std::int64_t predicted_words = 0;
  nn::AlignmentCounts alignment;
  nn::AlignmentCounts must_look;
  nn::LookingCounts looking;
  nn::AttentionTotals attention;

  void add(const TranslatedSentence& sentence, Where where);
  void add_words(const TranslatedSentence& sentence);
  void add_attention(const TranslatedSentence& sentence, Where where);
  void add_alignment(const TranslatedSentence& sentence, Where where);
};

void Sums::add_words(const TranslatedSentence& sentence) {
  translations.push_back(sentence.translation);
  references.push_back(sentence.pair.target);
  translation_lines.push_back(line_for_13a(sentence.translation));
  reference_lines.push_back(join(sentence.pair.target));
  if (sentence.translation == sentence.pair.target) ++exact;
  unknown += std::count(sentence.translation.begin(), sentence.translation.end(), unknown_word);
}

void Sums::add_attention(const TranslatedSentence& sentence, Where where) {
  if (!sentence.weights.defined()) return;
  const std::int64_t words = length(sentence.pair.source);
  const Tensor all_rows = part_of(sentence.weights, length(sentence.translation), words, where);
  const std::int64_t with_end = std::min(words + 1, sentence.weights.size(1));
  attention.add(part_of(sentence.weights, all_rows.size(0), with_end, where), words, where);
}

void Sums::add_alignment(const TranslatedSentence& sentence, Where where) {
  if (!sentence.forced_weights.defined() || !sentence.pair.gold) return;
  const Tensor weights =
      part_of(sentence.forced_weights, length(sentence.pair.target), length(sentence.pair.source), where);
  const nn::ReferenceAlignment gold = reference_of(*sentence.pair.gold);
  const nn::AlignmentLinks found = nn::strongest_links(weights, where);
  alignment += nn::compare_links(found, gold);
  looking += nn::compare_looking(weights, gold, where);
  const std::vector<bool>& wanted = sentence.pair.must_look;
  must_look += nn::compare_links(nn::links_of_targets(found, wanted), nn::links_of_targets(gold, wanted));
}

void Sums::add(const TranslatedSentence& sentence, Where where) {
  add_words(sentence);
  add_attention(sentence, where);
  add_alignment(sentence, where);
  negative_log_likelihood += sentence.negative_log_likelihood;
  predicted_words += sentence.predicted_words;
}

// The measures of words; there is at least one sentence.
void measure_words(const Sums& sums, Measures& measures) {
  const nn::BleuScore bleu = nn::corpus_bleu_of_tokens(sums.translations, {sums.references});
  measures.bleu = bleu.score;
  measures.bleu_13a = nn::corpus_bleu(sums.translation_lines, {sums.reference_lines}).score;
  measures.length_ratio = static_cast<double>(bleu.hypothesis_length) / static_cast<double>(bleu.reference_length);
  measures.exact_match = 100.0 * static_cast<double>(sums.exact) / static_cast<double>(measures.sentences);
  measures.unknown_words = sums.unknown;
}

// ---- tables --------------------------------------------------------------------------------------------------

// One measure: its name in tables, and how it is written.
struct Column {
  std::string name;
  std::string (*text)(const Measures& measures);
};

std::string decimals(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"sentences", [](const Measures& m) { return fmt::format("{}", m.sentences); }},
      {"perplexity", [](const Measures& m) { return decimals(m.perplexity, 2); }},
      {"BLEU", [](const Measures& m) { return decimals(m.bleu, 2); }},
      {"BLEU (13a)", [](const Measures& m) { return decimals(m.bleu_13a, 2); }},
      {"exact match %", [](const Measures& m) { return decimals(m.exact_match, 1); }},
      {"AER %", [](const Measures& m) { return decimals(m.alignment_error_rate, 1); }},
      {"AER, must look %", [](const Measures& m) { return decimals(m.alignment_error_rate_must_look, 1); }},
      {"looks right %", [](const Measures& m) { return decimals(m.looks_right, 1); }},
      {"looks 1 ahead %", [](const Measures& m) { return decimals(m.looks_ahead, 1); }},
      {"entropy (nats)", [](const Measures& m) { return decimals(m.entropy, 2); }},
      {"entropy / ln S", [](const Measures& m) { return decimals(m.normalized_entropy, 2); }},
      {"neglected words %", [](const Measures& m) { return decimals(m.neglected, 1); }},
      {"overused words %", [](const Measures& m) { return decimals(m.overused, 1); }},
      {"length ratio", [](const Measures& m) { return decimals(m.length_ratio, 3); }},
      {"<unk>", [](const Measures& m) { return m.sentences > 0 ? fmt::format("{}", m.unknown_words) : "–"; }},
  };
  return all;
}

// The texts of one measure, one for each of `all`; nothing if no text says anything.
std::vector<std::string> cells_of(const Column& column, const std::vector<Measures>& all) {
  std::vector<std::string> cells;
  for (const Measures& measures : all) cells.push_back(column.text(measures));
  const bool is_empty = std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell == "–"; });
  return is_empty ? std::vector<std::string>{} : cells;
}

}  // namespace

std::string_view name(LengthGroup group) {
  switch (group) {
    case LengthGroup::short_sentences: return "short (< 10)";
    case LengthGroup::middle_sentences: return "middle (10–20)";
    case LengthGroup::long_sentences: return "long (> 20)";
    case LengthGroup::all: break;
  }
  return "all";
}

bool belongs_to(const TranslatedSentence& sentence, LengthGroup group) {
  const std::size_t words = sentence.pair.source.size();
  switch (group) {
    case LengthGroup::short_sentences: return words < 10;
    case LengthGroup::middle_sentences: return words >= 10 && words <= 20;
    case LengthGroup::long_sentences: return words > 20;
    case LengthGroup::all: break;
  }
  return true;
}

Measures measure(const std::vector<TranslatedSentence>& sentences, LengthGroup group, Where where) {
  Sums sums;
  for (const TranslatedSentence& sentence : sentences) {
    if (belongs_to(sentence, group)) sums.add(sentence, where);
  }
  Measures measures;
  measures.group = group;
  measures.sentences = static_cast<std::int64_t>(sums.translations.size());
  if (measures.sentences > 0) measure_words(sums, measures);
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

std::vector<Measures> measures_by_length(const std::vector<TranslatedSentence>& sentences, Where where) {
  std::vector<Measures> all;
  for (const LengthGroup group : all_length_groups) all.push_back(measure(sentences, group, where));
  return all;
}

ReportTable measures_table(const std::string& caption, const std::vector<Measures>& groups) {
  ReportTable table{.caption = caption, .columns = {"measure"}};
  for (const Measures& measures : groups) table.columns.emplace_back(name(measures.group));
  for (const Column& column : columns()) {
    std::vector<std::string> row = cells_of(column, groups);
    if (row.empty()) continue;
    row.insert(row.begin(), column.name);
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace translate
