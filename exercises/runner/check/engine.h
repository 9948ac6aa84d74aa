// Engine: what check programs are linked with. The first exercises need little of it, and are linked with a quickly
// made part while the whole is still being compiled (exercises/learn).
#pragma once

#include <string>
#include <vector>

namespace learn {

bool engine_is_ready();
// Waits until it is, and shows how far it is. Throws std::runtime_error where nobody is compiling it.
void await_engine();
// Libraries for the linker.
const std::vector<std::string>& engine_libraries();

}  // namespace learn
