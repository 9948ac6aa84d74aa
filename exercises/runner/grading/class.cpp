#include "runner/grading/class.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>

#include "runner/system/jobs.h"

namespace learn {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// "19_linear_layer.cpp"
bool is_answer(const fs::path& path) {
  const std::string name = path.filename();
  return path.extension() == ".cpp" && name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::isdigit(static_cast<unsigned char>(name[1])) && name[2] == '_';
}

}  // namespace

std::vector<Student> students_in(const std::string& folder) {
  std::vector<Student> students;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_answer(entry.path())) return {};
    const std::string name = entry.path().filename();
    if (entry.is_directory() && name[0] != '.') students.push_back({name, entry.path()});
  }
  std::sort(students.begin(), students.end(), [](const Student& a, const Student& b) { return a.name < b.name; });
  return students;
}

std::vector<GradedStudent> grade_class(Grader& grader, const std::vector<Student>& students, const std::string& kept,
                                       int jobs, const std::function<void(const ClassProgress&)>& progress,
                                       const std::function<void(const GradedStudent&)>& done) {
  const std::size_t exercises = grader.tasks().size();
  const Clock::time_point start = Clock::now();
  ClassProgress state{0, students.size() * exercises, 0.0};
  std::vector<GradedStudent> graded;
  run_in_order<Grade>(
      state.of, jobs,
      [&](std::size_t i) {
        const Student& student = students[i / exercises];
        const std::string& id = grader.tasks()[i % exercises].exercise.id;
        return grader.grade(i % exercises, student.folder, kept + "/" + student.name + "/" + id + ".json");
      },
      [&](std::size_t i, const Grade& grade) {
        if (i % exercises == 0) graded.push_back({students[i / exercises].name, {}});
        graded.back().grades.push_back(grade);
        const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
        const auto remaining = static_cast<double>(state.of - i - 1);
        state.answers = i + 1;
        state.seconds_left = elapsed / static_cast<double>(i + 1) * remaining;
        progress(state);
        if (i % exercises == exercises - 1) done(graded.back());
      });
  return graded;
}

}  // namespace learn
