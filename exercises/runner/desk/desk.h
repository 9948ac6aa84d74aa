// Desk: the folder in which someone works through the course. Their files lie in it; what the runner keeps for itself
// is in .learn: the progress, the stub that each file began as, and what was put aside.
#pragma once

#include <optional>
#include <string>

#include "runner/lessons/course.h"

namespace learn {

class Desk {
 public:
  explicit Desk(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string state() const { return path_ + "/.learn"; }
  std::string progress() const { return state() + "/state.json"; }
  std::string lock() const { return state() + "/lock"; }
  // "19_linear_layer.cpp", "19_linear_layer.md"
  std::string answer(const Exercise& exercise) const { return path_ + "/" + exercise.answer_name(); }
  std::string text(const Exercise& exercise) const { return path_ + "/" + exercise.id + ".md"; }
  // A copy of the exercise's given.h, to be read; compilers take the course's own.
  std::string given(const Exercise& exercise) const { return path_ + "/given/" + exercise.id + ".h"; }
  // What a file was when it was put here; three-way merges need it.
  std::string base(const std::string& name) const { return state() + "/base/" + name; }
  std::string attic() const { return state() + "/attic"; }

  // Was it made by `learn start`?
  bool is_started() const;

 private:
  std::string path_;
};

// The desk that `given` (--dir) names, or the one that the current folder lies in. Throws std::runtime_error that says
// how to get one.
Desk find_desk(const std::optional<std::string>& given);
// The desk that this file lies in: its folder, or one above it. Its folder if none was started.
Desk desk_of_file(const std::string& file);

// Where a copy of a file can be put aside: .learn/attic/19_linear_layer.3.cpp, the next free number.
std::string free_place_in_attic(const Desk& desk, const std::string& name);
// The copy that was put aside last, if there is one.
std::optional<std::string> last_in_attic(const Desk& desk, const std::string& name);

}  // namespace learn
