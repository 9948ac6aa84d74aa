// small_corpus, small_run: a corpus and a run for the tests of training, which take only a moment.
#pragma once

#include <filesystem>

#include "examples/translate/data/artificial_language.h"
#include "examples/translate/training/training_run.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/temporary_folder.h"

namespace fixtures {

inline translate::Corpus small_corpus() {
  return translate::artificial_corpus({.train = 24, .validation = 4, .test = 2, .longer = 1, .clauses = 1});
}

// Two epochs of four updates, with everything that can be random.
inline translate::RunOptions small_run(const std::filesystem::path& folder) {
  return {.folder = folder,
          .model = {.dim = 4, .dropout = 0.3},
          .training = {.epochs = 2, .batch = 7, .lr = 1e-2, .teacher_forcing = 0.7},
          .save_every = 1,
          .progress = nullptr};
}

}  // namespace fixtures
