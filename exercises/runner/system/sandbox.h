// Sandbox: programs that nobody has looked at run without network, without our environment, and see only what is named
// here. bubblewrap makes it where it works; else the kernel's own means, as far as they go.
#pragma once

#include <cstddef>
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
  std::string folder;                              // its own: it runs there, and may write nowhere else
  std::vector<std::string> readable = {};          // files and folders, beside the system's programs and libraries
  bool starts_programs = false;                    // as compilers do
  int seconds = 0;                                 // of processor time; 0 for no limit
  std::size_t most_disk = std::size_t{256} << 20;  // bytes in its folder
  Containment by = containment();
};

// One sandbox being entered. What needs memory is done before fork(); enter() is called in the child.
class SandboxEntry {
 public:
  explicit SandboxEntry(const Sandbox& sandbox);
  ~SandboxEntry();
  SandboxEntry(const SandboxEntry&) = delete;
  SandboxEntry& operator=(const SandboxEntry&) = delete;

  // What is to be started so that `inside` runs in it.
  std::vector<std::string> command(const std::vector<std::string>& inside) const;
  // False where it did not work: then nothing may be started.
  bool enter() const;

 private:
  const Sandbox& sandbox_;
  int filter_ = -1;  // the system calls, as a file that bubblewrap reads
};

// Does it hold more than it may?
bool is_overfull(const Sandbox& sandbox);

}  // namespace learn
