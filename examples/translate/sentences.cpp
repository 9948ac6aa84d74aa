#include "examples/translate/sentences.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "examples/translate/refuse.h"
#include "examples/translate/text_file.h"

namespace translate {
namespace {

std::vector<std::string> lines_of_standard_input() {
  std::vector<std::string> lines;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.ends_with('\r')) line.pop_back();
    if (first_invalid_byte(line)) {
      refuse_files(fmt::format("line {} of standard input is not UTF-8", lines.size() + 1), "convert the text");
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  return file.empty() ? lines_of_standard_input() : read_lines(file.string());
}

Words unknown_words(const Words& words, const Vocabulary& vocabulary) {
  Words unknown;
  for (const std::string& word : words) {
    const bool is_new = std::find(unknown.begin(), unknown.end(), word) == unknown.end();
    if (is_new && !vocabulary.contains(word)) unknown.push_back(word);
  }
  return unknown;
}

}  // namespace translate
