// Guard: a process between us and a program that we run. It leaves nothing running of what the program has started,
// wherever that went (setsid()), whether the program ends, or we do.
#pragma once

#include <sys/types.h>

#include <functional>

namespace learn {

// Of what waitpid() says, as the shell has it: 128 + n when signal n ended it.
int exit_code_of(int status);

// In a child of `parent`: runs `become` in a child of its own, waits for it, kills what is left, and ends with its exit
// code. SIGTERM, or the end of `parent`, ends all at once.
[[noreturn]] void stand_guard(pid_t parent, const std::function<void()>& become);

// From outside: ends a guard and all that it guards, and waits for it. Returns what waitpid() says of it.
int end_guard(pid_t guard);

}  // namespace learn
