// BLEU (Papineni et al. 2002): the share of a translation's n-grams that occur in the reference, times a penalty for
// being too short. Computed as in sacreBLEU 2.6 (Post 2018), to the last bits of a double, so that figures can be
// compared.
//
//   p_n   = 100 * matching n-grams / n-grams, over the whole corpus, n = 1 .. N; an n-gram of the hypothesis matches at
//           most as often as it occurs in the reference that has most of it
//   BP    = 1 if the hypotheses are at least as long as the references, else exp(1 - reference / hypothesis length)
//   BLEU  = BP * (p_1 .. p_N)^(1/N), N = 4 unless told otherwise
#pragma once

#include <autograd/tensor/arguments.h>

#include <cstdint>
#include <string>
#include <vector>

namespace nn {

using autograd::Flag;
using autograd::Int;

enum class BleuTokenizer { v13a, none };  // none: split at white space

// What stands for p_n where no n-gram of that order matches (Chen and Cherry 2014): 100 / (2^k total) for the k-th such
// order, nothing, 100 * value / total, or counts of all orders but the first raised by value.
enum class BleuSmoothing { exp, none, floor, add_k };

struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::v13a;
  BleuSmoothing smoothing = BleuSmoothing::exp;
  double smoothing_value = -1.0;  // of floor and add_k; negative: 0.1 and 1
  Flag lowercase = false;         // both sides, before they are cut into words
  Int max_ngram_order = 4;
  Flag effective_order = false;  // orders of which there is no n-gram do not count: for single sentences
};

struct BleuScore {
  double score = 0.0;              // 0 to 100 (and the last bit: a perfect one is 100.00000000000004, as sacreBLEU's)
  std::vector<double> precisions;  // of each order
  double brevity_penalty = 1.0;
  std::int64_t hypothesis_length = 0;  // in tokens
  std::int64_t reference_length = 0;   // of the references closest in length, the shorter one at a tie
};

// One hypothesis and one or more references for each segment. references[r][i] belongs to hypotheses[i]. Throws
// bad-argument if a list of references is shorter or longer than the hypotheses, or there is none, and for a
// max_ngram_order below 1.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references, const BleuOptions& options = {});

// The same for text that is tokenised already. Upper and lower case are not changed.
BleuScore corpus_bleu_of_tokens(const std::vector<std::vector<std::string>>& hypotheses,
                                const std::vector<std::vector<std::string>>& references,
                                const BleuOptions& options = {});

}  // namespace nn
