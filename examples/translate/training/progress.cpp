#include "examples/translate/training/progress.h"

#include <fmt/chrono.h>
#include <nn/pictures/display_text.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "examples/translate/messages.h"

namespace translate {
namespace {

constexpr double kept_of_loss = 0.95;           // of the shown mean, at each update
constexpr const char* rest_of_line = "\x1b[K";  // clears the rest of the line

// Returns the columns of the terminal, else those of the variable COLUMNS, else 80.
std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int width = columns ? std::atoi(columns) : 0;
  return width > 0 ? static_cast<std::size_t>(width) : 80;
}

// "12:34", "12:34:56"
std::string clock_text(double seconds) {
  const std::chrono::seconds whole(static_cast<std::int64_t>(std::clamp(seconds, 0.0, 1e9)));
  return whole < std::chrono::hours(1) ? fmt::format("{:%M:%S}", whole) : fmt::format("{:%T}", whole);
}

}  // namespace

// The last column stays free: some terminals start a new line when it is filled.
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

void show_progress(const std::string& line) {
  if (isatty(STDERR_FILENO) != 0) {
    say("\r" + shortened(in_one_line(line), terminal_width(stderr)) + rest_of_line);
  } else {
    say(in_one_line(line) + "\n");
  }
}

void end_progress() {
  if (isatty(STDERR_FILENO) != 0) say(std::string("\r") + rest_of_line);
}

// ---- the progress of a training ------------------------------------------------------------------------------

Progress::Progress(std::FILE* stream) : stream_(stream), is_terminal_(stream && isatty(fileno(stream))) {}

void Progress::update(std::int64_t epoch, std::int64_t batch, double loss, std::int64_t words, double seconds) {
  loss_ = words_ == 0 ? loss : kept_of_loss * loss_ + (1.0 - kept_of_loss) * loss;
  words_ += words;
  seconds_ += seconds;
  const auto between = is_terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(30);
  const auto now = std::chrono::steady_clock::now();
  if (!stream_ || now - shown_ < between) return;
  shown_ = now;
  const std::vector<std::string> parts = fields(epoch, batch);
  const std::string in_terminal = "\r" + fitting(parts, terminal_width(stream_)) + rest_of_line;
  translate::say(is_terminal_ ? in_terminal : fitting(parts, 1000) + "\n", stream_);
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
  if (stream_ && is_terminal_) translate::say(fmt::format("\r{} ..{}", what, rest_of_line), stream_);
}

void Progress::say(const std::string& line) {
  clear();
  if (stream_) translate::say(in_one_line(line) + "\n", stream_);
}

void Progress::clear() {
  if (stream_ && is_terminal_) translate::say(std::string("\r") + rest_of_line, stream_);
}

}  // namespace translate
