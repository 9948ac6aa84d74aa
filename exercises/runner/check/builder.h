// Builder: compiles an exercise. Its check, its solution and its known mistakes once, until something they are made of
// changes: the judge. An answer each time, with sanitizers: a program of the answer and the check, in a folder that the
// caller chooses. The judge starts it, and the solution is not in it.
#pragma once

#include <string>
#include <vector>

#include "runner/lessons/course.h"

namespace learn {

struct Built {
  bool ok = false;
  std::string program;   // of the answer
  std::string judge;     // the program that judges it
  std::string messages;  // the compiler's
  bool compiled = false;
  bool out_of_time = false;        // the compiler was
  std::string foreign_include;     // a file that no answer may include, and this one does: it is not linked then
  std::string foreign_symbol;      // likewise a function
  std::vector<std::string> calls;  // of the engine, where the answer is to do without some (answer_object.h)
  double compile_seconds = 0.0;
  double link_seconds = 0.0;
};

struct BuildOptions {
  std::string folder;  // where the program goes; it is called `name`
  std::string name = "answer";
  bool warnings_are_errors = false;
  bool debug = false;        // -O0 -g3 without sanitizers, for stepping in gdb
  bool run_once = false;     // the program runs the answer once, and nothing else: for debuggers (run_once.cpp)
  bool untrusted = false;    // the compiler sees no solution, and nobody else's file
  std::size_t seconds = 60;  // of processor time, for the compiler
};

// Compiles what does not depend on the learner, if that is not done yet. Throws std::runtime_error with the compiler's
// messages: the course is broken then, not the learner's file.
void prepare_exercise(const Exercise& exercise);
bool is_prepared(const Exercise& exercise);
// Changes when the exercise does, or anything that it is made of.
std::string exercise_state(const Exercise& exercise);
// The judge that knows pairs of mistakes, too. These take most of the time to compile: call it only where nothing else
// explains an answer.
std::string judge_of_pairs(const Exercise& exercise);
// Prepares it, and compiles the answer.
Built build_answer(const Exercise& exercise, const std::string& file, const BuildOptions& options);
// What starts the judge with these arguments on an answer, which `answer` starts; its result goes to result_path
// (system/process.h).
std::vector<std::string> judge_command(const Built& built, const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& answer);
// The exercise's check with another file in the place of its solution and mistakes (judge/exercise.h), and no answer.
Built build_variants(const Exercise& exercise, const std::string& file, const std::string& program);
// How a learner's file is compiled, for compile_commands.json.
std::vector<std::string> compile_command(const Exercise& exercise, const std::string& file);

}  // namespace learn
