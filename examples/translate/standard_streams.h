// Standard input, output and error, which a program may be started without (`translate .. >&-`).
#pragma once

namespace translate {

// Opens those that are closed, so that no file of the program gets their number and is written to by mistake. Reading
// from such an input, and writing to such an output, fails. The first thing in main().
void open_standard_streams();

}  // namespace translate
