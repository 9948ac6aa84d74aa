// Messages for whoever started the program: on standard error, so that they do not get into its results.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace translate {

// Writes a text as it is, at once. Nothing fails because a message cannot be written: a training goes on when its
// terminal is closed or the disk with its log is full.
void say(const std::string& text, std::FILE* stream = stderr);

// "1 pair", "2 pairs".
std::string counted(std::int64_t count, std::string_view thing);

// A path as it is typed in a shell: in quotes if there is a space or the like in it.
std::string quoted(const std::filesystem::path& path);

// A text, which may be anybody's, as one line that does nothing to a terminal (nn/pictures/display_text.h).
std::string in_one_line(std::string text);

}  // namespace translate
