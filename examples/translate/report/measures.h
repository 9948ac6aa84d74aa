// Measures: how good translations are and how attention behaved, for one model on one test, over all sentences and by
// the length of the source sentence.
//
//   const std::vector<Measures> measures = measures_by_length(sentences);
//   report.table(measures_table("attention, test2016", measures));
//
// What cannot be measured (the entropy of a model without attention, the error of unknown alignments, a group without
// sentences) is NaN, and a dash in a table.
#pragma once

#include <autograd/autograd.h>
#include <nn/measures/alignment.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "examples/translate/data/parallel_text.h"
#include "examples/translate/report/report.h"

namespace translate {

using autograd::Tensor;

// One sentence of a test, and what a model made of it. Weights may have a row and a column for eos after the words, and
// further columns of padding.
struct TranslatedSentence {
  SentencePair pair;          // what was to be translated; target is the reference
  Words translation;          // without eos
  Tensor weights = Tensor();  // [translation, source]: attention while it was written; undefined without attention
  Tensor forced_weights = Tensor();      // [reference, source]: attention when the model had to write the reference,
                                         // to compare with pair.gold; undefined if not wanted
  double negative_log_likelihood = 0.0;  // of the reference with its eos, in nats
  std::int64_t predicted_words = 0;      // the words this was summed over; 0: not measured
};

// By the number of source words, without eos.
enum class LengthGroup { all, short_sentences, middle_sentences, long_sentences };  // all, < 10, 10 to 20, > 20
inline constexpr LengthGroup all_length_groups[] = {LengthGroup::all, LengthGroup::short_sentences,
                                                    LengthGroup::middle_sentences, LengthGroup::long_sentences};
std::string_view name(LengthGroup group);  // "all", "short (< 10)", "middle (10–20)", "long (> 20)"
bool belongs_to(const TranslatedSentence& sentence, LengthGroup group);

struct Measures {
  LengthGroup group = LengthGroup::all;
  std::int64_t sentences = 0;

  double perplexity = not_measured;    // of the references (nn/measures/perplexity.h)
  double bleu = not_measured;          // of the words as split_words() makes them (nn/measures/bleu.h), 0 to 100
  double exact_match = not_measured;   // translations that equal their reference, percent
  double length_ratio = not_measured;  // words of the translations / words of the references
  std::int64_t unknown_words = 0;      // "<unk>" in the translations

  // BLEU as it is published, of the lines that the words make (detokenizer.h) against pair.target_line, in lower case;
  // "<unk>" counts as one plain word. Not measured without such lines.
  double bleu_detokenized = not_measured;    // sacreBLEU's, with its tokeniser 13a
  double bleu_papers_tokens = not_measured;  // with Moses' tokens, as in most papers on Multi30k

  // From forced_weights and pair.gold, in percent: each target word is linked to the source word with the most
  // attention, eos aside (nn/measures/alignment.h).
  double alignment_error_rate = not_measured;
  double alignment_error_rate_must_look = not_measured;  // only of the words of pair.must_look
  double looks_right = not_measured;  // words with a gold link that look at it (nn/measures/attention_measures.h)
  double looks_ahead = not_measured;  // words that look one source word further

  // From `weights` (nn/measures/attention_measures.h); eos counts in the entropy.
  double entropy = not_measured;             // nats per word
  double normalized_entropy = not_measured;  // 0 to 1
  double neglected = not_measured;           // source words that received less than 0.2 attention in all, percent
  double overused = not_measured;            // source words that received more than 2, percent
};

// Measures the sentences of one group. Throws shape-mismatch for weights with fewer rows or columns than there are
// words.
Measures measure(const std::vector<TranslatedSentence>& sentences, LengthGroup group = LengthGroup::all);
// Returns the measures of all four groups, in their order.
std::vector<Measures> measures_by_length(const std::vector<TranslatedSentence>& sentences);

// Returns a row per measure and a column per group, without rows that are a dash everywhere.
ReportTable measures_table(const std::string& caption, const std::vector<Measures>& groups);

}  // namespace translate
