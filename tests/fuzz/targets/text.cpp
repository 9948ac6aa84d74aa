// Anybody's text, made harmless for a terminal and for pictures: one line of UTF-8, without control characters.
#include "examples/translate/data/text.h"

#include <nn/measures/lower_case.h>
#include <nn/pictures/display_text.h>

#include "examples/translate/messages.h"
#include "examples/translate/training/progress.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_text {

void run(const std::string& input) {
  const std::string line = translate::in_one_line(input);
  fuzz::require(!translate::first_invalid_byte(line), "a printable text is not UTF-8");
  fuzz::require(line.find('\n') == std::string::npos, "a line of several lines");
  fuzz::require_harmless(line, "a printable text");
  fuzz::require(nn::printable(line) == line, "a printable text is not as it is printed");

  std::string together;
  std::size_t width = 0;
  for (const std::string& character : nn::characters(line)) {
    together += character;
    width += nn::display_width(character);
  }
  fuzz::require(together == line, "the characters are not the text");
  fuzz::require(width == nn::display_width(line), "the characters are not as wide as the text");
  for (const std::size_t columns : {1U, 20U}) {
    const std::string beginning = translate::shortened(line, columns);
    fuzz::require(line.starts_with(beginning) && nn::display_width(beginning) < columns, "it was not shortened");
  }
  if (!translate::first_invalid_byte(input)) {
    fuzz::require(!translate::first_invalid_byte(nn::lower_case(input)), "its lower case is not UTF-8");
  }
}

const fuzz::Target target("text", run);

}  // namespace fuzz_text
