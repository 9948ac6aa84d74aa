#include "runner/desk/desk_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "runner/check/builder.h"
#include "runner/lessons/road.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/markdown.h"

namespace learn {
namespace {

using nlohmann::json;

// The program itself may be gone after `rm -rf build`, or not be there yet; after `git pull` it must be built again.
std::string launcher() {
  return fmt::format(R"SH(#!/bin/sh
# Written by `learn start`. Works on the exercises in this folder, whatever the current one is.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
project={}
program={}
if [ "$1" = update ] || [ ! -x "$program" ]; then
  if [ ! -d "$project" ]; then
    echo "learn: Backstep is not in $project any more. From where it is now: exercises/learn start $here" >&2
    exit 1
  fi
  LEARN_NAME=$0 exec "$project/exercises/learn" --dir "$here" "$@"
fi
LEARN_NAME=$0 exec "$program" --dir "$here" "$@"
)SH",
                     shell_quoted(settings().project), shell_quoted(settings().build + "/exercises/learn"));
}

std::string compile_commands(const Desk& desk) {
  json commands = json::array();
  for (const Exercise& exercise : all_exercises()) {
    commands.push_back({{"directory", desk.path()},
                        {"file", desk.answer(exercise)},
                        {"arguments", compile_command(exercise, desk.answer(exercise))}});
  }
  return commands.dump(1) + "\n";
}

// Lines such as "19_linear_layer.cpp:7:13: error: a ; is missing".
json problem_matcher() {
  return {{"owner", "learn"},
          {"fileLocation", {"relative", "${workspaceFolder}"}},
          {"pattern",
           {{"regexp", R"(^([^\s:]+\.cpp):(\d+):(?:(\d+):)? (error|warning|wrong): (.*)$)"},
            {"file", 1},
            {"line", 2},
            {"column", 3},
            {"severity", 4},
            {"message", 5}}}};
}

json background_matcher() {
  json matcher = problem_matcher();
  matcher["background"] = {{"activeOnStart", true}, {"beginsPattern", "^checking .*"}, {"endsPattern", "^watching .*"}};
  return matcher;
}

std::string tasks() {
  const json check = {{"label", "learn: check this file"},  {"type", "shell"},
                      {"command", "./learn check ${file}"}, {"group", {{"kind", "build"}, {"isDefault", true}}},
                      {"presentation", {{"clear", true}}},  {"problemMatcher", problem_matcher()}};
  const json watch = {{"label", "learn: watch"},
                      {"type", "shell"},
                      {"command", "./learn watch"},
                      {"isBackground", true},
                      {"problemMatcher", background_matcher()}};
  json tasks = {{"version", "2.0.0"}, {"tasks", {check, watch}}};
  for (const std::string command : {"hint", "why", "step"}) {
    tasks["tasks"].push_back({{"label", "learn: " + command},
                              {"type", "shell"},
                              {"command", "./learn " + command + " ${fileBasenameNoExtension}"},
                              {"problemMatcher", json::array()}});
  }
  return tasks.dump(2) + "\n";
}

std::string editor_settings() {
  const json settings = {{"C_Cpp.default.compileCommands", "${workspaceFolder}/compile_commands.json"},
                         {"C_Cpp.default.cppStandard", "c++20"},
                         {"explorer.fileNesting.enabled", true},
                         {"explorer.fileNesting.patterns", {{"*.cpp", "${capture}.md, ${capture}.merged.cpp"}}},
                         {"files.exclude", {{".learn", true}}},
                         {"editor.rulers", {120}}};
  return settings.dump(2) + "\n";
}

std::string readme() {
  return fmt::format(R"(# My exercises

The course of Backstep: {} exercises, from the definition of a derivative to a translator with Bahdanau attention.

    ./learn            what is next, and how it stands
    ./learn watch      checks each time you save
    ./learn hint       a hint; each time one more
    ./learn why        what the last check means
    ./learn help       everything else

Each exercise is a file `NN_name.cpp` with its text beside it, `NN_name.md`; the types and functions that it is given can
be read in `given/NN_name.h`. They can be done in any order: none needs the answer to another one. Progress is kept in `.learn`, which is this machine's own; everything else here is yours, and can
go into a git repository of your own.

After a `git pull` in {}, `./learn update` brings changed exercises here and keeps what you wrote.
)",
                     all_exercises().size(), settings().project);
}

// Its page, with where to look for what is given.
std::string page_of(const Exercise& exercise, const std::string& markdown) {
  const std::string given = fmt::format("what is given: [given.h](given/{}.h)", exercise.id);
  return page_with_road(exercise, with_absolute_links(markdown, exercise.folder), given);
}

}  // namespace

std::vector<DeskFile> desk_files(const Desk& desk) {
  std::vector<DeskFile> files;
  for (const Exercise& exercise : all_exercises()) {
    files.push_back({file_name(desk.answer(exercise)), exercise.source.stub(), DeskFile::Kind::answer});
    const std::string given = exercise.folder + "/given.h";
    if (exists(given)) files.push_back({"given/" + exercise.id + ".h", read_file(given), DeskFile::Kind::text});
    const std::string text = exercise.folder + "/README.md";
    if (!exists(text)) continue;
    files.push_back({file_name(desk.text(exercise)), page_of(exercise, read_file(text)), DeskFile::Kind::text});
  }
  for (const auto& entry : std::filesystem::directory_iterator(settings().project + "/exercises/judge/given")) {
    files.push_back({"given/" + file_name(entry.path()), read_file(entry.path()), DeskFile::Kind::text});
  }
  files.push_back({"learn", launcher(), DeskFile::Kind::tool, true});
  files.push_back({"README.md", readme()});
  files.push_back({"compile_commands.json", compile_commands(desk)});
  files.push_back(
      {".gitignore", "# This machine's own; the answers are not.\n/.learn/\n/learn\n/compile_commands.json\n"});
  files.push_back({".vscode/tasks.json", tasks()});
  files.push_back({".vscode/settings.json", editor_settings()});
  return files;
}

void replace_file(const Desk& desk, const DeskFile& file) {
  const std::string path = desk.path() + "/" + file.name;
  write_file(desk.base(file.name), file.content);
  write_file(path, file.content);
  if (file.executable) ::chmod(path.c_str(), 0755);
}

bool put_new_file(const Desk& desk, const DeskFile& file) {
  if (!exists(desk.path() + "/" + file.name)) {
    replace_file(desk, file);
    return true;
  }
  // It was here before the course: its original is unknown, and today's is taken for it.
  if (!exists(desk.base(file.name))) write_file(desk.base(file.name), file.content);
  return false;
}

}  // namespace learn
