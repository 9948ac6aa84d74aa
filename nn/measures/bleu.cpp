#include "nn/measures/bleu.h"

#include <autograd/tensor/error.h>
#include <autograd/text/characters.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>

#include "nn/measures/tokenizer_13a.h"

namespace nn {
namespace {

using Words = std::vector<std::string>;

// The n-grams of a segment, of all orders, each with its number of occurrences. An n-gram's words are joined by a
// character that no word contains.
using NGrams = std::vector<std::map<std::string, std::int64_t>>;

NGrams count_n_grams(const Words& words, std::size_t orders) {
  NGrams counts(orders);
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string n_gram;
    for (std::size_t n = 0; n < orders && first + n < words.size(); ++n) {
      n_gram += words[first + n] + ' ';
      ++counts[n][n_gram];
    }
  }
  return counts;
}

// What is summed over the corpus.
struct Statistics {
  explicit Statistics(std::size_t orders) : matching(orders), total(orders) {}
  std::vector<double> matching;  // of each order
  std::vector<double> total;
  std::int64_t hypothesis_length = 0;
  std::int64_t reference_length = 0;
};

std::int64_t closest_length(std::int64_t length, const std::vector<Words>& references) {
  std::int64_t closest = -1;
  for (const Words& reference : references) {
    const auto candidate = static_cast<std::int64_t>(reference.size());
    const std::int64_t distance = std::abs(candidate - length);
    const std::int64_t best = std::abs(closest - length);
    if (closest < 0 || distance < best || (distance == best && candidate < closest)) closest = candidate;
  }
  return closest;
}

void add_segment(const Words& hypothesis, const std::vector<Words>& references, Statistics& statistics) {
  const std::size_t orders = statistics.total.size();
  NGrams allowed(orders);
  for (const Words& reference : references) {
    const NGrams counts = count_n_grams(reference, orders);
    for (std::size_t n = 0; n < orders; ++n) {
      for (const auto& [n_gram, count] : counts[n]) allowed[n][n_gram] = std::max(allowed[n][n_gram], count);
    }
  }
  const NGrams counts = count_n_grams(hypothesis, orders);
  for (std::size_t n = 0; n < orders; ++n) {
    for (const auto& [n_gram, count] : counts[n]) {
      statistics.total[n] += static_cast<double>(count);
      const auto found = allowed[n].find(n_gram);
      if (found != allowed[n].end()) statistics.matching[n] += static_cast<double>(std::min(count, found->second));
    }
  }
  const auto length = static_cast<std::int64_t>(hypothesis.size());
  statistics.hypothesis_length += length;
  statistics.reference_length += closest_length(length, references);
}

double penalty(std::int64_t hypothesis_length, std::int64_t reference_length) {
  if (hypothesis_length >= reference_length) return 1.0;
  if (hypothesis_length == 0) return 0.0;
  return std::exp(1.0 - static_cast<double>(reference_length) / static_cast<double>(hypothesis_length));
}

double smoothing_value(const BleuOptions& options) {
  if (options.smoothing_value >= 0.0) return options.smoothing_value;
  return options.smoothing == BleuSmoothing::floor ? 0.1 : 1.0;
}

// For a precision of 0, the number that sacreBLEU uses in place of minus infinity; the score becomes 0.
double log_of(double precision) {
  return precision == 0.0 ? -9999999999.0 : std::log(precision);
}

BleuScore score_of(Statistics statistics, const BleuOptions& options) {
  const std::size_t orders = statistics.total.size();
  BleuScore result;
  result.precisions.resize(orders);
  result.hypothesis_length = statistics.hypothesis_length;
  result.reference_length = statistics.reference_length;
  result.brevity_penalty = penalty(statistics.hypothesis_length, statistics.reference_length);
  const auto& matching = statistics.matching;
  if (std::all_of(matching.begin(), matching.end(), [](double count) { return count == 0.0; })) return result;

  const double value = smoothing_value(options);
  double halving = 1.0;
  std::size_t effective = orders;
  for (std::size_t n = 0; n < orders; ++n) {
    if (options.smoothing == BleuSmoothing::add_k && n > 0) {
      statistics.matching[n] += value;
      statistics.total[n] += value;
    }
    if (statistics.total[n] == 0.0) break;
    if (options.effective_order) effective = n + 1;
    double& precision = result.precisions[n];
    if (statistics.matching[n] != 0.0) {
      precision = 100.0 * statistics.matching[n] / statistics.total[n];
    } else if (options.smoothing == BleuSmoothing::exp) {
      halving *= 2.0;
      precision = 100.0 / (halving * statistics.total[n]);
    } else if (options.smoothing == BleuSmoothing::floor) {
      precision = 100.0 * value / statistics.total[n];
    }
  }
  double sum = 0.0;
  for (std::size_t n = 0; n < effective; ++n) sum += log_of(result.precisions[n]);
  result.score = result.brevity_penalty * std::exp(sum / static_cast<double>(effective));
  return result;
}

Words words_of(const std::string& segment, const BleuOptions& options) {
  const std::string text = options.lowercase ? autograd::lower_case(segment) : segment;
  return options.tokenizer == BleuTokenizer::v13a ? tokenize_13a(text) : split_at_white_space(text);
}

std::size_t checked_orders(const char* asked, const BleuOptions& options) {
  constexpr std::int64_t most = 1000;  // longer n-grams than any sentence has words
  if (options.max_ngram_order >= 1 && options.max_ngram_order <= most) {
    return static_cast<std::size_t>(options.max_ngram_order);
  }
  autograd::fail(autograd::ErrorId::bad_argument, asked, {},
                 fmt::format("max_ngram_order is {}", options.max_ngram_order),
                 "give a number from 1 to 1000, 4 as a rule");
}

}  // namespace

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references, const BleuOptions& options) {
  if (references.empty()) {
    autograd::fail(autograd::ErrorId::bad_argument, "corpus_bleu", {}, "no references were given",
                   "give a list of one list, for one reference per hypothesis");
  }
  for (const auto& stream : references) {
    if (stream.size() == hypotheses.size()) continue;
    autograd::fail(autograd::ErrorId::bad_argument, "corpus_bleu", {},
                   fmt::format("{} hypotheses and {} references", hypotheses.size(), stream.size()),
                   "references[r][i] belongs to hypotheses[i]");
  }
  Statistics statistics(checked_orders("corpus_bleu", options));
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    std::vector<Words> of_segment;
    for (const auto& stream : references) of_segment.push_back(words_of(stream[i], options));
    add_segment(words_of(hypotheses[i], options), of_segment, statistics);
  }
  return score_of(statistics, options);
}

BleuScore corpus_bleu_of_tokens(const std::vector<std::vector<std::string>>& hypotheses,
                                const std::vector<std::vector<std::string>>& references, const BleuOptions& options) {
  if (hypotheses.size() != references.size()) {
    autograd::fail(autograd::ErrorId::bad_argument, "corpus_bleu_of_tokens", {},
                   fmt::format("{} hypotheses and {} references", hypotheses.size(), references.size()),
                   "give one reference for each hypothesis");
  }
  Statistics statistics(checked_orders("corpus_bleu_of_tokens", options));
  for (std::size_t i = 0; i < hypotheses.size(); ++i) add_segment(hypotheses[i], {references[i]}, statistics);
  return score_of(statistics, options);
}

}  // namespace nn
