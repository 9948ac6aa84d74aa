// The known mistakes of the course by chapter and exercise: docs/mistakes.md.
#pragma once

#include <string>

namespace mistake_index {

// The whole page, in Markdown.
std::string page();

}  // namespace mistake_index
