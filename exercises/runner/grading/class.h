// A class: a folder with one for each student.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runner/grading/grade_answer.h"

namespace learn {

struct Student {
  std::string name;  // of the folder
  std::string folder;
};

// None if the folder has answers itself, and so is one student's.
std::vector<Student> students_in(const std::string& folder);

struct ClassProgress {
  std::size_t answers = 0;  // graded so far
  std::size_t of = 0;
  double seconds_left = 0.0;
};

// `done` is told of every student whose answers are all graded, in order; `progress` of every answer. What is graded
// lies in `kept`: after Interrupted, or whatever ended it, the next call goes on.
std::vector<GradedStudent> grade_class(Grader& grader, const std::vector<Student>& students, const std::string& kept,
                                       int jobs, const std::function<void(const ClassProgress&)>& progress,
                                       const std::function<void(const GradedStudent&)>& done);

}  // namespace learn
