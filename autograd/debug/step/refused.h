// Refused: the exception for a command that cannot be done. Its text is one line: what was found, what was expected.
// And the words and numbers of a command, of which some are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace autograd::debug {

class Refused : public std::runtime_error {
 public:
  Refused(const std::string& found, const std::string& expected)
      : std::runtime_error(found + "; expected " + expected) {}
  // The same, of a command.
  Refused(const std::string& command, const Refused& refused) : std::runtime_error(command + ": " + refused.what()) {}
};

// The names most like `word`, at most three: " (near: W_enc, W_dec)", or "".
std::string near_text(std::string_view word, const std::vector<std::string>& names);

// The first word; `text` becomes the rest.
std::string take_word(std::string& text);
// A whole number between the limits; throws Refused.
std::int64_t parse_count(std::string_view text, std::int64_t least, std::int64_t most, const std::string& what);
std::optional<std::int64_t> whole_number(std::string_view text);
std::optional<double> real_number(std::string_view text);

}  // namespace autograd::debug
