// What a program says when a signal or a sanitizer ends it, so that a crash names the case that it happened in.
#pragma once

#include <string>

// Says `text` from now on; what is beyond 400 characters is cut off.
void set_last_words(const std::string& text);
// From now on they are said when the process is ended by a fault of memory, by abort() or by Ctrl-C.
void say_last_words_at_the_end();
