// What the tests of training share: a folder for files, a corpus and a run that are over in a moment, and ways to
// interfere.
#pragma once

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "examples/translate/artificial_language.h"
#include "examples/translate/training_run.h"

namespace fixtures {

// Empty, and gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "backstep-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

// Files cannot grow beyond so many bytes while it lives: what a full disk does, without one.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    signal_before_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_before_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*signal_before_)(int) = nullptr;
};

inline translate::Corpus small_corpus() {
  return translate::artificial_corpus({.train = 24, .validation = 4, .test = 2, .longer = 1, .clauses = 1});
}

// Two epochs of four updates, with everything random that there is.
inline translate::RunOptions small_run(const std::filesystem::path& folder) {
  return {.folder = folder,
          .model = {.dim = 4, .dropout = 0.3, .attention_dropout = 0.1},
          .training = {.epochs = 2, .batch = 7, .lr = 1e-2, .teacher_forcing = 0.7},
          .save_every = 1,
          .progress = nullptr};
}

}  // namespace fixtures
