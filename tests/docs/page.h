// What the program of a page is made of (snippets.h): the libraries, and the marks between the outputs.
#pragma once

#include <autograd/autograd.h>
#include <autograd/gradcheck/gradcheck.h>
#include <fmt/format.h>
#include <nn/nn.h>

#include <cstdio>
#include <exception>

namespace docs {

// What is printed from now on belongs to the snippet at that line.
inline void begin(int line) {
  std::fflush(stdout);
  std::printf("\x1e%d\n", line);
}

inline void run(void (*snippet)(), int line) {
  begin(line);
  autograd::manual_seed(0);
  try {
    snippet();
  } catch (const std::exception& error) {
    std::printf("\x1e!%d\n%s\n", line, error.what());
  }
}

}  // namespace docs
