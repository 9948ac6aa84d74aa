// What only Linux does for a process, and what is lost elsewhere.
#pragma once

#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace judge {

// Has the system send this process a signal when its parent ends. Elsewhere, what a killed `learn` has started runs on
// until its own limits end it.
inline void end_with_parent([[maybe_unused]] int signal) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, signal);
#endif
}

// No other process of this user may read or change this one; elsewhere it may.
inline void guard_memory() {
#ifdef __linux__
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

inline void close_all_from(int descriptor) {
#ifdef __linux__
  ::closefrom(descriptor);
#else
  for (; descriptor < ::getdtablesize(); ++descriptor) ::close(descriptor);
#endif
}

}  // namespace judge
