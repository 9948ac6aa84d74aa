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

// The lines of a file, or of standard input for "". Throws bad-file, with the line, for text that cannot be read or is
// not UTF-8.
std::vector<std::string> lines_of(const std::filesystem::path& file);

// Those words, each once.
Words unknown_words(const Words& words, const Vocabulary& vocabulary);

}  // namespace translate
