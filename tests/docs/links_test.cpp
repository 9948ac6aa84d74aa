// Every relative link of README.md, docs/*.md and the exercises' texts leads to a file that is there, and to a heading
// of it if it names one.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "snippets.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"

namespace docs_links_test {

using docs::Lines;
using docs::Page;

namespace fs = std::filesystem;

// "README.md", "docs/README.md", "exercises/lessons/19_linear_layer/hints.md", ..
std::vector<std::string> page_names() {
  const fs::path top = BACKSTEP_SOURCE;
  std::vector<std::string> names = {"README.md"};
  const auto add_pages_of = [&](const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".md") names.push_back(entry.path().lexically_relative(top).string());
    }
  };
  add_pages_of(top / "docs");
  add_pages_of(top / "exercises");
  for (const auto& entry : fs::directory_iterator(top / "exercises/lessons")) {
    if (entry.is_directory()) add_pages_of(entry.path());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The lines outside of blocks, and without `code`.
Lines prose_of(const std::string& name) {
  const Page page = docs::read_blocks(BACKSTEP_SOURCE "/" + name, name);
  Lines prose = page.lines;
  for (const docs::Block& block : page.blocks) {
    for (std::size_t i = 0; i < block.lines.size() + 2; ++i) prose[static_cast<std::size_t>(block.line) - 1 + i] = "";
  }
  for (std::string& line : prose) {
    if (line.find('`') != std::string::npos && line.rfind('#', 0) != 0) line = fixtures::replace(line, "`[^`]*`", "");
  }
  return prose;
}

// The anchor of a heading, as git hosts make it: "What it is for" -> "what-it-is-for".
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') anchor += '-';
    if (byte >= 0x80) anchor += c;  // letters beyond ASCII stay
    if (byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '_'))
      anchor += static_cast<char>(std::tolower(byte));
  }
  return anchor;
}

std::set<std::string> anchors_of(const std::string& name) {
  std::set<std::string> anchors;
  for (const std::string& line : prose_of(name)) {
    const std::size_t text = line.find_first_not_of('#');
    if (text > 0 && text != std::string::npos && line[text] == ' ') anchors.insert(anchor_of(line.substr(text + 1)));
  }
  return anchors;
}

// "" if the link leads somewhere.
std::string problem_of(const std::string& from, const std::string& link) {
  if (link.find("://") != std::string::npos) return "";
  if (from == "README.md" && link.starts_with("../../")) return "";  // beside the repository, on its host
  const std::size_t hash = std::min(link.find('#'), link.size());
  const std::string target =
      hash == 0 ? from : (fs::path(from).parent_path() / link.substr(0, hash)).lexically_normal().string();
  if (!fs::exists(BACKSTEP_SOURCE "/" + target)) return fmt::format("the link {} leads to no file", link);
  if (hash == link.size() || anchors_of(target).count(link.substr(hash + 1)) != 0) return "";
  return fmt::format("the link {} leads to no heading", link);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return fixtures::replace(info.param, "[^A-Za-z0-9]", "_");
}

class Links : public testing::TestWithParam<std::string> {};

TEST_P(Links, LeadSomewhere) {
  const Lines prose = prose_of(GetParam());
  for (std::size_t i = 0; i < prose.size(); ++i) {
    if (prose[i].find("](") == std::string::npos) continue;  // an expression is compiled slowly
    for (const std::string& link : fixtures::matches(prose[i], R"(\]\(([^)\s]+)\))")) {
      EXPECT_EQ(problem_of(GetParam(), link), "") << "  at " << GetParam() << ":" << i + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, Links, testing::ValuesIn(page_names()), test_name);

TEST(LinkProblems, AreSeen) {
  EXPECT_EQ(problem_of("docs/README.md", "../README.md"), "");
  EXPECT_EQ(problem_of("docs/README.md", "https://example.org/nothing"), "");
  EXPECT_EQ(problem_of("docs/README.md", "errors.md#shape-mismatch"), "");
  EXPECT_EQ(problem_of("docs/README.md", "#the-book"), "");
  EXPECT_TRUE(fixtures::says(
      "docs", {problem_of("docs/README.md", "nothing.md"), problem_of("docs/README.md", "errors.md#no-such-error"),
               problem_of("docs/README.md", "#no-such-heading")}));
}

}  // namespace docs_links_test
