// A training that is over in a moment, whose checkpoint is the seed of the target checkpoint.
#pragma once

#include "examples/translate/data/artificial_language.h"
#include "examples/translate/training/training_run.h"

namespace fuzz {

inline const translate::Corpus& small_corpus() {
  static const translate::Corpus corpus =
      translate::artificial_corpus({.train = 6, .validation = 1, .test = 1, .longer = 1, .clauses = 1});
  return corpus;
}

inline translate::RunOptions small_run(const std::filesystem::path& folder) {
  return {.folder = folder,
          .model = {.dim = 2},
          .data = {.pairs = 6, .clauses = 1},
          .training = {.epochs = 1, .steps = 2, .batch = 3},
          .save_every = 1,
          .progress = nullptr};
}

}  // namespace fuzz
