#include "examples/translate/data/text.h"

#include <autograd/tensor/characters.h>
#include <fmt/ranges.h>
#include <nn/measures/lower_case.h>
#include <utf8proc.h>

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
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(character));
  const bool is_letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
  const bool is_number = category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
  return is_letter || is_number || character == U'_';
}

// Python's \s.
bool is_white_space(char32_t character) {
  const utf8proc_property_t* const properties = utf8proc_get_property(static_cast<utf8proc_int32_t>(character));
  const unsigned direction = properties->bidi_class;
  return properties->category == UTF8PROC_CATEGORY_ZS || direction == UTF8PROC_BIDI_CLASS_WS ||
         direction == UTF8PROC_BIDI_CLASS_B || direction == UTF8PROC_BIDI_CLASS_S;
}

}  // namespace

Words split_words(std::string_view line) {
  if (const auto invalid = describe_invalid_byte(line)) refuse_option(*invalid, "convert the text to UTF-8");
  const std::string lower = nn::lower_case(line);
  Words words;
  bool in_word = false;
  std::string_view rest = lower;
  while (!rest.empty()) {
    const auto [character, bytes] = autograd::first_character(rest);
    const std::string_view letter = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    const bool continues_word = in_word && is_word_character(character);
    in_word = is_word_character(character);
    if (is_white_space(character)) continue;
    if (!continues_word) words.emplace_back();
    words.back() += letter;
  }
  return words;
}

std::string join(const Words& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::optional<std::size_t> first_invalid_byte(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t bytes = autograd::first_character(text.substr(position)).bytes;
    if (bytes == 0) return position;
    position += bytes;
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
