#include "tests/support/pattern.h"

#include <regex>
#include <sstream>

namespace fixtures {

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> result;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    result.push_back(it->str(it->size() > 1 ? 1 : 0));
  }
  return result;
}

std::string replace(const std::string& text, const std::string& pattern, const std::string& replacement) {
  return std::regex_replace(text, std::regex(pattern), replacement);
}

std::map<std::string, std::string> sections_of(const std::string& text, const std::string& mark) {
  std::map<std::string, std::string> sections;
  std::istringstream lines(text);
  std::string* section = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(mark)) {
      section = &sections[line.substr(mark.size())];
    } else if (section) {
      *section += line + "\n";
    }
  }
  return sections;
}

}  // namespace fixtures
