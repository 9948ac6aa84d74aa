// Hints: four levels in an exercise's hints.md, each more telling than the one before.
#pragma once

#include <array>
#include <string>

#include "runner/course/course.h"

namespace learn {

inline constexpr std::array<const char*, 4> hint_levels = {"Question", "Concept", "Formula", "Line"};
inline constexpr int last_hint_level = static_cast<int>(hint_levels.size());

// The text of a level (1 to 4). "" if the exercise has none.
std::string hint_text(const Exercise& exercise, int level);

}  // namespace learn
