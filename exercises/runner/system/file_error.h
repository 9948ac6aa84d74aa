// What is thrown where a file cannot be used: "cannot read answers.json: Permission denied".
#pragma once

#include <string>

namespace learn {

[[noreturn]] void cannot(const std::string& what, const std::string& path, int error);

}  // namespace learn
