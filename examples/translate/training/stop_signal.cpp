#include "examples/translate/training/stop_signal.h"

#include <csignal>

namespace translate {
namespace {

volatile std::sig_atomic_t received_signal = 0;
int listeners = 0;

void remember(int signal) {
  received_signal = signal;
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() {
  if (listeners++ > 0) return;
  received_signal = 0;
  handle(SIGINT, remember, SA_RESTART | SA_RESETHAND);
  handle(SIGTERM, remember, SA_RESTART | SA_RESETHAND);
  handle(SIGHUP, remember, SA_RESTART);  // caught again and again: a terminal that closes may send two
  handle(SIGPIPE, SIG_IGN, 0);
}

StopSignal::~StopSignal() {
  --listeners;
}

int StopSignal::received() {
  return received_signal;
}

}  // namespace translate
