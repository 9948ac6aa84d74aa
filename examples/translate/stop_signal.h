// A wish to stop, by Ctrl-C (SIGINT), SIGTERM or a closed terminal (SIGHUP), that a long loop looks for between two
// steps. The second one of the same kind is not caught any more and ends the program at once.
#pragma once

#include <csignal>
#include <vector>

namespace translate {

// Listens as long as it lives; then all is as before. A signal that was ignored before (nohup) stays ignored.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // The number of the signal that came, 0 if none has.
  static int received();

 private:
  struct Before {
    int signal;
    struct sigaction action;
  };
  std::vector<Before> before_;
};

}  // namespace translate
