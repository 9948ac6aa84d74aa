#include "examples/translate/stop_signal.h"

#include <initializer_list>

namespace translate {
namespace {

volatile std::sig_atomic_t received_signal = 0;
int listeners = 0;

void remember(int signal) {
  received_signal = signal;
}

}  // namespace

StopSignal::StopSignal() {
  if (listeners++ == 0) received_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Before before{signal, {}};
    sigaction(signal, nullptr, &before.action);
    if (before.action.sa_handler == SIG_IGN) continue;
    // The second one is not caught; but a terminal that closes may send two of its own.
    action.sa_flags = SA_RESTART | (signal == SIGHUP ? 0 : SA_RESETHAND);
    sigaction(signal, &action, nullptr);
    before_.push_back(before);
  }
  ignore_broken_pipes();
}

// A message into a pipe that nobody reads any more is lost, and nothing else.
void StopSignal::ignore_broken_pipes() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  Before before{SIGPIPE, {}};
  sigaction(SIGPIPE, &ignore, &before.action);
  before_.push_back(before);
}

StopSignal::~StopSignal() {
  --listeners;
  for (const Before& before : before_) sigaction(before.signal, &before.action, nullptr);
}

int StopSignal::received() {
  return received_signal;
}

}  // namespace translate
