// Refused: the exception for a command that cannot be done. Its text is one line: what was found, what was expected.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace autograd::debug {

class Refused : public std::runtime_error {
 public:
  Refused(const std::string& found, const std::string& expected)
      : std::runtime_error(found + "; expected " + expected) {}
};

// The names most like `word`, at most three: for "did you mean".
std::vector<std::string> near(std::string_view word, const std::vector<std::string>& names);
// " (near: W_enc, W_dec)", or "".
std::string near_text(std::string_view word, const std::vector<std::string>& names);

}  // namespace autograd::debug
