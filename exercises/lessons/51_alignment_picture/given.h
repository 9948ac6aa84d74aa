// What is given in exercise 51: links between words, and the functions to write.
#pragma once

#include <judge/learner.h>

#include <algorithm>

namespace given {

// Target word `target` was made from source word `source`; both are counted from 0.
struct Link {
  std::int64_t target = 0;
  std::int64_t source = 0;
};
inline bool operator==(const Link& a, const Link& b) {
  return a.target == b.target && a.source == b.source;
}
using Links = std::vector<Link>;

// A link that people drew. What is sure is possible, too.
struct GoldLink {
  Link link;
  bool sure = false;
};

// Positions in ascending order, each once.
struct Patterns {
  std::vector<std::int64_t> reordered;    // target words
  std::vector<std::int64_t> many_to_one;  // target words
  std::vector<std::int64_t> one_to_many;  // source words
};

inline std::vector<std::int64_t> sorted_once(std::vector<std::int64_t> positions) {
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

}  // namespace given

using given::GoldLink;
using given::Link;
using given::Links;
using given::Patterns;
using given::sorted_once;

// weights [target, source], with a word for each row and each column.
std::string draw_alignment(const Tensor& weights, const std::vector<std::string>& target_words,
                           const std::vector<std::string>& source_words);

// The links whose weight is `at_least` or more, row by row.
Links links_of(const Tensor& weights, double at_least);

Patterns patterns_of(const Links& links);

double alignment_error_rate(const Links& links, const std::vector<GoldLink>& gold);

struct Answer {
  decltype(&::draw_alignment) draw_alignment;
  decltype(&::links_of) links_of;
  decltype(&::patterns_of) patterns_of;
  decltype(&::alignment_error_rate) alignment_error_rate;
};
