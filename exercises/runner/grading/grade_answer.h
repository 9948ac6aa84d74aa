// Grades one answer: all points if it is right, and none if it is not; or, if wanted, a share of them for the parts of
// its check that are right.
//
//   passed                            all points
//   wrong, or only partly written     0; by parts: points * right parts / parts, to hundredths. A part is what a check
//                                     shows as right or wrong by name, and the solution says how many there are
//   calls an op that is not allowed,  0
//   gives other numbers each time,
//   does not compile, crashes, ...
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runner/grading/grade.h"
#include "runner/lessons/course.h"

namespace learn {

struct GradeTask {
  Exercise exercise;
  double points = 1.0;
};

// "19", or "19=4" for four points; what says nothing else is worth `points`. None: all exercises.
std::vector<GradeTask> grade_tasks(const std::vector<std::string>& exercises, double points);

struct GradeRules {
  int seconds = 0;        // for each answer; 0: as its exercise says
  int seed = 0;           // of what is drawn for it; 0: as its writer has seen it
  bool by_parts = false;  // a share of the points for the parts that are right; otherwise all or none
};

// Grades answers, several at a time if wanted.
class Grader {
 public:
  Grader(std::vector<GradeTask> tasks, GradeRules rules);
  ~Grader();

  const std::vector<GradeTask>& tasks() const { return tasks_; }
  // The answer to this task in a student's folder, or one of the folders in it.
  Grade grade(std::size_t task, const std::string& folder);
  // The same, but what was graded before is read from `kept`, as long as neither the answer nor the exercise nor the
  // rules have changed. What was graded is written there at once.
  Grade grade(std::size_t task, const std::string& folder, const std::string& kept);

 private:
  struct Measure;
  int parts(std::size_t task);
  Grade grade_file(std::size_t task, const std::string& folder, const std::vector<std::string>& files);
  double points_of(std::size_t task, const Grade& grade) const;

  std::vector<GradeTask> tasks_;
  GradeRules rules_;
  std::vector<std::unique_ptr<Measure>> measures_;
};

// A student's files of that name, the one that counts first: in the folder, or else beneath it, as an archive may have
// it; last those that were downloaded twice ("19_linear_layer (1).cpp"). Links are not followed, nor folders that begin
// with a dot.
std::vector<std::string> answers_in(const std::string& folder, const std::string& name);

}  // namespace learn
