// The command line of `translate`.
#pragma once

namespace translate {

// All of the program: 0; 1 after an error; 2 after a mistake on the command line; 128 + the signal's number if a
// training was stopped. Errors are one line on standard error.
int run_command_line(int argc, const char* const* argv);

}  // namespace translate
