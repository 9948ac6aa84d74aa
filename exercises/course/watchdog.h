// A limit on time: an answer that does not end is stopped, and where it was is printed.
#pragma once

namespace course {

inline constexpr int timed_out = 124;  // the exit code, as timeout(1) has it

// From now on the program may run for so many seconds.
void limit_time(int seconds);

}  // namespace course
