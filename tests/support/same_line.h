// Lines that programs print, the same but for rounding: the last bits of tanh or of a sum differ between processors.
#pragma once

#include <string>

namespace fixtures {

// The same words and signs, and numbers without a fraction; others may differ as `same_number` says. A run of spaces
// counts as one, since a number may become longer.
using SameNumber = bool (*)(const std::string& a, const std::string& b);
bool same_line(const std::string& expected, const std::string& actual, SameNumber same_number);
// By one in the last digit, or by 1e-9.
bool same_line(const std::string& expected, const std::string& actual);

// One in the last digit: 0.001 for "1.250", 1e-12 for "3e-12".
double last_digit(const std::string& number);

}  // namespace fixtures
