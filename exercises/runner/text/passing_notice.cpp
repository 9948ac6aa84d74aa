#include "runner/text/passing_notice.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "runner/text/style.h"

namespace learn {

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
