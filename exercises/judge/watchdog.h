// Where an answer was when it was stopped: for its time, or for a call that its sandbox (runner/system/sandbox.h)
// refuses.
#pragma once

namespace judge {

// What this process has used so far, in all its threads.
double processor_seconds();

// From now on the program may use so many seconds of processor time, all its threads together: those that pass on a
// busy machine do not count.
void limit_time(int seconds);
// And may spend so many seconds waiting, with next to nothing done; 0: as many as it likes.
void limit_waiting(int seconds);
void say_where_calls_are_refused();

}  // namespace judge
