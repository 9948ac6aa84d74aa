// Sandbox: programs that nobody has looked at run without network, without our environment, and see only what is named
// here. bubblewrap makes it where it works; else the kernel's own means, as far as they go.
#pragma once

#include <string>
#include <vector>

namespace learn {

enum class Containment {
  bubblewrap,  // namespaces: other files, processes and networks are not there
  kernel,      // Landlock and seccomp: they are there, and may not be touched
  limits_only  // time, memory and size are limited; it can read and write what we can
};

// The best that works on this machine, found by trying it, once.
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

// The command that runs this one in it: the program `contain` does so.
std::vector<std::string> contained(const Sandbox& sandbox, const std::vector<std::string>& command);

}  // namespace learn
