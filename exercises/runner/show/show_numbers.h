// The numbers of a verdict as tables: what is right, and how what is wrong differs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/report/report.h"
#include "runner/text/style.h"

namespace learn {

// "✓ right: dx · dw"; only the first dozen unless `all`. "" for none.
std::string show_right(const Style& style, std::string_view label, const std::vector<std::string>& names, bool all);
// The name, the summary and the table of entries; the clues, too, if asked for.
std::string show_difference(const Style& style, const Difference& difference, bool with_clues);

}  // namespace learn
