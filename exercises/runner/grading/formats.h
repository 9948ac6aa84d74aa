// Grades in the formats in which others want to know them. Whatever an answer printed, they are well formed.
#pragma once

#include <string>
#include <vector>

#include "runner/grading/grade.h"

namespace learn {

// Our own: of one student, and of a class.
std::string grades_as_json(const std::vector<Grade>& grades);
std::string class_as_json(const std::vector<GradedStudent>& students);
// A row for each student, a column for each exercise.
std::string class_as_csv(const std::vector<GradedStudent>& students);
// https://gradescope-autograders.readthedocs.io/en/latest/specs/ (results.json)
std::string grades_for_gradescope(const std::vector<Grade>& grades);
// What autograding-grading-reporter of GitHub Classroom reads: one runner's results, base64.
std::string grades_for_github(const std::vector<Grade>& grades);

std::string base64(const std::string& bytes);

}  // namespace learn
