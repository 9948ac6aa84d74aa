// Text for terminals and pictures, where every letter takes up room. Not part of the public face.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nn {

// The text as one harmless line: control characters become pictures of themselves (a line end becomes U+240A), and
// bytes that are not UTF-8, and characters that would turn the reading direction, become U+FFFD.
std::string printable(std::string_view text);

// How many columns of a terminal it takes: 2 for East Asian letters and emoji, 0 for combining accents, else 1 per
// character. `text` is printable.
std::size_t display_width(std::string_view text);

// Its characters one by one, accents with the letter that they belong to. `text` is printable.
std::vector<std::string> characters(std::string_view text);

}  // namespace nn
