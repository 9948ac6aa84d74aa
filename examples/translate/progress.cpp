#include "examples/translate/progress.h"

#include <fmt/core.h>
#include <nn/pictures/display_text.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "examples/translate/messages.h"

namespace translate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(200);  // in a terminal
constexpr auto between_lines = std::chrono::seconds(30);        // in a file

constexpr double kept_of_loss = 0.95;  // per update, of the mean that is shown

constexpr std::size_t no_limit = 1000;

}  // namespace

std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int width = columns ? std::atoi(columns) : 0;
  return width > 0 ? static_cast<std::size_t>(width) : 80;
}

// The last column stays free: some terminals go on to the next line when it is filled.
std::string fitting(const std::vector<std::string>& fields, std::size_t width) {
  std::string line;
  for (const std::string& field : fields) {
    const std::string longer = line.empty() ? field : line + "   " + field;
    if (longer.size() >= width) break;
    line = longer;
  }
  return line;
}

std::string shortened(const std::string& line, std::size_t width) {
  std::string result;
  std::size_t columns = 0;
  for (const std::string& character : nn::characters(line)) {
    columns += nn::display_width(character);
    if (columns >= width) break;
    result += character;
  }
  return result;
}

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
  const std::vector<std::string> parts = fields(epoch, batch);
  translate::say(
      is_terminal_ ? "\r" + fitting(parts, terminal_width(stream_)) + "\x1b[K" : fitting(parts, no_limit) + "\n",
      stream_);
}

bool Progress::is_due() const {
  const auto since = Clock::now() - shown_;
  return is_terminal_ ? since >= between_looks : since >= between_lines;
}

std::vector<std::string> Progress::fields(std::int64_t epoch, std::int64_t batch) const {
  const double rate = static_cast<double>(words_) / seconds_;
  const double left = (scale_.words - static_cast<double>(words_)) / rate;
  return {fmt::format("epoch {}/{}", epoch, scale_.epochs),
          fmt::format("update {}/{}", batch, scale_.batches),
          fmt::format("loss {:.3f}", loss_),
          fmt::format("perplexity {:.2f}", std::exp(loss_)),
          fmt::format("{:.0f} words/s", rate),
          clock_text(left) + " left"};
}

void Progress::doing(const std::string& what) {
  if (!stream_ || !is_terminal_) return;
  translate::say(fmt::format("\r{} ..\x1b[K", what), stream_);
}

void Progress::say(const std::string& line) {
  if (!stream_) return;
  clear();
  translate::say(in_one_line(line) + "\n", stream_);
}

void Progress::clear() {
  if (stream_ && is_terminal_) translate::say("\r\x1b[K", stream_);
}

}  // namespace translate
