// run_command_line: the program `translate`, from its arguments to its exit code.
#pragma once

namespace translate {

// Runs the program and returns its exit code: 0; 1 after an error; 2 after a mistake on the command line; 128 + the
// signal's number if a signal stopped a training or an experiment. An error is one line on standard error.
int run_command_line(int argc, const char* const* argv);

}  // namespace translate
