#include "mistake_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "runner/lessons/exercise_source.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace mistake_index {

using fixtures::content_of;
using fixtures::matches;
using fixtures::replace;
using learn::ExerciseSource;
using learn::MistakeText;

namespace {

const std::string top = BACKSTEP_SOURCE "/";

const char* const head = R"(# Known mistakes, and where they are explained

These are the mistakes that the course knows, {mistakes} of them. If your answer gives exactly the numbers of one, you are asked its
question, and `./learn why` gives the reason. Here they stand by chapter: look for what you suspect, in the course or in a program of
your own, and read on in the chapter. Words in code, such as `batch`, stand for sizes.

The questions of an exercise give away what can go wrong in it. Do the exercise first.

The exercises' files have all of this, and `print_mistake_index > docs/mistakes.md` writes it here.
)";

// By the number that the name begins with: 19 -> "19_linear_layer".
std::map<int, std::string> numbered_in(const std::string& folder) {
  std::map<int, std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(top + folder)) {
    const std::string name = entry.path().filename().string();
    const auto number = matches(name, "^(\\d\\d)[-_]");
    if (!number.empty()) found[std::stoi(number[0])] = name;
  }
  return found;
}

// "no_max" -> "no max"
std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// Of a cell of a table: "for each of {batch} rows" -> "for each of `batch` rows".
std::string in_markdown(const std::string& question) {
  return replace(replace(question, "\\{([a-z]+)\\}", "`$1`"), "([|<])", "\\$1");
}

std::string section_of(const std::string& exercise, std::size_t& mistakes) {
  const ExerciseSource source = ExerciseSource::read(top + "exercises/lessons/" + exercise + "/exercise.cpp");
  std::string text =
      fmt::format("\n### {}\n\n[The exercise](../exercises/lessons/{}/README.md)\n\n", source.title, exercise);
  text += "| mistake | question |\n| --- | --- |\n";
  for (const MistakeText& mistake : source.mistakes) {
    text += fmt::format("| {} | {} |\n", in_words(mistake.name), in_markdown(mistake.question));
  }
  mistakes += source.mistakes.size();
  return text;
}

// "02–05" -> 2, 5; "19, 20" -> 19, 20; "01" -> 1, 1: a chapter's exercises stand side by side.
std::pair<int, int> first_and_last(const std::string& cell) {
  const auto numbers = matches(cell, "\\d+");
  return {std::stoi(numbers.front()), std::stoi(numbers.back())};
}

}  // namespace

std::string page() {
  const std::map<int, std::string> chapters = numbered_in("docs");
  const std::string book = content_of(top + "docs/README.md");
  const std::string map = book.substr(book.find("## What needs what"));
  std::string sections;
  std::size_t mistakes = 0;
  for (const auto& [number, exercise] : numbered_in("exercises/lessons")) {
    for (const std::string& row : matches(map, "\n(\\| \\d+ [^\n]*\\|)")) {
      const auto cells = matches(row, "\\|([^|\n]*)(?=\\|)");
      if (matches(cells.at(2), "\\d").empty()) continue;
      const auto [first, last] = first_and_last(cells[2]);
      if (number < first || number > last) continue;
      if (number == first) {
        const std::string file = chapters.at(std::stoi(matches(cells[0], "\\d+").at(0)));
        sections += fmt::format("\n## {}\n\n[The chapter]({})\n",
                                matches(content_of(top + "docs/" + file), "^# ([^\n]*)").at(0), file);
      }
      sections += section_of(exercise, mistakes);
    }
  }
  return replace(head, "\\{mistakes\\}", fmt::format("{}", mistakes)) + sections;
}

}  // namespace mistake_index
