// What exercise 41 is given, and the checks of 42 and of the translator use: sentences of different lengths as a batch.
#pragma once

#include <judge/learner.h>

#include <algorithm>

namespace given {

using Sentence = std::vector<std::int64_t>;

// Rows of different lengths as one tensor of ids [rows, longest], the short ones filled up with `filler`.
inline Tensor stack_rows(std::vector<Sentence> rows, std::int64_t filler) {
  std::size_t longest = 0;
  for (const Sentence& row : rows) longest = std::max(longest, row.size());
  std::vector<std::int64_t> ids;
  for (Sentence& row : rows) {
    row.resize(longest, filler);
    ids.insert(ids.end(), row.begin(), row.end());
  }
  return autograd::ids(ids, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(longest)});
}

}  // namespace given
