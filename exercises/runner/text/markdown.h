// Markdown on a terminal: headings bold, paragraphs filled, code as it stands.
#pragma once

#include <string>

#include "runner/text/style.h"

namespace learn {

std::string show_markdown(const Style& style, const std::string& markdown);

// The text below a heading ("## Concept"), up to the next one of its level. "" if there is none.
std::string section(const std::string& markdown, const std::string& heading);
// The first paragraph below the title.
std::string first_paragraph(const std::string& markdown);

// Links that are relative to `folder` made absolute: for a copy that lies elsewhere.
std::string with_absolute_links(const std::string& markdown, const std::string& folder);

}  // namespace learn
