// A socket of this program alone, for each system that has sockets.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>

namespace autograd {

// For send(): where the other end is gone, it says so instead of ending the program.
#ifdef MSG_NOSIGNAL
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;  // macOS: the socket itself is told, below
#endif

// Programs that this one starts do not inherit it. Takes what socket() and accept() return, and keeps their errno.
inline int made_private(int socket) {
  if (socket < 0) return socket;
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return socket;
}

}  // namespace autograd
