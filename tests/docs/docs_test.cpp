// Every C++ snippet of README.md and docs/*.md compiles and prints what the page says, and every error has a section
// with an example that throws it. snippets.h has the rules.

#include <autograd/tensor/error.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "marked_numbers.h"
#include "one_snippet.h"
#include "pictures.h"
#include "snippets.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/same_line.h"
#include "tests/support/temporary_folder.h"

namespace docs_test {

using docs::Lines;
using docs::Page;
using docs::Printed;
using docs::Snippet;

std::vector<std::string> page_names() {
  std::vector<std::string> names = {"README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(BACKSTEP_SOURCE "/docs")) {
    if (entry.path().extension() == ".md") names.push_back("docs/" + entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Page page(const std::string& name) {
  return docs::read_page(BACKSTEP_SOURCE "/" + name, name);
}

// As tests/docs/CMakeLists.txt names it: "page_docs_errors_md".
std::string program_of(const std::string& page_name) {
  return fmt::format(DOCS_PROGRAMS "/page_{}", fixtures::replace(page_name, "[^A-Za-z0-9-]", "_"));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return fixtures::replace(info.param, "[^A-Za-z0-9]", "_");
}

// The lines outside of blocks.
Lines prose_of(const Page& one) {
  Lines prose = one.lines;
  for (const docs::Block& block : one.blocks) {
    for (std::size_t i = 0; i < block.lines.size() + 2; ++i) prose[static_cast<std::size_t>(block.line) - 1 + i] = "";
  }
  return prose;
}

class Pages : public testing::TestWithParam<std::string> {};

// They train for seconds.
bool trains(const std::string& page_name) {
  static const std::set<std::string> pages = {"docs/03-a-tiny-engine.md", "docs/11-one-vector.md",
                                              "docs/12-bahdanau-attention.md", "docs/17-questions.md"};
  return pages.count(page_name) > 0;
}

TEST_P(Pages, SnippetsPrintWhatThePageSays) {
  if (std::getenv("DOCS_SNIPPETS") == nullptr) GTEST_SKIP() << "docs_snippets_test of ctest runs it";
  const Page one = page(GetParam());
  const fixtures::TemporaryFolder drawn;
  Lines differences = docs::differences(one, docs::run_program(one, program_of(GetParam()), drawn.path().string()));
  // Where something was trained, a curve depends on how each processor rounds.
  if (!trains(GetParam())) {
    const Lines stale = docs::stale_pictures(drawn.path().string(), BACKSTEP_SOURCE "/docs/pictures");
    differences.insert(differences.end(), stale.begin(), stale.end());
  }
  for (const std::string& difference : differences) {
    ADD_FAILURE() << difference << "\n  If that is meant:  cmake --build build/release --target update_docs";
  }
}

TEST_P(Pages, ExcerptsStandInTheSource) {
  for (const docs::Excerpt& excerpt : page(GetParam()).excerpts) {
    EXPECT_EQ(docs::missing_line(excerpt, fixtures::content_of(BACKSTEP_SOURCE "/" + excerpt.file)), "")
        << GetParam() << ":" << excerpt.line << ": this line of the excerpt is not in " << excerpt.file;
  }
}

TEST_P(Pages, MarkedNumbersHaveTheirSource) {
  const auto folder = std::filesystem::path(BACKSTEP_SOURCE "/" + GetParam()).parent_path();
  EXPECT_THAT(docs::stale_numbers(page(GetParam()), folder.string()), testing::IsEmpty());
}

// Markdown takes the backslash before punctuation away, and git hosts do so even in formulas: of \, only , is left.
// There are words for these: \thinspace, \Vert, \lbrace, \cr.
std::string formula_that_is_stripped(const Page& one) {
  bool is_code = false, is_formula = false;
  int number = 0;
  for (const std::string& line : prose_of(one)) {
    ++number;
    is_code = false;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      if (line[i] == '`') is_code = !is_code;
      if (line[i] == '$' && !is_code) {
        is_formula = !is_formula;
        if (line[i + 1] == '$') ++i;
      }
      const bool is_stripped = line[i] == '\\' && std::ispunct(static_cast<unsigned char>(line[i + 1])) != 0;
      if (is_formula && !is_code && is_stripped) return fmt::format("{}:{}: {}", one.name, number, line.substr(i, 2));
    }
    if (line.ends_with('$') && !line.ends_with("$$")) is_formula = !is_formula;
  }
  return "";
}

TEST_P(Pages, FormulasSurviveMarkdown) {
  EXPECT_EQ(formula_that_is_stripped(page(GetParam())), "");
}

TEST(Formulas, ThatAreStrippedAreFound) {
  const auto found = [](const std::string& line) {
    Page one;
    one.name = "page";
    one.lines = {"Text $a$ and `$x \\, y$`.", line, "after $b$"};
    return formula_that_is_stripped(one);
  };
  EXPECT_EQ(found("$a \\, b$"), "page:2: \\,");
  EXPECT_EQ(found("$$a \\\\ b$$"), "page:2: \\\\");
  EXPECT_EQ(found("$a \\thinspace b$, \\, $c$"), "");
}

INSTANTIATE_TEST_SUITE_P(Docs, Pages, testing::ValuesIn(page_names()), test_name);

// ---- the catalogue of errors -----------------------------------------------------------------------------------

// The outputs of the snippets between this heading and the next of its rank.
std::vector<Lines> outputs_in_section(const Page& one, const std::string& heading) {
  const Lines prose = prose_of(one);
  const auto begin = std::find(prose.begin(), prose.end(), "## " + heading);
  const auto is_next = [](const std::string& line) { return line.rfind("## ", 0) == 0; };
  const auto end = begin == prose.end() ? begin : std::find_if(begin + 1, prose.end(), is_next);
  std::vector<Lines> outputs;
  for (const Snippet& snippet : one.snippets) {
    const bool inside = snippet.line > begin - prose.begin() && snippet.line <= end - prose.begin();
    if (inside && snippet.has_output) outputs.push_back(snippet.output);
  }
  return outputs;
}

TEST(ErrorCatalogue, HasASectionAndAnExampleForEveryError) {
  const Page catalogue = page("docs/errors.md");
  for (const autograd::ErrorId id : autograd::all_error_ids()) {
    const std::string name(autograd::name(id));
    bool is_printed = false;
    for (const Lines& output : outputs_in_section(catalogue, name)) {
      for (const std::string& line : output) is_printed = is_printed || line.starts_with("[" + name + "] ");
    }
    EXPECT_TRUE(is_printed) << "docs/errors.md needs a section \"## " << name
                            << "\" with an example that throws this error";
  }
}

TEST(Pictures, MayDifferByAPixelButNotInWhatTheyShow) {
  const std::string one = "<path d=\"M138,75V100.4\"/><text x=\"3\">0.25 of it</text>";
  EXPECT_TRUE(docs::same_picture(one, "<path d=\"M138,76V100.1\"/><text x=\"3\">0.25 of it</text>"));
  EXPECT_FALSE(docs::same_picture(one, "<path d=\"M138,78V100.4\"/><text x=\"3\">0.25 of it</text>"));
  EXPECT_FALSE(docs::same_picture(one, "<path d=\"M138,75V100.4\"/><text x=\"3\">0.75 of it</text>"));
  EXPECT_FALSE(docs::same_picture(one, "<path d=\"M138,75V100.4\"/>"));
}

// ---- the machinery itself --------------------------------------------------------------------------------------

const std::string small_page =
    "# Page\n"                //  1
    "```cpp\n"                //  2
    "#include <cmath>\n"      //  3
    "fmt::print(\"one\");\n"  //  4
    "```\n"                   //  5
    "prints\n"                //  6
    "```text\n"               //  7
    "one\n"                   //  8
    "```\n"                   //  9
    "```cpp continued\n"      // 10
    "fmt::print(\"two\");\n"  // 11
    "```\n"                   // 12
    "```cpp nocheck\n"        // 13
    "not C++\n"               // 14
    "```\n";                  // 15

TEST(Snippets, AreFoundWithTheirOutputs) {
  const Page one = docs::parse_page(small_page, "page.md");
  ASSERT_EQ(one.snippets.size(), 2u);
  EXPECT_EQ(one.snippets[0].line, 2);
  EXPECT_EQ(one.snippets[0].output_line, 7);
  EXPECT_EQ(one.snippets[0].output, Lines{"one"});
  EXPECT_EQ(one.snippets[1].kind, Snippet::Kind::continued);
  EXPECT_FALSE(one.snippets[1].has_output);
}

TEST(Snippets, BecomeOneProgram) {
  EXPECT_TRUE(fixtures::is_golden("docs_program", docs::write_program(docs::parse_page(small_page, "page.md"))));
}

TEST(Snippets, SessionsGetTheirCommandsFromWhatThePageShows) {
  const Page one = docs::parse_page(
      "```cpp step\n"
      "y.backward();\n"
      "```\n"
      "```text\n"
      "#1 of 2\n"
      "(backstep) until tanh\n"
      "#2 of 2\n"
      "(backstep) quit\n"
      "```\n",
      "page.md");
  EXPECT_EQ(docs::commands_of(one.snippets.at(0)), (Lines{"until tanh", "quit"}));
}

TEST(Snippets, DifferencesNamePageAndLine) {
  const Page one = docs::parse_page(small_page, "page.md");
  const Printed printed = docs::parse_printed(one,
                                              "\x1e"
                                              "2\nuno\n\x1e"
                                              "10\ntwo\n");
  EXPECT_TRUE(fixtures::says("docs", docs::differences(one, printed)));
}

TEST(Snippets, ErrorsNamePageAndLine) {
  const Page one = docs::parse_page(small_page, "page.md");
  const Printed printed = docs::parse_printed(one,
                                              "\x1e"
                                              "2\none\n\x1e!2\nno memory\n");
  EXPECT_TRUE(fixtures::says("docs", {printed.failure}));
}

TEST(Snippets, UpdateRewritesAndInsertsOutputs) {
  const Page one = docs::parse_page(small_page, "page.md");
  const Printed printed = docs::parse_printed(one,
                                              "\x1e"
                                              "2\nuno\ndue\n\x1e"
                                              "10\ntwo\n");
  const Page again = docs::parse_page(docs::updated(one, printed), "page.md");
  EXPECT_EQ(again.snippets[0].output, (Lines{"uno", "due"}));
  EXPECT_EQ(again.snippets[1].output, Lines{"two"});
}

TEST(Snippets, NumbersMayDifferInTheLastDigit) {
  EXPECT_TRUE(fixtures::same_line("x = 0.3333  y", "x =  0.3334 y"));
  EXPECT_TRUE(fixtures::same_line("error 3.1e-12", "error 8.7e-13"));
  EXPECT_TRUE(fixtures::same_line("[ 0.000]", "[-0.000]"));
  EXPECT_FALSE(fixtures::same_line("x = 0.3333", "x = 0.3335"));
  EXPECT_FALSE(fixtures::same_line("dim 2", "dim 3"));
  EXPECT_FALSE(fixtures::same_line("float32", "float64"));
  EXPECT_FALSE(fixtures::same_line("x", "y"));
}

TEST(Snippets, ExcerptsMayLeaveLinesOut) {
  const std::string source = "a\nb\nc\nd\n";
  EXPECT_EQ(docs::missing_line({1, "x.cpp", {"b", "c"}}, source), "");
  EXPECT_EQ(docs::missing_line({1, "x.cpp", {"a", "// ...", "d"}}, source), "");
  EXPECT_EQ(docs::missing_line({1, "x.cpp", {"a", "c"}}, source), "c");
  EXPECT_EQ(docs::missing_line({1, "x.cpp", {"e"}}, source), "e");
}

TEST(Snippets, ADefinitionMayBeAnExcerptOfAFile) {
  const Page one =
      docs::parse_page("```cpp global from x.cpp\nint f();\n```\n```cpp from x.cpp\nint g();\n```\n", "page.md");
  ASSERT_EQ(one.snippets.size(), 1u);
  EXPECT_EQ(one.snippets[0].kind, Snippet::Kind::global);
  ASSERT_EQ(one.excerpts.size(), 2u);
  EXPECT_EQ(one.excerpts[0].file, "x.cpp");
  EXPECT_EQ(one.excerpts[0].lines, Lines{"int f();"});
}

TEST(Snippets, OneCanBeTakenOut) {
  const std::string program = docs::write_one_program(docs::parse_page(small_page, "page.md"), 2);
  EXPECT_TRUE(fixtures::is_golden("docs_one_program", program));
  EXPECT_THROW(docs::write_one_program(docs::parse_page(small_page, "page.md"), 3), std::runtime_error);
  EXPECT_THROW(docs::write_one_program(docs::parse_page("```cpp global\n```\n", "page.md"), 1), std::runtime_error);
}

TEST(Snippets, OneIsTakenOutWithThePagesOwnDefinitions) {
  const std::string node = "```cpp global\nstruct Node {\n  ~Node();\n};\n```\n";
  const std::string destructor = "```cpp global\nNode::~Node() {}\n```\n";
  const std::string other = "```cpp global\nvoid other() {}\n```\n";
  const docs::Page page = docs::parse_page(node + "```cpp\nNode node;\n```\n" + other + destructor, "page.md");
  EXPECT_THAT(docs::write_one_program(page, 2),
              testing::EndsWith("#include <cmath>\n\nnamespace page {\nusing namespace autograd;\n\n"
                                "struct Node {\n  ~Node();\n};\n\nNode::~Node() {}\n\n"
                                "void snippet() {\n  Node node;\n}\n}  // namespace page\n\n"
                                "int main() { page::snippet(); }\n"));
  EXPECT_EQ(docs::kinds_of_snippets(page), "defines\nruns\ndefines\ndefines\n");
}

TEST(MarkedNumbers, MustStandInAnOutputAboveThem) {
  const std::string start = "```cpp\n```\n```text\nweights 0.4378 1,234\n```\n";
  const auto stale = [&](const std::string& prose) {
    return docs::stale_numbers(docs::parse_page(start + prose, "page.md"), ".");
  };
  EXPECT_THAT(stale("44%<!-- printed --> and 0.44<!-- printed --> and 1234<!-- printed -->"), testing::IsEmpty());
  EXPECT_TRUE(fixtures::says("docs", stale("45%<!-- printed -->")));
  EXPECT_THAT(stale("0.4379<!-- printed -->"), testing::SizeIs(1));
  EXPECT_THAT(stale("44<!-- printed -->"), testing::SizeIs(1));  // not per cent
}

TEST(MarkedNumbers, MayStandInAnotherFile) {
  const auto stale = [](const std::string& prose) {
    return docs::stale_numbers(docs::parse_page(prose, "page.md"), BACKSTEP_SOURCE);
  };
  EXPECT_THAT(stale("VERSION 3.20<!-- CMakeLists.txt: cmake_minimum_required -->"), testing::IsEmpty());
  EXPECT_THAT(stale("VERSION 3.21<!-- CMakeLists.txt: cmake_minimum_required -->"), testing::SizeIs(1));
  EXPECT_THAT(stale("VERSION 3.20<!-- nothing.txt: cmake -->"), testing::SizeIs(1));
}

TEST(MarkedNumbers, MayStandInATableOfTheirPageButDoNotVouchForThemselves) {
  const fixtures::TemporaryFolder folder;
  const auto stale = [&](const std::string& text) {
    std::ofstream(folder.path() / "page.md") << text;
    return docs::stale_numbers(docs::parse_page(text, "page.md"), folder.path().string());
  };
  const std::string prose = "\nWith dot it is 3.6 %<!-- page.md: dot -->.\n";
  EXPECT_THAT(stale("| dot | 3.6 % |\n" + prose), testing::IsEmpty());
  EXPECT_THAT(stale("| dot | 3.7 % |\n" + prose), testing::SizeIs(1));
}

TEST(Snippets, RulesAreEnforced) {
  EXPECT_THROW(docs::parse_page("```cpp\n", "page.md"), std::runtime_error);
  EXPECT_THROW(docs::parse_page("  ```cpp\n  ```\n", "page.md"), std::runtime_error);
  EXPECT_THROW(docs::parse_page("```text\n```\n", "page.md"), std::runtime_error);
  EXPECT_THROW(docs::parse_page("```cpp continued\n```\n", "page.md"), std::runtime_error);
  EXPECT_THROW(docs::parse_page("```cpp unchecked\n```\n", "page.md"), std::runtime_error);
}

}  // namespace docs_test
