// An exercise's page on a terminal, and its links.
#include "runner/text/markdown.h"

#include <algorithm>

#include "tests/fuzz/fuzz.h"

namespace fuzz_markdown {

std::string visible(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

void run(const std::string& input) {
  const learn::Style plain{.width = 40};
  const std::string shown = learn::show_markdown(plain, input);
  const std::string coloured = learn::show_markdown({.width = 40, .colour = true}, input);
  fuzz::require(shown.empty() == coloured.empty(), "colours take text away");
  const bool has_marks = input.find_first_of("*`#[") != std::string::npos;
  fuzz::require(has_marks || visible(shown) == visible(input), "text without marks is shown as another one");

  const std::string section = learn::section(input, "## Concept");
  fuzz::require(section.empty() || section.back() == '\n', "a section without an end");
  learn::first_paragraph(input);

  const std::string absolute = learn::with_absolute_links(input, "/course/25_linear_layer");
  fuzz::require(std::count(absolute.begin(), absolute.end(), '\n') == std::count(input.begin(), input.end(), '\n'),
                "links take lines away");
  fuzz::require(input.find("](") != std::string::npos || absolute == input, "text without links is another one");
  const std::string ascii = learn::to_ascii(input);
  fuzz::require(std::all_of(ascii.begin(), ascii.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }),
                "ASCII that is none");
}

const fuzz::Target target("markdown", run);

}  // namespace fuzz_markdown
