// The course: its exercises in their order, and its parts.
#pragma once

#include <string>
#include <vector>

#include "runner/lessons/exercise_source.h"

namespace learn {

struct Exercise {
  std::string id;      // "19_linear_layer"
  std::string folder;  // where its exercise.cpp, check.cpp and given.h are
  ExerciseSource source;

  std::string number() const { return id.substr(0, id.find('_')); }
  // Of the learner's file.
  std::string answer_name() const { return id + ".cpp"; }
  const std::string& title() const { return source.title; }
};

// Everything under exercises/ that has an exercise.cpp, in order.
const std::vector<std::string>& exercise_ids();
// Throws std::runtime_error where its exercise.cpp cannot be read or has an unknown mark.
Exercise load_exercise(const std::string& id);
// Those that can be loaded: one that is broken does not take the others away.
const std::vector<Exercise>& all_exercises();

// A file that is downloaded a second time: "19_linear_layer (1).cpp" -> "19_linear_layer.cpp"; any other as it is.
std::string without_mark_of_copy(const std::string& name);
// "19", "19_linear_layer", "linear", "19_linear_layer.cpp" -> the id. Throws WrongUsage that says what there is.
std::string find_exercise(const std::string& text);

// "E" -> "Learning".
std::string part_name(const std::string& letter);

}  // namespace learn
