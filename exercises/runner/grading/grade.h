// Grade: what one answer is worth, and why.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace learn {

// A known mistake that gives exactly the answer's numbers.
struct NamedMistake {
  std::string name;
  std::string question;
};

struct Grade {
  std::string id;
  std::string title;
  std::string file;     // in the student's folder: "19_linear_layer.cpp"
  std::string outcome;  // "passed", "wrong", ..., "missing", "refused" (not even read); "not graded" where the course
                        // is at fault
  int right = 0;        // parts of the check
  int parts = 0;
  double points = 0.0;  // given
  double of = 0.0;      // at most
  double seconds = 0.0;
  std::string message;  // one sentence
  std::string output;   // what a learner would see
  int line = 0;         // where known
  std::vector<NamedMistake> mistakes;
  bool passed() const { return outcome == "passed"; }
  bool graded() const { return outcome != "not graded"; }
  std::string number() const { return id.substr(0, id.find('_')); }
};

// To hundredths: a third of a point is nothing that others add up again.
double rounded(double points);
double total(const std::vector<Grade>& grades);
double total_of(const std::vector<Grade>& grades);
std::size_t passed_of(const std::vector<Grade>& grades);

// All of it, for grades that are kept.
nlohmann::ordered_json to_json(const Grade& grade);
// Throws std::exception where it is none.
Grade read_grade(const nlohmann::ordered_json& json);

// Of one student.
struct GradedStudent {
  std::string name;
  std::vector<Grade> grades;
};

}  // namespace learn
