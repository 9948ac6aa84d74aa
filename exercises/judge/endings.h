// How an answer's program ends before its time, for those who read it from outside.
#pragma once

namespace judge {

// Exit codes.
inline constexpr int timed_out = 124;  // as timeout(1) has it
inline constexpr int waited_too_long = 123;
inline constexpr int sent_no_message = 122;  // something else was written where the judge reads

// Thrown in the judge where the answer's program ended instead of sending what it was asked for, or sent something
// else.
struct AnswerEnded {
  int exit_code = 0;  // 128 + n when signal n ended it
};

// The line before a stack trace that a program prints of itself.
inline constexpr const char* stack_mark = "course: stack";

}  // namespace judge
