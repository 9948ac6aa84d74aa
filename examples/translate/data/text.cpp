#include "examples/translate/data/text.h"

#include <autograd/text/characters.h>
#include <autograd/text/unicode.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "examples/translate/messages.h"

namespace translate {

// ---- words -------------------------------------------------------------------------------------------------------

namespace {

// Python's \w.
bool is_word_character(char32_t character) {
  return autograd::is_letter_or_number(character) || character == U'_';
}

}  // namespace

Words split_words(std::string_view line) {
  if (const auto invalid = describe_invalid_byte(line)) refuse_option(*invalid, "convert the text to UTF-8");
  const std::string lower = autograd::lower_case(line);
  Words words;
  bool in_word = false;
  std::string_view rest = lower;
  while (!rest.empty()) {
    const autograd::Character next = autograd::take_character(rest);
    const bool continues_word = in_word && is_word_character(next.code);
    in_word = is_word_character(next.code);
    if (autograd::is_white_space(next.code)) continue;
    if (!continues_word) words.emplace_back();
    words.back() += next.bytes;
  }
  return words;
}

std::string join(const Words& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::optional<std::size_t> first_invalid_byte(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t position = text.size() - rest.size();
    if (!autograd::take_character(rest).is_valid) return position;
  }
  return std::nullopt;
}

std::optional<std::string> describe_invalid_byte(std::string_view line) {
  const std::optional<std::size_t> invalid = first_invalid_byte(line);
  if (!invalid) return std::nullopt;
  const auto byte = static_cast<unsigned char>(line[*invalid]);
  return fmt::format("byte {} of the line (0x{:02X}) is not UTF-8", *invalid + 1, byte);
}

// ---- files -------------------------------------------------------------------------------------------------------

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::vector<std::string> read_lines(std::istream& stream, const std::string& name) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line); lines.push_back(line)) {
    if (lines.empty() && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.ends_with('\r')) line.pop_back();
    if (const auto invalid = describe_invalid_byte(line)) {
      refuse_files(fmt::format("{}, line {}: {}", name, lines.size() + 1, *invalid),
                   "convert the file to UTF-8, with iconv for example");
    }
  }
  return lines;
}

}  // namespace

std::vector<std::string> read_lines(const std::filesystem::path& file) {
  if (is_standard_input(file)) return read_lines(std::cin, name_of(file));
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) {
    refuse_files(fmt::format("{} cannot be read: {}", file.string(), stream ? "it is a folder" : std::strerror(errno)),
                 "check the path and the permissions");
  }
  return read_lines(stream, name_of(file));
}

bool is_standard_input(const std::filesystem::path& file) {
  return file.empty() || file == "-";
}

std::string name_of(const std::filesystem::path& file) {
  return is_standard_input(file) ? "standard input" : file.string();
}

Words words_of_line(const std::string& text, const std::filesystem::path& file, std::size_t line) {
  Words words = split_words(text);
  if (words.size() <= longest_sentence) return words;
  refuse_files(fmt::format("{}, line {}: a sentence of {} words, where {} are the most", name_of(file), line,
                           words.size(), longest_sentence),
               "put each sentence on a line of its own");
}

}  // namespace translate
