// How large a terminal is.
#pragma once

#include <sys/ioctl.h>

#include <cstdio>

namespace autograd {

// Of the terminal that the stream writes to: ws_col and ws_row, 0 where it is none or does not say.
inline winsize terminal_size(std::FILE* stream = stdout) {
  winsize size{};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

}  // namespace autograd
