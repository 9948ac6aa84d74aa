// How far a training is, on a stream: one line that is written over again and again in a terminal, and a line now and
// then in a file. In a terminal, as many of its fields as fit. A line that cannot be written is not missed
// (messages.h).
//
//   epoch 3/8   update 120/454   loss 2.325   perplexity 10.23   1093 words/s   41:07 left
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace translate {

// As many of the fields, from the first one, as fit into a line of this width, in columns.
std::string fitting(const std::vector<std::string>& fields, std::size_t width);
// The beginning of a line that fits likewise. `line` is printable (nn/pictures/display_text.h).
std::string shortened(const std::string& line, std::size_t width);

// One line on standard error; in a terminal it replaces the one before.
void show_progress(const std::string& line);
void end_progress();

struct ProgressScale {
  std::int64_t epochs = 0;
  std::int64_t batches = 0;  // updates per epoch
  double words = 0.0;        // to be learnt from in this call, as far as is known before
};

class Progress {
 public:
  // nullptr: shows nothing.
  explicit Progress(std::FILE* stream);

  void start(const ProgressScale& scale) { scale_ = scale; }
  // After an update, the `batch`th of this epoch (both from 1), which learnt from so many words in so many seconds.
  void update(std::int64_t epoch, std::int64_t batch, double loss, std::int64_t words, double seconds);
  // What is being done meanwhile: "validating". In a terminal only.
  void doing(const std::string& what);
  // A line that stays.
  void say(const std::string& line);
  // The line that is written over goes away.
  void clear();

  // Of all updates in this call.
  double seconds() const { return seconds_; }
  std::int64_t words() const { return words_; }

 private:
  std::vector<std::string> fields(std::int64_t epoch, std::int64_t batch) const;

  std::FILE* stream_;
  bool is_terminal_;
  ProgressScale scale_;
  double loss_ = 0.0;  // smoothed
  double seconds_ = 0.0;
  std::int64_t words_ = 0;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

}  // namespace translate
