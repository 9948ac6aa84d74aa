// An exception that nobody catches is a finding too. The handler of std::terminate is called before anything is
// unwound, so that the debugger can still look at the op that threw.
#pragma once

namespace autograd::debug {

// Puts a handler in front of the one that is there, which still ends the program.
void tell_of_uncaught_exceptions();

}  // namespace autograd::debug
