#include "examples/translate/data/words.h"

#include <fmt/ranges.h>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstdint>

#include "examples/translate/messages.h"

namespace translate {
namespace {

// The character that starts at `position`, which moves on behind it. Negative if there is none.
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

std::string lower_case(std::string_view text) {
  constexpr const char* any_language = "";
  std::string lower;
  icu::StringByteSink<std::string> sink(&lower);
  UErrorCode status = U_ZERO_ERROR;
  const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
  icu::CaseMap::utf8ToLower(any_language, 0, piece, sink, nullptr, status);
  return lower;
}

Words split_words(std::string_view line) {
  if (const auto invalid = describe_invalid_byte(line)) refuse_option(*invalid, "convert the text to UTF-8");
  const std::string lower = lower_case(line);
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

}  // namespace translate
