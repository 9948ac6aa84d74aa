#include "runner/builder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "runner/files.h"
#include "runner/settings.h"

namespace learn {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

// Held while something in the cache is made: two runners may work side by side.
class Lock {
 public:
  explicit Lock(const std::string& path) {
    fs::create_directories(fs::path(path).parent_path());
    file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (file_ < 0) throw std::runtime_error("cannot write in " + fs::path(path).parent_path().string());
    ::flock(file_, LOCK_EX);
  }
  ~Lock() { ::close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

std::string fingerprint(const std::string& text) {
  return fmt::format("{:016x}", std::hash<std::string>{}(text));
}

// Changes when the file does.
std::string state_of(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  const auto size = fs::file_size(path, error);
  return fmt::format("{} {} {}\n", path, error ? 0 : size, error ? 0 : time);
}

std::string state_of_folder(const std::string& folder) {
  std::vector<std::string> states;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") states.push_back(state_of(entry.path()));
  }
  std::sort(states.begin(), states.end());
  return fmt::format("{}", fmt::join(states, ""));
}

// Everything that an exercise's objects are made of, apart from its own folder.
std::string state_of_library() {
  std::string state = state_of_folder(settings().exercises + "/course") + settings().compiler;
  for (const std::string& library : settings().libraries) state += state_of(library);
  return state;
}

Command base_command() {
  Command command{settings().compiler, "-std=c++20"};
  for (const std::string& folder : settings().include) command.push_back("-I" + folder);
  command.insert(command.end(), {"-DFMT_SHARED"});
  return command;
}

const Command& learner_flags() {
  static const Command flags{"-O1",     "-g1",      "-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-Wall",
                             "-Wextra", "-Wshadow", "-Wno-unused-parameter"};
  return flags;
}

Command operator+(Command a, const Command& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Runs a compiler on the course's own files.
void must_compile(const Command& command) {
  const Finished finished = run_process(command, {.seconds = 300.0});
  if (finished.exit_code != 0) {
    throw std::runtime_error(fmt::format("this part of the course does not compile, which is not your fault:\n{}\n{}",
                                         fmt::join(command, " "), finished.output));
  }
}

// A precompiled header: half of the time between saving and the verdict goes into the engine's headers otherwise.
// Returns the flags that use it; none where the compiler is not g++, which has its own way.
Command precompiled(const std::string& name, const std::string& header, const Command& flags) {
  if (!settings().compiler_is_gnu) return {};
  const std::string folder = settings().cache + "/precompiled/" + name;
  const Command command =
      base_command() + flags + Command{"-x", "c++-header", folder + "/all.h", "-o", folder + "/all.h.gch"};
  const std::string state = fingerprint(state_of_library() + fmt::format("{}", fmt::join(command, " ")) + header);
  const Lock lock(folder + "/lock");
  if (!exists(folder + "/state") || read_file(folder + "/state") != state) {
    write_file(folder + "/all.h", header);
    must_compile(command);
    write_file(folder + "/state", state);
  }
  return {"-include", folder + "/all.h"};
}

Command learner_precompiled(const Command& flags, const std::string& name) {
  return precompiled(name, "#include <course/learner.h>\n", flags);
}

std::string folder_of(const Exercise& exercise) {
  return settings().cache + "/" + exercise.id;
}

}  // namespace

const std::vector<std::string>& exercise_ids() {
  static const std::vector<std::string> ids = [] {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(settings().exercises)) {
      if (exists(entry.path().string() + "/exercise.cpp")) found.push_back(entry.path().filename());
    }
    std::sort(found.begin(), found.end());
    return found;
  }();
  return ids;
}

std::string find_exercise(const std::string& text) {
  std::vector<std::string> found;
  const std::string number = text.size() == 1 ? "0" + text : text;
  for (const std::string& id : exercise_ids()) {
    if (id == text || id.substr(0, id.find('_')) == number) return id;
    if (id.find(text) != std::string::npos) found.push_back(id);
  }
  if (found.size() == 1) return found[0];
  if (found.empty()) throw std::runtime_error(fmt::format("there is no exercise '{}'; `learn list` shows all", text));
  throw std::runtime_error(fmt::format("'{}' could be {}", text, fmt::join(found, " or ")));
}

Exercise load_exercise(const std::string& id) {
  Exercise exercise;
  exercise.id = id;
  exercise.folder = settings().exercises + "/" + id;
  exercise.source = ExerciseSource::read(exercise.folder + "/exercise.cpp");
  return exercise;
}

void build_exercise(const Exercise& exercise) {
  const std::string folder = folder_of(exercise);
  const Command flags{"-O1", "-w"};
  const Command common = base_command() + flags +
                         precompiled("course", "#include <course/exercise.h>\n#include <course/learner.h>\n", flags) +
                         Command{"-I" + exercise.folder, "-c"};
  const Command check = common + Command{exercise.folder + "/check.cpp", "-o", folder + "/check.o"};
  const Command answers = common + Command{folder + "/answers.cpp", "-o", folder + "/answers.o"};
  const Lock lock(folder + "/lock");
  const std::string state = fingerprint(state_of_library() + state_of_folder(exercise.folder) +
                                        fmt::format("{} {}", fmt::join(check, " "), fmt::join(answers, " ")));
  if (exists(folder + "/state") && read_file(folder + "/state") == state) return;
  write_file(folder + "/answers.cpp", exercise.source.answers_file(exercise.id));
  must_compile(check);
  must_compile(answers);
  write_file(folder + "/state", state);
}

std::vector<std::string> compile_command(const Exercise& exercise, const std::string& file) {
  return base_command() + learner_flags() + Command{"-I" + exercise.folder, "-c", file};
}

Built build_answer(const Exercise& exercise, const std::string& file, const BuildOptions& options) {
  build_exercise(exercise);
  Built built;
  built.program = options.program.empty() ? folder_of(exercise) + "/check" : options.program;
  Command flags = learner_flags();
  std::string kind = "learner";
  if (!options.sanitize) {
    flags = {"-O1", "-Wall", "-Wextra", "-Wshadow", "-Wno-unused-parameter"};
    kind = "plain";
  }
  if (options.debug) {
    flags = {"-O0", "-g3", "-Wall", "-Wextra", "-Wno-unused-parameter"};
    kind = "debug";
  }
  const std::string object = built.program + ".o";
  Command compile = base_command() + flags + learner_precompiled(flags, kind);
  if (options.warnings_are_errors) compile = compile + Command{"-Werror", "-Wpedantic"};
  compile = compile + Command{"-I" + exercise.folder, "-c", file, "-o", object};
  const Finished compiled = run_process(compile);
  built.messages = compiled.output;
  if (compiled.exit_code != 0) return built;

  const std::string folder = folder_of(exercise);
  Command link{settings().compiler, object, folder + "/check.o", folder + "/answers.o"};
  if (options.sanitize && !options.debug) link.push_back("-fsanitize=address,undefined");
  link = link + settings().libraries + Command{"-o", built.program};
  const Finished linked = run_process(link);
  built.messages += linked.output;
  built.ok = built.linked = linked.exit_code == 0;
  return built;
}

}  // namespace learn
