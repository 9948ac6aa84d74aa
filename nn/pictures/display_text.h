// Prepares text for terminals and pictures, and measures its width. Private to nn.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nn {

// The text as one line that is safe to print: control characters become visible symbols (a line end becomes U+240A),
// and bytes that are not UTF-8, and characters that would change the reading direction, become U+FFFD.
std::string printable(std::string_view text);

// How many columns of a terminal it takes: 2 for East Asian letters and emoji, 0 for combining accents, else 1 per
// character. `text` is printable.
std::size_t display_width(std::string_view text);

// Its characters one by one, accents with the letter that they belong to. `text` is printable.
std::vector<std::string> characters(std::string_view text);

}  // namespace nn
