// Progress: shows how far a training is. A terminal gets one line that is overwritten again and again; a file gets a
// line now and then. A line that cannot be written is not missed (messages.h).
//
//   epoch 3/8   update 120/454   loss 2.325   perplexity 10.23   1093 words/s   41:07 left
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace translate {

struct ProgressScale {
  std::int64_t epochs = 0;
  std::int64_t batches = 0;  // updates per epoch
  double words = 0.0;        // target words that this call will learn from, estimated
};

class Progress {
 public:
  // nullptr: shows nothing.
  explicit Progress(std::FILE* stream);

  void start(const ProgressScale& scale) { scale_ = scale; }
  // Call after an update, the `batch`th of this epoch (both from 1), which learned from `words` words in `seconds`
  // seconds.
  void update(std::int64_t epoch, std::int64_t batch, double loss, std::int64_t words, double seconds);
  // Shows what is being done meanwhile, such as "validating", at a terminal only.
  void doing(const std::string& what);
  // Writes a line that stays.
  void say(const std::string& line);
  // Removes the line that is overwritten.
  void clear() { doing(""); }

  // Over all updates of this call.
  double seconds() const { return seconds_; }
  std::int64_t words() const { return words_; }

 private:
  std::FILE* stream_;
  bool is_terminal_;
  ProgressScale scale_;
  double loss_ = 0.0;  // smoothed
  double seconds_ = 0.0;
  std::int64_t words_ = 0;
  std::int64_t updates_ = 0;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

}  // namespace translate
