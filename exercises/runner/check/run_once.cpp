// The main() of a program that runs the learner's answer once on the check's inputs, and nothing else: for debuggers,
// to show what the answer prints, and to find where it throws.
#include <dlfcn.h>
#include <judge/endings.h>
#include <judge/exercise.h>

#include <cstdlib>
#include <iostream>

// From the sanitizers' runtime; not there in a debugger.
extern "C" __attribute__((weak)) void __sanitizer_print_stack_trace();

bool traces_throws() {
  return std::getenv("LEARN_TRACE_THROW") != nullptr;
}

// Every exception is thrown through __cxa_throw, also those of the standard library, and a program may define its own.
// This one prints a stack trace if LEARN_TRACE_THROW is set, and throws as usual.
using Throw = void (*)(void* exception, void* type, void (*destructor)(void*));
void traced_throw(void* exception, void* type, void (*destructor)(void*)) asm("__cxa_throw");

void traced_throw(void* exception, void* type, void (*destructor)(void*)) {
  if (traces_throws() && __sanitizer_print_stack_trace) {
    std::cerr << judge::stack_mark << std::endl;
    __sanitizer_print_stack_trace();
  }
  reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"))(exception, type, destructor);
  std::abort();
}

int main() {
  const judge::Observed observed = judge::observe(judge::exercise.learner, judge::usual_setting(), {.only_once = true});
  if (traces_throws()) return 0;
  for (const judge::Observation& observation : observed.record.observations) {
    if (observation.kind == judge::Observation::Kind::threw) std::cerr << observation.thrown.message << '\n';
  }
}
