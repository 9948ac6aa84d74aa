// Road: what an exercise asks of someone who is about to begin it: how hard it is, how long it takes, and which others
// should have been done before.
#pragma once

#include <string>
#include <vector>

#include "runner/lessons/course.h"

namespace learn {

// "●●○", or "" where it is not stated.
std::string difficulty_marks(const Exercise& exercise);
// "difficulty ●●○ · about 20 minutes · best after 06 and 07"; "" where nothing is stated.
std::string road_text(const Exercise& exercise);
// The exercise's page, with that and `more` below its title.
std::string page_with_road(const Exercise& exercise, const std::string& markdown, const std::string& more = "");
// The line about it in the table of exercises/README.md.
std::string line_of_table(const Exercise& exercise);

// What is wrong with what it says about this: for its authors.
std::vector<std::string> problems_of_road(const Exercise& exercise);

}  // namespace learn
