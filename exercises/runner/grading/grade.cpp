#include "runner/grading/grade.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace learn {

namespace {

double sum_of(const std::vector<Grade>& grades, double Grade::*what) {
  double sum = 0.0;
  for (const Grade& grade : grades) sum += grade.*what;
  return sum;
}

}  // namespace

double rounded(double points) {
  return std::round(points * 100.0) / 100.0;
}

double total(const std::vector<Grade>& grades) {
  return rounded(sum_of(grades, &Grade::points));
}

double total_of(const std::vector<Grade>& grades) {
  return rounded(sum_of(grades, &Grade::of));
}

std::size_t passed_of(const std::vector<Grade>& grades) {
  return static_cast<std::size_t>(
      std::count_if(grades.begin(), grades.end(), [](const Grade& g) { return g.passed(); }));
}

nlohmann::ordered_json to_json(const Grade& grade) {
  nlohmann::ordered_json mistakes = nlohmann::ordered_json::array();
  for (const NamedMistake& mistake : grade.mistakes) {
    mistakes.push_back({{"name", mistake.name}, {"question", mistake.question}});
  }
  return {{"id", grade.id},           {"title", grade.title},     {"file", grade.file},     {"outcome", grade.outcome},
          {"right", grade.right},     {"parts", grade.parts},     {"points", grade.points}, {"of", grade.of},
          {"seconds", grade.seconds}, {"message", grade.message}, {"line", grade.line},     {"mistakes", mistakes},
          {"output", grade.output}};
}

Grade read_grade(const nlohmann::ordered_json& json) {
  Grade grade;
  grade.id = json.at("id");
  grade.title = json.at("title");
  grade.file = json.at("file");
  grade.outcome = json.at("outcome");
  grade.right = json.at("right");
  grade.parts = json.at("parts");
  grade.points = json.at("points");
  grade.of = json.at("of");
  grade.seconds = json.at("seconds");
  grade.message = json.at("message");
  grade.output = json.at("output");
  grade.line = json.at("line");
  for (const auto& mistake : json.at("mistakes"))
    grade.mistakes.push_back({mistake.at("name"), mistake.at("question")});
  return grade;
}

}  // namespace learn
