// Builder: compiles an exercise. Its check and its known mistakes once, until something they are made of changes; the
// learner's file each time, with sanitizers; and the program of both.
#pragma once

#include <string>
#include <vector>

#include "runner/exercise_source.h"
#include "runner/process.h"

namespace learn {

struct Exercise {
  std::string id;      // "25_linear_layer"
  std::string folder;  // where its exercise.cpp, check.cpp and given.h are
  ExerciseSource source;
};

// Everything under exercises/ that has an exercise.cpp, in order.
const std::vector<std::string>& exercise_ids();
Exercise load_exercise(const std::string& id);
// "25", "25_linear_layer", "linear" -> the id. Throws std::runtime_error that says what there is.
std::string find_exercise(const std::string& text);

struct Built {
  bool ok = false;
  std::string program;   // the check program
  std::string messages;  // the compiler's
  bool linked = true;    // false where compiling went well and linking did not
};

struct BuildOptions {
  bool warnings_are_errors = false;
  bool sanitize = true;
  bool debug = false;   // -O0 -g3, for stepping in gdb
  std::string program;  // where to put it; "" for the cache
};

// Compiles what does not depend on the learner. Throws std::runtime_error with the compiler's messages: the course is
// broken then, not the learner's file.
void build_exercise(const Exercise& exercise);
// That, and the learner's file.
Built build_answer(const Exercise& exercise, const std::string& file, const BuildOptions& options = {});
// How a learner's file is compiled, for compile_commands.json.
std::vector<std::string> compile_command(const Exercise& exercise, const std::string& file);

}  // namespace learn
