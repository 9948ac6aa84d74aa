#include "runner/check/answer_sandbox.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"

namespace learn {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

// Of shared libraries that are not where the system has them.
void add_library_folders(Paths& paths) {
  for (const std::string& library : settings().libraries) {
    if (library.find(".so") != std::string::npos) paths.push_back(fs::path(library).parent_path());
  }
  const char* const more = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(more ? more : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty()) paths.push_back(folder);
  }
}

// With the library's headers, but not with all that lies in the clone.
void add_headers(const Exercise& exercise, Paths& paths) {
  const std::string& project = settings().project;
  for (const std::string& folder : settings().include) {
    if (folder.rfind(project, 0) != 0) paths.push_back(folder);
  }
  for (const char* const folder : {"/autograd", "/nn", "/exercises/judge"}) paths.push_back(project + folder);
  for (const auto& entry : fs::directory_iterator(exercise.folder)) {
    if (entry.path().extension() == ".h") paths.push_back(entry.path());
  }
}

// Where a compiler that is not the system's has its own files.
void add_compiler(Paths& paths) {
  const fs::path folder = fs::path(full_path(settings().compiler)).parent_path().parent_path();
  if (folder != "/usr" && folder != "/") paths.push_back(folder);
}

// "NAME=value" -> "NAME"
Paths names_of(const Paths& environment) {
  Paths names{"LD_LIBRARY_PATH"};
  for (const std::string& variable : environment) names.push_back(variable.substr(0, variable.find('=')));
  return names;
}

}  // namespace

Sandbox answer_sandbox(const std::string& program, const std::string& folder, double seconds,
                       const std::vector<std::string>& environment, bool untrusted) {
  fs::create_directories(folder);
  Paths readable{program};
  add_library_folders(readable);
  return {.folder = folder,
          .readable = std::move(readable),
          .variables = names_of(environment),
          .starts_programs = !settings().compiler_is_gnu,
          .seconds = 2 * static_cast<int>(seconds) + 1,
          .by = untrusted || settings().compiler_is_gnu ? containment() : Containment::limits_only};
}

Sandbox compiler_sandbox(const Exercise& exercise, const std::string& file, const std::string& folder) {
  Paths readable{fs::path(file).parent_path(), settings().cache + "/precompiled"};  // what may be included
  add_headers(exercise, readable);
  add_library_folders(readable);
  add_compiler(readable);
  return {.folder = folder,
          .readable = std::move(readable),
          .variables = {"LC_ALL", "TMPDIR", "CCACHE_DISABLE", "LD_LIBRARY_PATH"},
          .starts_programs = true};
}

}  // namespace learn
