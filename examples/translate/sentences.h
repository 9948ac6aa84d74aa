// Sentences from a file or from standard input, for a model.
#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "examples/translate/vocabulary.h"
#include "examples/translate/words.h"

namespace translate {

// Is it "" or "-"?
bool is_standard_input(const std::filesystem::path& file);

// What an error calls it: the path, or "standard input".
std::string name_of(const std::filesystem::path& file);

// The lines of a file, which may be a pipe, or of standard input. Throws bad-file, with the line, for text that cannot
// be read or is not UTF-8.
std::vector<std::string> lines_of(const std::filesystem::path& file);

// The longest sentence, in words, that is translated. The time and the memory that it takes grow with its square.
constexpr std::size_t longest_sentence = 2000;

// The words of a line of a file. Throws bad-file, with the line, for more than longest_sentence of them.
Words words_of_line(const std::string& text, const std::filesystem::path& file, std::size_t line);

// Those words, each once.
Words unknown_words(const Words& words, const Vocabulary& vocabulary);

}  // namespace translate
