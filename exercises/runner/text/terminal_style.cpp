#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "autograd/text/terminal.h"
#include "runner/text/style.h"

namespace learn {
namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t widest_text = 120;  // longer lines are hard to read

std::size_t terminal_width() {
  if (const char* const columns = std::getenv("COLUMNS")) {
    const int given = std::atoi(columns);
    if (given > 0) return static_cast<std::size_t>(given);
  }
  const std::size_t columns = autograd::terminal_size().ws_col;
  return columns > 0 ? columns : 100;
}

bool has_colours() {
  const char* const none = std::getenv("NO_COLOR");
  if (none && *none) return false;
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) && kind && std::string_view(kind) != "dumb";
}

bool locale_is_utf8() {
  std::setlocale(LC_CTYPE, "");
  return std::string_view(::nl_langinfo(CODESET)) == "UTF-8";
}

}  // namespace

Style terminal_style() {
  Style style;
  style.terminal = std::max(terminal_width(), narrowest);
  style.width = std::min(style.terminal, widest_text);
  style.colour = has_colours();
  style.unicode = locale_is_utf8();
  return style;
}

PassingNotice::PassingNotice(const std::string& text) : shown_(::isatty(STDOUT_FILENO)) {
  if (!shown_) return;
  fmt::print("{}", terminal_text(text));
  std::fflush(stdout);
}

PassingNotice::~PassingNotice() {
  if (!shown_) return;
  fmt::print("\r\033[K");
  std::fflush(stdout);
}

}  // namespace learn
