// Numbers in the prose of a page that something else decides. A mark, which a reader does not see, stands right behind
// the number and says where it comes from:
//
//   word 3 gets 44%<!-- printed --> of the attention    an output above it on the page has this number
//   57<!-- gradient-check-table.md: caught --> of 275    a line of that file, beside the page, with "caught" has it
//
// The number may have fewer digits than its source, and may be per cent of it. The file may be the page itself, for its
// tables: a line with a mark is never a source.
#pragma once

#include <string>

#include "snippets.h"

namespace docs {

// One sentence for each marked number of the page that its source does not have. `folder` is the page's.
Lines stale_numbers(const Page& page, const std::string& folder);

}  // namespace docs
