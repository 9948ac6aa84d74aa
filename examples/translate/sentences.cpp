#include "examples/translate/sentences.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "examples/translate/refuse.h"
#include "examples/translate/text_file.h"

namespace translate {
namespace {

// /dev/stdin, or a shell's <(command). Opening a pipe waits for someone to write, as the user wants it to.
bool is_stream(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  return std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status);
}

std::vector<std::string> lines_of_standard_input() {
  std::vector<std::string> lines = read_lines(std::cin, "standard input");
  if (std::ferror(stdin) != 0) refuse_files("standard input cannot be read", "name a file, or give it some text");
  return lines;
}

}  // namespace

bool is_standard_input(const std::filesystem::path& file) {
  return file.empty() || file == "-";
}

std::string name_of(const std::filesystem::path& file) {
  return is_standard_input(file) ? "standard input" : file.string();
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  if (is_standard_input(file)) return lines_of_standard_input();
  if (!is_stream(file)) return read_lines(file.string());
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse_files(file.string() + " cannot be opened", "check the path and the permissions");
  return read_lines(stream, file.string());
}

Words words_of_line(const std::string& text, const std::filesystem::path& file, std::size_t line) {
  Words words = split_words(text);
  if (words.size() > longest_sentence) {
    refuse_files(fmt::format("{}, line {}: a sentence of {} words, where {} are the most", name_of(file), line,
                             words.size(), longest_sentence),
                 "put each sentence on a line of its own");
  }
  return words;
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
