#include "examples/translate/stop_signal.h"

namespace translate {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void remember(int signal) {
  received_signal = signal;
}

}  // namespace

StopSignal::StopSignal() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // the second one is not caught
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Before before{signal, {}};
    sigaction(signal, nullptr, &before.action);
    if (before.action.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
    before_.push_back(before);
  }
}

StopSignal::~StopSignal() {
  for (const Before& before : before_) sigaction(before.signal, &before.action, nullptr);
}

int StopSignal::received() {
  return received_signal;
}

}  // namespace translate
