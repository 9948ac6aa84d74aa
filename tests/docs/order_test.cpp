// Chapters, exercises and parts of the course run in one order: the table "What needs what" of docs/README.md says it,
// and what else names them agrees with it.

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace docs_order_test {

using fixtures::content_of;
using fixtures::matches;
using Numbers = std::vector<int>;
namespace fs = std::filesystem;

const std::string top = BACKSTEP_SOURCE "/";

// A row of the table.
struct Chapter {
  int number = 0;
  Numbers needs;
  Numbers exercises;
  std::string part;  // of the course: "D", or "" without exercises
};

// "02–05" -> 2, 3, 4, 5; "19, 20" -> 19, 20.
Numbers numbers_in(const std::string& text) {
  Numbers numbers;
  for (const std::string& range : matches(text, "\\d+(?:–\\d+)?")) {
    const int first = std::stoi(range);
    const std::size_t dash = range.find("–");
    const int last = dash == std::string::npos ? first : std::stoi(range.substr(dash + std::string_view("–").size()));
    for (int number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::vector<std::string> cells_of(const std::string& row) {
  return matches(row, "\\|([^|\n]*)(?=\\|)");
}

std::map<int, Chapter> chapters_in(const std::string& page) {
  std::map<int, Chapter> chapters;
  for (const std::string& row : matches(page, "\n(\\| \\d+ [^\n]*\\|)")) {
    const std::vector<std::string> cells = cells_of(row);
    const std::vector<std::string> part = matches(cells.at(2), "\\(([A-Z])\\)");
    const int number = std::stoi(cells.at(0).substr(1));
    chapters[number] = {number, numbers_in(cells[1]), numbers_in(cells[2]), part.empty() ? "" : part[0]};
  }
  return chapters;
}

const std::map<int, Chapter>& chapters() {
  static const std::map<int, Chapter> read = [] {
    const std::string page = content_of(top + "docs/README.md");
    return chapters_in(page.substr(page.find("## What needs what")));
  }();
  return read;
}

// By the number that the name begins with: "docs/05-linear-layer-and-sgd.md", "exercises/lessons/19_linear_layer".
std::map<int, std::string> numbered_in(const std::string& folder) {
  std::map<int, std::string> found;
  for (const auto& entry : fs::directory_iterator(top + folder)) {
    const std::string name = entry.path().filename().string();
    const std::vector<std::string> number = matches(name, "^(\\d\\d)[-_]");
    if (!number.empty()) found[std::stoi(number[0])] = folder + "/" + name;
  }
  return found;
}

// The chapter with all that it builds on.
std::set<int> with_needs(int chapter) {
  std::set<int> all = {chapter};
  for (const int need : chapters().at(chapter).needs) all.merge(with_needs(need));
  return all;
}

std::string box_of(const std::string& page) {
  const std::size_t begin = page.find("> **You need**");
  return begin == std::string::npos ? "" : page.substr(begin, page.find("\n\n", begin) - begin);
}

// The chapters that a text names, by link or by number, but for those that come "later".
Numbers named_in(const std::string& text) {
  const std::string now = fixtures::replace(text, "later[^.;]*", "");
  Numbers named;
  for (const std::string& number : matches(now, "\\]\\((\\d\\d)-[a-z-]+\\.md")) named.push_back(std::stoi(number));
  for (const std::string& range : matches(now, "[Cc]hapters?\\s(\\d+(?:(?:–|, | to | and )\\d+)*)")) {
    for (const int number : numbers_in(fixtures::replace(range, " to ", "–"))) named.push_back(number);
  }
  return named;
}

TEST(Order, TheTableHasEveryChapterAndEveryExerciseInOrder) {
  const std::map<int, std::string> folders = numbered_in("exercises/lessons");
  Numbers pages, rows, exercises, there;
  for (const auto& [number, page] : numbered_in("docs")) pages.push_back(number);
  std::string parts;
  for (const auto& [number, chapter] : chapters()) {
    rows.push_back(number);
    exercises.insert(exercises.end(), chapter.exercises.begin(), chapter.exercises.end());
    parts += chapter.part;
    for (const int need : chapter.needs) EXPECT_LT(need, number);
    for (const int exercise : chapter.exercises) {
      EXPECT_THAT(content_of(top + folders.at(exercise) + "/exercise.cpp"),
                  testing::HasSubstr("//= part: " + chapter.part + "\n"))
          << "exercise " << exercise << " of chapter " << number;
    }
  }
  EXPECT_EQ(rows, pages);
  for (const auto& [number, folder] : folders) there.push_back(number);
  EXPECT_EQ(exercises, there);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end())) << parts;
}

TEST(Order, AChapterNeedsNoLaterOne) {
  for (const auto& [number, page] : numbered_in("docs")) {
    const std::string box = box_of(content_of(top + page));
    EXPECT_NE(box, "") << page;
    for (const int named : named_in(box)) {
      EXPECT_THAT(with_needs(number), testing::Contains(named))
          << page << " needs chapter " << named << ", and its row in docs/README.md does not say so:\n"
          << box;
    }
  }
}

TEST(Order, AChapterSendsToNoLaterExercise) {
  int last = 0;  // exercise so far
  for (const auto& [number, page] : numbered_in("docs")) {
    const Numbers& its = chapters().at(number).exercises;
    if (!its.empty()) last = its.back();
    for (const std::string& box :
         matches(content_of(top + page), "> \\*\\*Stop and do\\*\\*((?:[^\n]*\n>)*[^\n]*)\n")) {
      for (const std::string& exercise : matches(box, "exercises/lessons/(\\d\\d)_"))
        EXPECT_LE(std::stoi(exercise), last) << page << " sends to the exercise of a later chapter:" << box;
    }
  }
}

TEST(Order, AnExerciseComesAfterThoseThatItIsBestAfter) {
  for (const auto& [number, folder] : numbered_in("exercises/lessons")) {
    for (const std::string& after : matches(content_of(top + folder + "/exercise.cpp"), "//= after: ([^\n]*)\n")) {
      for (const int earlier : numbers_in(after)) EXPECT_LT(earlier, number) << folder;
    }
  }
}

// exercises/README.md: the parts, each with its chapters and its exercises.
TEST(Order, TheCourseListsThePartsOfTheTable) {
  const std::string page = content_of(top + "exercises/README.md");
  std::map<std::string, std::pair<Numbers, Numbers>> listed, expected;
  std::string letters;
  for (const auto& [name, part] : fixtures::sections_of(page, "## ")) {
    if (name.find(" · ") != 1) continue;
    const std::string letter = name.substr(0, 1);
    Numbers exercises;
    for (const std::string& number : matches(part, "\\[(\\d\\d) [^\\]]*\\]")) exercises.push_back(std::stoi(number));
    listed[letter] = {named_in(fixtures::replace(part, "\\.\\./docs/", "")), exercises};
  }
  for (const std::string& letter : matches(page, "\n## ([A-Z]) · ")) letters += letter;
  EXPECT_TRUE(std::is_sorted(letters.begin(), letters.end())) << letters;
  for (const auto& [number, chapter] : chapters()) {
    if (chapter.exercises.empty()) continue;
    auto& [of_part, exercises] = expected[chapter.part];
    of_part.push_back(number);
    exercises.insert(exercises.end(), chapter.exercises.begin(), chapter.exercises.end());
  }
  EXPECT_EQ(listed, expected);
}

// The cells of each row that begins with a number, and of the head of its table.
struct Row {
  std::vector<std::string> head, cells;
};

std::vector<Row> rows_in(const std::string& text) {
  std::vector<Row> rows;
  std::vector<std::string> head;
  for (const std::string& line : matches(text, "\n(\\|[^\n]*\\|)(?=\n)")) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells[0].starts_with(" week")) head = cells;
    if (!numbers_in(cells[0]).empty()) rows.push_back({head, cells});
  }
  return rows;
}

int minutes_of(const Numbers& exercises) {
  static const std::map<int, std::string> folders = numbered_in("exercises/lessons");
  const std::string_view mark = "//= minutes: ";
  int sum = 0;
  for (const int exercise : exercises) {
    const std::string source = content_of(top + folders.at(exercise) + "/exercise.cpp");
    sum += std::stoi(source.substr(source.find(mark) + mark.size()));
  }
  return sum;
}

// docs/course.md: a plan of fourteen weeks and one of four. A chapter comes after those that it needs, an exercise not
// before its chapter, and the plan of four weeks has the exercises of the fast track.
TEST(Order, ThePlansForAClassAddUpAndKeepTheOrder) {
  const std::vector<Row> rows =
      rows_in(fixtures::sections_of(content_of(top + "docs/course.md"), "### ").at("Plans for a class"));
  ASSERT_EQ(rows.size(), 14u + 4u);
  std::set<int> read, done;
  for (const auto& [head, cells] : rows) {
    if (cells[0] == " 1 ") read.clear(), done.clear();  // a plan begins
    for (std::size_t at = 1; at < head.size(); ++at) {
      if (head[at] == " read ") {
        for (const int number : numbers_in(fixtures::replace(cells[at], "\\([^)]*\\)", ""))) {
          for (const int earlier : chapters().at(number).needs) {
            EXPECT_TRUE(read.contains(earlier)) << number << " before " << earlier;
          }
          read.insert(number);
        }
      } else if (head[at] == " exercises ") {
        for (const int number : numbers_in(cells[at])) done.insert(number);
      } else if (head[at] == " minutes ") {
        EXPECT_EQ(std::stoi(cells[at]), minutes_of(numbers_in(cells[at - 1]))) << "week" << cells[0];
      }
    }
    for (const auto& [number, chapter] : chapters()) {
      for (const int exercise : chapter.exercises) {
        EXPECT_TRUE(!done.contains(exercise) || read.contains(number)) << exercise << " before chapter " << number;
      }
    }
  }
  std::set<int> fast_track;
  for (const std::string& number : matches(content_of(top + "exercises/README.md"), "\n\\| ★ \\| \\[(\\d\\d) ")) {
    fast_track.insert(std::stoi(number));
  }
  EXPECT_EQ(done, fast_track);
}

TEST(Order, IsReadFromTexts) {
  const auto read = chapters_in(
      "\n| chapter | needs | exercises |\n|---|---|---|\n| 5 linear layer | 2, 4 | 19–21 (D) |\n| 8 b | | |\n");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read.at(5).needs, (Numbers{2, 4}));
  EXPECT_EQ(read.at(5).exercises, (Numbers{19, 20, 21}));
  EXPECT_EQ(read.at(5).part, "D");
  EXPECT_EQ(read.at(8).exercises, Numbers{});
  EXPECT_EQ(named_in("> **You need** [SGD](05-linear-layer-and-sgd.md#a-step-down), chapters 2 to 4 and 7; later "
                     "[GRU](10-gru-and-lstm.md)."),
            (Numbers{5, 2, 3, 4, 7}));
  EXPECT_EQ(box_of("a\n\n> **You need** b,\n> c.\n\nd\n"), "> **You need** b,\n> c.");
}

}  // namespace docs_order_test
