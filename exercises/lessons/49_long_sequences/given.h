// What is given in exercise 49: sizes, the type of a score function, and the functions to write.
#pragma once

#include <judge/learner.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace given {

struct Sizes {
  std::int64_t source = 0;     // words
  std::int64_t target = 0;     // steps of the decoder
  std::int64_t decoder = 0;    // of a query
  std::int64_t encoder = 0;    // of a state
  std::int64_t attention = 0;  // hidden units of the score
};

// The scores [count] of `count` words from `first` on, for one query. Minus infinity at padding.
using ScoreFunction = std::function<Tensor(std::int64_t first, std::int64_t count)>;

}  // namespace given

using given::ScoreFunction;
using given::Sizes;

// The multiply-adds of all steps of one sentence, where U h_i is computed once for each word.
std::int64_t global_cost(const Sizes& sizes);

// The same if each step scores only 2 * radius + 1 words. (As if there were no edges.)
std::int64_t window_cost(const Sizes& sizes, std::int64_t radius);

// The context [encoder] of values [source, encoder], looking at no more than `chunk` words at once, and once at each.
Tensor chunked_context(const ScoreFunction& score, const Tensor& values, std::int64_t chunk);

// The context of the words from centre - radius to centre + radius, as far as they exist.
Tensor window_context(const ScoreFunction& score, const Tensor& values, std::int64_t centre, std::int64_t radius);

struct Answer {
  decltype(&::global_cost) global_cost;
  decltype(&::window_cost) window_cost;
  decltype(&::chunked_context) chunked_context;
  decltype(&::window_context) window_context;
};
