#include "examples/translate/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace translate {

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool is_closed = fcntl(stream, F_GETFD) < 0 && errno == EBADF;
    if (!is_closed) continue;
    // open() takes the lowest number that is free: this one. The wrong way round, so that its use is an error.
    const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != stream) return;
  }
}

}  // namespace translate
