// StopSignal: catches Ctrl-C (SIGINT), SIGTERM or a closed terminal (SIGHUP), so that a long loop can stop between two
// steps. A second Ctrl-C or SIGTERM is not caught and ends the program at once. Meanwhile a closed pipe (SIGPIPE) does
// not end the program: only the message that nobody reads is lost.
#pragma once

namespace translate {

// Listens from now on. A signal that was ignored before (nohup) stays ignored. One may live inside another, as a
// training does in an experiment: what the outer one received is not forgotten.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Returns the number of the signal that was received; 0 if there was none.
  static int received();
};

inline bool stop_wanted() {
  return StopSignal::received() != 0;
}

}  // namespace translate
