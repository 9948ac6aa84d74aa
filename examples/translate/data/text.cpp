#include "examples/translate/data/text.h"

#include <fmt/ranges.h>
#include <nn/measures/lower_case.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include "examples/translate/messages.h"

namespace translate {

// ---- words -------------------------------------------------------------------------------------------------------

namespace {

// Returns the character at `position`, and moves `position` past it. Negative if it is not UTF-8.
UChar32 next_character(std::string_view text, std::size_t& position) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  UChar32 character = 0;
  U8_NEXT(bytes, position, text.size(), character);
  return character;
}

// Python's \w.
bool is_word_character(UChar32 character) {
  const bool is_letter_or_number = (U_GET_GC_MASK(character) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
  return is_letter_or_number || character == U'_';
}

}  // namespace

Words split_words(std::string_view line) {
  if (const auto invalid = describe_invalid_byte(line)) refuse_option(*invalid, "convert the text to UTF-8");
  const std::string lower = nn::lower_case(line);
  Words words;
  bool in_word = false;
  for (std::size_t position = 0; position < lower.size();) {
    const std::size_t start = position;
    const UChar32 character = next_character(lower, position);
    const bool continues_word = in_word && is_word_character(character);
    in_word = is_word_character(character);
    if (u_isspace(character)) continue;
    if (!continues_word) words.emplace_back();
    words.back() += lower.substr(start, position - start);
  }
  return words;
}

std::string join(const Words& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::optional<std::size_t> first_invalid_byte(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t start = position;
    if (next_character(text, position) < 0) return start;
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

[[noreturn]] void refuse_reading(const std::string& path, const std::string& why) {
  refuse_files(fmt::format("{} cannot be read: {}", path, why), "check the path and the permissions");
}

// Checks before the file is opened, because opening a pipe waits for someone to write.
void check_is_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error) refuse_reading(path, error.message());
  if (std::filesystem::is_directory(status)) refuse_reading(path, "it is a folder");
  if (!std::filesystem::is_regular_file(status)) refuse_reading(path, "it is not a regular file");
}

std::ifstream open_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_reading(path, std::strerror(errno));
  return file;
}

// `is_cut`: the line goes on after what was read.
void check_line(const std::string& line, bool is_cut, const std::string& name, std::size_t number) {
  const std::string place = fmt::format("{}, line {}", name, number);
  if (is_cut || line.size() > longest_line) {
    refuse_files(fmt::format("{}: more than {} bytes, which are the most", place, longest_line),
                 "put each sentence on a line of its own");
  }
  if (const auto invalid = describe_invalid_byte(line)) {
    refuse_files(fmt::format("{}: {}", place, *invalid), "convert the file to UTF-8, with iconv for example");
  }
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path) {
  check_is_file(path);
  std::ifstream file = open_file(path);
  return read_lines(file, path);
}

std::vector<std::string> read_lines(std::istream& stream, const std::string& name) {
  std::vector<std::string> lines;
  std::string room(longest_line + 3, '\0');  // a carriage return, the end of the line, one byte more
  while (true) {
    stream.getline(room.data(), static_cast<std::streamsize>(room.size()));  // std::getline has no limit
    const auto count = static_cast<std::size_t>(stream.gcount());
    if (count == 0) break;
    std::string line = room.substr(0, stream.eof() ? count : count - 1);
    if (lines.empty() && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.ends_with('\r')) line.pop_back();
    check_line(line, stream.fail(), name, lines.size() + 1);
    lines.push_back(line);
  }
  if (stream.bad()) refuse_reading(name, std::strerror(errno));
  return lines;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  if (is_standard_input(file)) {
    std::vector<std::string> lines = read_lines(std::cin, "standard input");
    if (std::ferror(stdin) != 0) refuse_files("standard input cannot be read", "name a file, or give it some text");
    return lines;
  }
  std::ifstream stream = open_file(file.string());
  return read_lines(stream, file.string());
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
