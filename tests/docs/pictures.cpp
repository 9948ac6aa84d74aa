#include "pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>

#include "tests/support/same_line.h"
#include "tests/support/temporary_folder.h"

namespace docs {
namespace {

constexpr double pixel = 1.0;

// The same characters, and numbers that are a pixel apart at most. Both are read from their beginning.
bool same_tag(const char* a, const char* b) {
  while (*a != '\0' && *b != '\0') {
    char* end_of_a = nullptr;
    char* end_of_b = nullptr;
    const double x = std::strtod(a, &end_of_a);
    const double y = std::strtod(b, &end_of_b);
    const bool numbers = end_of_a != a && end_of_b != b;
    if (numbers ? std::abs(x - y) > pixel : *a != *b) return false;
    a = numbers ? end_of_a : a + 1;
    b = numbers ? end_of_b : b + 1;
  }
  return *a == *b;
}

// What stands between "<" and ">", and what stands between those.
std::vector<std::string> parts_of(const std::string& picture) {
  std::vector<std::string> parts(1);
  for (const char c : picture) {
    if (c == '<' || c == '>') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

bool same_picture(const std::string& a, const std::string& b) {
  const std::vector<std::string> parts_of_a = parts_of(a);
  const std::vector<std::string> parts_of_b = parts_of(b);
  if (parts_of_a.size() != parts_of_b.size()) return false;
  for (std::size_t i = 0; i < parts_of_a.size(); ++i) {
    const bool is_tag = i % 2 == 1;
    const bool same = is_tag ? same_tag(parts_of_a[i].c_str(), parts_of_b[i].c_str())
                             : fixtures::same_line(parts_of_a[i], parts_of_b[i]);
    if (!same) return false;
  }
  return true;
}

std::vector<std::string> stale_pictures(const std::string& drawn, const std::string& shown) {
  std::vector<std::string> stale;
  if (!std::filesystem::exists(drawn)) return stale;
  for (const auto& file : std::filesystem::directory_iterator(drawn)) {
    const std::filesystem::path beside = std::filesystem::path(shown) / file.path().filename();
    if (same_picture(fixtures::content_of(file.path()), fixtures::content_of(beside))) continue;
    stale.push_back(fmt::format("{} is not what the page draws", beside.string()));
  }
  std::sort(stale.begin(), stale.end());
  return stale;
}

}  // namespace docs
