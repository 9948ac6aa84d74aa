#include "runner/system/sandbox.h"

#include <filesystem>

#include "runner/system/process.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

const char* name_of(Containment by) {
  return by == Containment::bubblewrap ? "bubblewrap" : by == Containment::kernel ? "kernel" : "limits";
}

// A shell that cannot read what everybody can.
bool works(Containment by) {
  constexpr int success = 42;
  constexpr const char* script = "if true < /etc/passwd; then exit 1; else exit 42; fi";
  const std::string folder = fs::temp_directory_path().string();
  const Sandbox sandbox{.folder = folder, .by = by};
  return run_process(contained(sandbox, {"/bin/sh", "-c", script}), {.seconds = patience_for(1.0)}).exit_code ==
         success;
}

}  // namespace

Containment containment() {
  static const Containment best = works(Containment::bubblewrap) ? Containment::bubblewrap
                                  : works(Containment::kernel)   ? Containment::kernel
                                                                 : Containment::limits_only;
  return best;
}

std::string describe(Containment containment) {
  switch (containment) {
    case Containment::bubblewrap: return "contained by bubblewrap: no network, no files but their own";
    case Containment::kernel: return "contained by Landlock and seccomp: no network, no files but their own";
    case Containment::limits_only: break;
  }
  return "NOT CONTAINED: an answer can read and write what you can. bubblewrap (Debian: apt install bubblewrap) does "
         "not "
         "work here, nor does Landlock; run this in a container that holds nothing else.";
}

std::vector<std::string> contained(const Sandbox& sandbox, const std::vector<std::string>& command) {
  std::vector<std::string> all{BACKSTEP_CONTAIN, "--by", name_of(sandbox.by), "--folder", sandbox.folder};
  for (const std::string& path : sandbox.readable) all.insert(all.end(), {"--read", path});
  for (const std::string& name : sandbox.variables) all.insert(all.end(), {"--keep", name});
  if (sandbox.starts_programs) all.push_back("--tools");
  if (sandbox.seconds > 0) all.insert(all.end(), {"--seconds", std::to_string(sandbox.seconds)});
  all.push_back("--");
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

}  // namespace learn
