// Files, whole: read at once, and written so that they are there completely or not at all.
#pragma once

#include <string>

namespace learn {

// Throws std::runtime_error, which names the file and the reason.
std::string read_file(const std::string& path);
// Through a temporary file beside it: whatever goes wrong, the old one is still there. Makes missing folders.
void write_file(const std::string& path, const std::string& text);
bool exists(const std::string& path);

}  // namespace learn
