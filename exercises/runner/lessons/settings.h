// How exercises are compiled on this machine: what CMake found, read from settings.json in the build folder.
#pragma once

#include <string>
#include <vector>

namespace learn {

struct Settings {
  std::string compiler;
  bool compiler_is_gnu = true;
  std::string project;    // the top of Backstep's source
  std::string build;      // its build folder
  std::string version;    // Backstep's
  std::string exercises;  // project/exercises
  std::string cache;      // what is compiled for the course
  std::vector<std::string> include;
  std::vector<std::string> system_include;   // where the compiler finds its own headers, and fmt's
  std::vector<std::string> libraries;        // of a judge, its main() included
  std::vector<std::string> early_libraries;  // until those are there
  std::vector<std::string> link_flags;       // with all of these
  std::string answer_main;                   // the main() of an answer's program
};

const Settings& settings();
// Where runs have their folders (RunFolder).
std::string runs_folder();

}  // namespace learn
