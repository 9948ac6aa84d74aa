#include "runner/lessons/road.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"

namespace learn {
namespace {

constexpr int hardest = 3;

// "06, 07 and 12"
std::string in_words(const std::vector<std::string>& words) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

}  // namespace

std::string difficulty_marks(const Exercise& exercise) {
  const int difficulty = exercise.source.difficulty;
  std::string marks;
  for (int i = 1; i <= hardest && difficulty > 0; ++i) marks += i <= difficulty ? "●" : "○";
  return marks;
}

std::string road_text(const Exercise& exercise) {
  const ExerciseSource& source = exercise.source;
  std::vector<std::string> parts;
  if (source.difficulty > 0) parts.push_back("difficulty " + difficulty_marks(exercise));
  if (source.minutes > 0) parts.push_back(fmt::format("about {} minutes", source.minutes));
  if (!source.after.empty()) parts.push_back("best after " + in_words(source.after));
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::string page_with_road(const Exercise& exercise, const std::string& markdown, const std::string& more) {
  std::string road = road_text(exercise);
  if (!road.empty() && !more.empty()) road += " · ";
  road += more;
  const std::size_t end_of_title = markdown.find('\n');
  if (road.empty() || end_of_title == std::string::npos || !markdown.starts_with("# ")) return markdown;
  return markdown.substr(0, end_of_title + 1) + "\n" + road + "\n" + markdown.substr(end_of_title + 1);
}

std::string line_of_table(const Exercise& exercise) {
  const ExerciseSource& source = exercise.source;
  return fmt::format("| {} | [{} {}](lessons/{}/README.md) | {} | {} min | {} |", source.fast_track ? "★" : "",
                     exercise.number(), exercise.title(), exercise.id, difficulty_marks(exercise), source.minutes,
                     fmt::join(source.after, ", "));
}

std::vector<std::string> problems_of_road(const Exercise& exercise) {
  const ExerciseSource& source = exercise.source;
  std::vector<std::string> problems;
  if (source.difficulty == 0) problems.push_back("not stated:  //= difficulty: 1 (or 2, 3)");
  if (source.minutes == 0) problems.push_back("not stated:  //= minutes: 20");
  for (const std::string& number : source.after) {
    const auto before = std::find_if(all_exercises().begin(), all_exercises().end(),
                                     [&](const Exercise& other) { return other.number() == number; });
    if (before == all_exercises().end() || before->id >= exercise.id) {
      problems.push_back(fmt::format("//= after: {} is not an exercise before this one", number));
    } else if (source.fast_track && !before->source.fast_track) {
      problems.push_back(fmt::format("//= after: {} is not on the fast track, and this one is", number));
    }
  }
  const std::string course = settings().project + "/exercises";
  if (settings().exercises == course + "/lessons" &&
      read_file(course + "/README.md").find(line_of_table(exercise) + "\n") == std::string::npos) {
    problems.push_back("exercises/README.md has no line " + line_of_table(exercise));
  }
  return problems;
}

}  // namespace learn
