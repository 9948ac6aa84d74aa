// Grades: what a folder of answers is worth, and the formats in which others want to know.
#pragma once

#include <string>
#include <vector>

#include "runner/report/report.h"

namespace learn {

struct Grade {
  std::string id;
  std::string title;
  std::string file;     // "25_linear_layer.cpp"
  std::string outcome;  // "passed", "wrong", ..., "missing"
  double points = 0.0;  // given
  double of = 0.0;      // at most
  double seconds = 0.0;
  std::string message;  // one sentence
  std::string output;   // what a learner would see
  int line = 0;         // where known
  bool passed() const { return outcome == "passed"; }
  std::string number() const { return id.substr(0, id.find('_')); }
};

double total(const std::vector<Grade>& grades);
double total_of(const std::vector<Grade>& grades);

// Our own.
std::string grades_as_json(const std::vector<Grade>& grades);
// https://github.com/testmoapp/junitxml
std::string grades_as_junit(const std::vector<Grade>& grades);
// https://gradescope-autograders.readthedocs.io/en/latest/specs/ (results.json)
std::string grades_for_gradescope(const std::vector<Grade>& grades);
// What autograding-grading-reporter of GitHub Classroom reads: one runner's results, base64.
std::string grades_for_github(const std::vector<Grade>& grades);

std::string base64(const std::string& bytes);
// What XML may not contain is written so that it may.
std::string xml_text(const std::string& text);

}  // namespace learn
