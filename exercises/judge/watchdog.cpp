#include "judge/watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <ctime>
#include <string_view>

#include "judge/endings.h"

// From the sanitizers' runtime, which a learner's program is linked with; the author's is not.
extern "C" __attribute__((weak)) void __sanitizer_print_stack_trace();

namespace judge {
namespace {

void say_where() {
  for (const std::string_view part : {stack_mark, "\n"}) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, part.data(), part.size());
  }
  if (__sanitizer_print_stack_trace) __sanitizer_print_stack_trace();
}

// Several looks: from inside a library, a stack may not lead back to the answer.
constexpr int looks = 3;
constexpr suseconds_t pause_between_looks = 20000;

void look(int exit_code) {
  static volatile sig_atomic_t looked = 0;
  looked = looked + 1;
  say_where();
  if (looked == looks) _exit(exit_code);
}

void look_where_it_works(int) {
  look(timed_out);
}

void look_where_it_waits(int) {
  look(waited_too_long);
  ualarm(pause_between_looks, 0);
}

// As if nobody had caught it.
void stop_for_refused_call(int) {
  say_where();
  _exit(128 + SIGSYS);
}

void on(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

struct Waiting {
  int seconds = 0;
  double used_before = 0.0;  // of processor time
};
Waiting waiting;

// What works gets its share of the processor, however many others there are.
void stop_if_it_waits(int) {
  constexpr double least_share = 0.01;
  const double used = processor_seconds();
  if (used - waiting.used_before < least_share * waiting.seconds) {
    on(SIGALRM, look_where_it_waits);
    look_where_it_waits(SIGALRM);
    return;
  }
  waiting.used_before = used;
  alarm(static_cast<unsigned>(waiting.seconds));
}

}  // namespace

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void limit_time(int seconds) {
  on(SIGPROF, look_where_it_works);
  const itimerval then_look_again{{0, pause_between_looks}, {seconds, 0}};
  setitimer(ITIMER_PROF, &then_look_again, nullptr);
}

void limit_waiting(int seconds) {
  waiting = {seconds, processor_seconds()};
  on(SIGALRM, stop_if_it_waits);
  alarm(static_cast<unsigned>(seconds));
}

void say_where_calls_are_refused() {
  on(SIGSYS, stop_for_refused_call);
}

}  // namespace judge
