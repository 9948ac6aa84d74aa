#include "examples/translate/training/stop_signal.h"

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
  handle(SIGINT, remember, SA_RESTART | SA_RESETHAND);
  handle(SIGTERM, remember, SA_RESTART | SA_RESETHAND);
  handle(SIGHUP, remember, SA_RESTART);  // caught again and again: a terminal that closes may send two
  handle(SIGPIPE, SIG_IGN, 0);
}

void StopSignal::handle(int signal, void (*handler)(int), int flags) {
  Before before{signal, {}};
  sigaction(signal, nullptr, &before.action);
  if (before.action.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
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
