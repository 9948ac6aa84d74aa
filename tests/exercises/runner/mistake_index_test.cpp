// docs/mistakes.md has every known mistake of every exercise.
#include "mistake_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "runner/lessons/exercise_source.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace course_mistake_index_test {

TEST(MistakeIndex, IsUpToDate) {
  const std::string page = fixtures::content_of(BACKSTEP_SOURCE "/docs/mistakes.md");
  EXPECT_TRUE(page == mistake_index::page()) << "run print_mistake_index > docs/mistakes.md";
}

TEST(MistakeIndex, HasARowForEachMistakeOfEachExercise) {
  std::size_t mistakes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BACKSTEP_SOURCE "/exercises/lessons")) {
    const auto file = entry.path() / "exercise.cpp";
    if (std::filesystem::exists(file))
      mistakes += fixtures::matches(fixtures::content_of(file), "\n//= mistake ").size();
  }
  EXPECT_GT(mistakes, 1000u);
  EXPECT_EQ(fixtures::matches(mistake_index::page(), "\n\\| (?!---|mistake \\|)").size(), mistakes);
}

}  // namespace course_mistake_index_test
