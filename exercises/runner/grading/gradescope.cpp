#include "runner/grading/gradescope.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "runner/grading/grade_answer.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

// What `learn grade` is told, but for the folder.
std::string grading_arguments(const GradescopeOptions& options) {
  std::string arguments;
  for (const GradeTask& task : grade_tasks(options.exercises, options.points)) {
    arguments += fmt::format(" {}={:g}", task.exercise.number(), task.points);
  }
  if (options.seconds > 0) arguments += fmt::format(" --seconds {}", options.seconds);
  if (options.seed > 0) arguments += fmt::format(" --seed {}", options.seed);
  if (options.by_parts) arguments += " --by-parts";
  return arguments;
}

// What belongs to the project: as git says, or else everything but what was built.
std::vector<std::string> source_files() {
  const Finished listed = run_process({"git", "-C", settings().project, "ls-files"}, {.most_output = 1 << 24});
  if (listed.exit_code == 0 && !listed.output.empty()) return lines_in(listed.output);
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator entry(settings().project), end; entry != end; ++entry) {
    const std::string name = entry->path().filename();
    if (entry.depth() == 0 && (name == "build" || name == ".git")) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back(fs::relative(entry->path(), settings().project));
    }
  }
  return files;
}

void copy_source(const std::string& folder) {
  for (const std::string& file : source_files()) {
    const fs::path from = settings().project + "/" + file;
    if (!fs::is_regular_file(from)) continue;  // deleted, and git has not been told
    fs::create_directories(fs::path(folder + "/" + file).parent_path());
    fs::copy_file(from, folder + "/" + file, fs::copy_options::skip_existing);  // git lists a conflict three times
  }
}

void write_script(const std::string& path, const std::string& text) {
  write_file(path, text);
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
}

}  // namespace

std::string gradescope_setup(const GradescopeOptions& options) {
  return fmt::format(
      "#!/usr/bin/env bash\n"
      "# Gradescope runs this once, when it makes the autograder's image.\n"
      "set -euo pipefail\n"
      "apt-get update\n"
      "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap\n"
      "cd /autograder/source/backstep\n"
      "exercises/learn --version  # installs what it needs, and builds\n"
      "# What each exercise is judged with is compiled now, so that no student waits for it.\n"
      "answers=$(mktemp -d)\n"
      "exercises/learn start \"$answers/stubs\" >/dev/null\n"
      "build/release/exercises/learn grade \"$answers/stubs\"{} || [ $? -eq 1 ]\n"
      "rm -rf \"$answers\"\n",
      grading_arguments(options));
}

std::string gradescope_run(const GradescopeOptions& options) {
  return fmt::format(
      "#!/usr/bin/env bash\n"
      "# Gradescope runs this for each submission.\n"
      "/autograder/source/backstep/build/release/exercises/learn grade /autograder/submission{} \\\n"
      "  --gradescope /autograder/results/results.json || [ $? -eq 1 ]\n",
      grading_arguments(options));
}

void make_gradescope_zip(const GradescopeOptions& options) {
  const RunFolder folder(runs_folder());
  write_script(folder / "setup.sh", gradescope_setup(options));
  write_script(folder / "run_autograder", gradescope_run(options));
  copy_source(folder / "backstep");
  const std::string made = folder / "autograder.zip";
  const Finished zipped =
      run_process({"cmake", "-E", "tar", "cf", made, "--format=zip", "setup.sh", "run_autograder", "backstep"},
                  {.folder = folder.path()});
  if (zipped.exit_code != 0) throw std::runtime_error("cannot make the zip: " + zipped.output);
  std::error_code error;
  fs::copy_file(made, options.zip, fs::copy_options::overwrite_existing, error);
  if (error) throw std::runtime_error(fmt::format("cannot write {}: {}", options.zip, error.message()));
}

}  // namespace learn
