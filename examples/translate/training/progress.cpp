#include "examples/translate/training/progress.h"

#include <fmt/chrono.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "autograd/text/terminal.h"
#include "examples/translate/messages.h"

namespace translate {
namespace {

constexpr std::int64_t updates_to_judge = 20;  // the pace by
constexpr double kept_of_loss = 0.95;          // of the shown mean, at each update

// "12:34", "12:34:56"
std::string clock_text(double seconds) {
  const std::chrono::seconds whole(static_cast<std::int64_t>(std::clamp(seconds, 0.0, 1e9)));
  return whole < std::chrono::hours(1) ? fmt::format("{:%M:%S}", whole) : fmt::format("{:%T}", whole);
}

}  // namespace

Progress::Progress(std::FILE* stream) : stream_(stream), is_terminal_(stream && isatty(fileno(stream))) {}

void Progress::update(std::int64_t epoch, std::int64_t batch, double loss, std::int64_t words, double seconds) {
  loss_ = words_ == 0 ? loss : kept_of_loss * loss_ + (1.0 - kept_of_loss) * loss;
  words_ += words;
  seconds_ += seconds;
  if (++updates_ == updates_to_judge) {
    say(fmt::format("at this pace the training takes {} from here",
                    clock_text(scale_.words / (static_cast<double>(words_) / seconds_))));
  }
  const auto between = is_terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(30);
  const auto now = std::chrono::steady_clock::now();
  if (!stream_ || now - shown_ < between) return;
  shown_ = now;
  const double rate = static_cast<double>(words_) / seconds_;
  const double left = (scale_.words - static_cast<double>(words_)) / rate;
  const std::string line =
      fmt::format("epoch {}/{}   update {}/{}   loss {:.3f}   perplexity {:.2f}   {:.0f} words/s   {} left", epoch,
                  scale_.epochs, batch, scale_.batches, loss_, std::exp(loss_), rate, clock_text(left));
  is_terminal_ ? doing(line) : say(line);
}

// The last column stays free: some terminals start a new line when it is filled.
void Progress::doing(const std::string& what) {
  constexpr const char* clear_rest = "\x1b[K";
  if (!is_terminal_) return;
  const std::size_t columns = autograd::terminal_size(stream_).ws_col;
  translate::say("\r" + what.substr(0, (columns > 0 ? columns : 80) - 1) + clear_rest, stream_);
}

void Progress::say(const std::string& line) {
  clear();
  if (stream_) translate::say(in_one_line(line) + "\n", stream_);
}

}  // namespace translate
