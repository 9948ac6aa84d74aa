// Sandbox: programs that nobody has looked at run without network, without our environment, and see only what is named
// here. bubblewrap makes it; where that does not work there is none.
#pragma once

#include <string>
#include <vector>

namespace learn {

enum class Containment {
  bubblewrap,  // other files, processes and networks are not there
  limits_only  // time and the size of files are limited; it can read and write what we can
};

// What works on this machine, found by trying it, once.
Containment containment();
// "contained by bubblewrap", or that nothing is contained and what helps.
std::string describe(Containment containment);

struct Sandbox {
  std::string folder;                       // its own: it runs there, and may write nowhere else
  std::vector<std::string> readable = {};   // files and folders, beside the system's programs and libraries
  std::vector<std::string> variables = {};  // the names of those of the environment that it sees
  bool starts_programs = false;             // as compilers do
  int seconds = 0;                          // of processor time; 0 for no limit
  Containment by = containment();
};

// The command that runs this one in it.
std::vector<std::string> contained(const Sandbox& sandbox, const std::vector<std::string>& command);

}  // namespace learn
