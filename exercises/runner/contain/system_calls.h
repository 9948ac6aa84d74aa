// What a contained program may ask the system for, as a filter that the kernel applies (seccomp).
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <array>
#include <cstddef>

namespace learn {

struct SystemCallFilter {
  std::array<sock_filter, 128> lines{};
  std::size_t count = 0;
};

// A call that is not allowed ends the program with SIGSYS. `own`: the only process that it may send signals to; 0 where
// it sees no others. Allocates nothing.
SystemCallFilter system_call_filter(bool starts_programs, pid_t own);

}  // namespace learn
