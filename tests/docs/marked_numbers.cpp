#include "marked_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "tests/support/same_line.h"

namespace docs {
namespace {

const std::string digits = R"(-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)";

struct Mark {
  int line;
  std::string number;  // "44", "1,234", "3.5e-05"
  bool per_cent;
  std::string source;  // "printed", or "FILE: words"
};

std::vector<Mark> marks_of(const Page& page) {
  static const std::regex mark("(" + digits + R"()(?:\$|\*)*( ?%)?(?:\$|\*)*<!-- ([^>]*) -->)");
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::string& line = page.lines[i];
    if (line.find("<!-- ") == std::string::npos) continue;  // an expression is slow
    for (std::sregex_iterator found(line.begin(), line.end(), mark), end; found != end; ++found) {
      const auto at = static_cast<std::size_t>(found->position());
      if (at > 0 && line[at - 1] == '`') continue;  // a text about marks
      marks.push_back({static_cast<int>(i) + 1, (*found)[1], (*found)[2].matched, (*found)[3]});
    }
  }
  return marks;
}

double value_of(std::string number) {
  number.erase(std::remove(number.begin(), number.end(), ','), number.end());
  return std::atof(number.c_str());
}

bool has_number(const std::string& line, const Mark& mark) {
  static const std::regex number(digits);
  const double wanted = value_of(mark.number);
  const double slack = 0.5005 * fixtures::last_digit(mark.number);
  for (std::sregex_iterator found(line.begin(), line.end(), number), end; found != end; ++found) {
    const double value = value_of(found->str());
    if (std::abs(value - wanted) <= slack || (mark.per_cent && std::abs(100.0 * value - wanted) <= slack)) return true;
  }
  return false;
}

bool is_printed(const Page& page, const Mark& mark) {
  for (const Snippet& snippet : page.snippets) {
    if (!snippet.has_output || snippet.output_line > mark.line) continue;
    for (const std::string& line : snippet.output) {
      if (has_number(line, mark)) return true;
    }
  }
  return false;
}

bool stands_in(const std::string& path, const std::string& words, const Mark& mark) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.find("<!-- ") != std::string::npos) continue;  // prose: a mark must not vouch for itself
    if (line.find(words) != std::string::npos && has_number(line, mark)) return true;
  }
  return false;
}

}  // namespace

Lines stale_numbers(const Page& page, const std::string& folder) {
  Lines stale;
  for (const Mark& mark : marks_of(page)) {
    const std::size_t colon = mark.source.find(": ");
    const bool holds = mark.source == "printed"
                           ? is_printed(page, mark)
                           : colon != std::string::npos && stands_in(folder + "/" + mark.source.substr(0, colon),
                                                                     mark.source.substr(colon + 2), mark);
    if (holds) continue;
    stale.push_back(fmt::format("{}:{}: {} is not there any more ({})", page.name, mark.line, mark.number,
                                mark.source == "printed" ? "no output above it has it" : mark.source));
  }
  return stale;
}

}  // namespace docs
