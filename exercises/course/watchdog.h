// Where an answer was when it was stopped: for its time, or for a call that its sandbox (runner/system/sandbox.h)
// refuses.
#pragma once

namespace course {

inline constexpr int timed_out = 124;  // the exit code, as timeout(1) has it

// From now on the program may run for so many seconds.
void limit_time(int seconds);
void say_where_calls_are_refused();

}  // namespace course
