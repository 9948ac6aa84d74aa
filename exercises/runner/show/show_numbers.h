// The numbers of a verdict as tables: what is right, and how what is wrong differs.
#pragma once

#include <string>
#include <vector>

#include "runner/show/blocks.h"

namespace learn {

// "✓ right: dx · dw"; only the first dozen unless `all`. Nothing for none.
Blocks show_right(const std::string& label, const std::vector<std::string>& names, bool all);
// The name, the summary and the table of entries; the clues, too, if asked for.
Blocks show_difference(const Style& style, const Difference& difference, bool with_clues);

}  // namespace learn
