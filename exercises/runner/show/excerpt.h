// Excerpts: a line of a source file as it stands there, with its number, its neighbours and a caret.
#pragma once

#include <string>
#include <vector>

#include "runner/report/report.h"
#include "runner/text/style.h"

namespace learn {

struct ExcerptOptions {
  int before = 1;
  int after = 1;
  std::string indent = "  ";
};

// "" where the place is not known.
std::string excerpt(const Style& style, const std::vector<std::string>& lines, const Place& place,
                    const ExcerptOptions& options = {});

}  // namespace learn
