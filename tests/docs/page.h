// What the program of a page is made of (snippets.h): the libraries, and the marks between the outputs.
#pragma once

#include <autograd/autograd.h>
#include <autograd/gradcheck/gradcheck.h>
#include <fmt/format.h>
#include <nn/nn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace docs {

// What is printed from now on belongs to the snippet at that line.
inline void begin(int line) {
  std::fflush(stdout);
  std::printf("\x1e%d\n", line);
}

// Each snippet is a process of its own: it starts afresh, and if it crashes, the others still run.
inline void run(void (*snippet)(), int line) {
  begin(line);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    try {
      snippet();
    } catch (const std::exception& error) {
      std::printf("\x1e!%d\n%s\n", line, error.what());
    }
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::printf("\x1e!%d\nthe program ended with status %d\n", line, status);
}

}  // namespace docs
