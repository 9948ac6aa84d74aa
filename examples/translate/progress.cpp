#include "examples/translate/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace translate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(200);  // in a terminal
constexpr auto between_lines = std::chrono::seconds(30);        // in a file

constexpr double kept_of_loss = 0.95;  // per update, of the mean that is shown

}  // namespace

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, std::min(seconds, 1e9)));
  const std::int64_t hours = whole / 3600;
  const std::int64_t minutes = whole / 60 % 60;
  if (hours == 0) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
}

Progress::Progress(std::FILE* stream)
    : stream_(stream), is_terminal_(stream && isatty(fileno(stream))), shown_(Clock::now()) {}

void Progress::update(std::int64_t epoch, std::int64_t batch, double loss, std::int64_t words, double seconds) {
  loss_ = has_loss_ ? kept_of_loss * loss_ + (1.0 - kept_of_loss) * loss : loss;
  has_loss_ = true;
  words_ += words;
  seconds_ += seconds;
  if (!stream_ || !is_due()) return;
  shown_ = Clock::now();
  fmt::print(stream_, "{}{}{}", is_terminal_ ? "\r" : "", line(epoch, batch), is_terminal_ ? "\x1b[K" : "\n");
  std::fflush(stream_);
}

bool Progress::is_due() const {
  const auto since = Clock::now() - shown_;
  return is_terminal_ ? since >= between_looks : since >= between_lines;
}

std::string Progress::line(std::int64_t epoch, std::int64_t batch) const {
  const double rate = static_cast<double>(words_) / seconds_;
  const double left = (scale_.words - static_cast<double>(words_)) / rate;
  return fmt::format("epoch {}/{}   update {}/{}   loss {:.3f}   perplexity {:.2f}   {:.0f} words/s   {} left", epoch,
                     scale_.epochs, batch, scale_.batches, loss_, std::exp(loss_), rate, clock_text(left));
}

void Progress::doing(const std::string& what) {
  if (!stream_ || !is_terminal_) return;
  fmt::print(stream_, "\r{} ..\x1b[K", what);
  std::fflush(stream_);
}

void Progress::say(const std::string& line) {
  if (!stream_) return;
  clear();
  fmt::print(stream_, "{}\n", line);
  std::fflush(stream_);
}

void Progress::clear() {
  if (stream_ && is_terminal_) fmt::print(stream_, "\r\x1b[K");
}

}  // namespace translate
