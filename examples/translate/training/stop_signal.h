// A wish to stop, by Ctrl-C (SIGINT), SIGTERM or a closed terminal (SIGHUP), that a long loop looks for between two
// steps. The second Ctrl-C or SIGTERM is not caught any more and ends the program at once. Meanwhile a closed pipe
// (SIGPIPE) is no reason to end: a message that nobody reads is lost, and nothing else.
#pragma once

#include <csignal>
#include <vector>

namespace translate {

// Listens as long as it lives; then all is as before. A signal that was ignored before (nohup) stays ignored. One may
// live inside another, as a training does in an experiment: what came to the outer one is not forgotten.
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
  void handle(int signal, void (*handler)(int), int flags);

  std::vector<Before> before_;
};

}  // namespace translate
