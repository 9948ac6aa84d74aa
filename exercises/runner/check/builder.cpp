#include "runner/check/builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "runner/check/answer_object.h"
#include "runner/check/answer_sandbox.h"
#include "runner/check/engine.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

// A text that changes when the file does.
std::string state_of(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  const auto size = fs::file_size(path, error);
  return fmt::format("{} {} {}\n", path, error ? 0 : size, error ? 0 : time);
}

std::string state_of_folder(const std::string& folder, const std::vector<std::string>& extensions) {
  std::vector<std::string> states;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (std::count(extensions.begin(), extensions.end(), extension)) states.push_back(state_of(entry.path()));
  }
  std::sort(states.begin(), states.end());
  return fmt::format("{}", fmt::join(states, ""));
}

// Everything that an exercise's objects are made of, apart from its own folder. (Libraries matter to the linker only.)
const std::string& state_of_library() {
  static const std::string state = [] {
    std::string all = settings().compiler;
    for (const std::string folder : {"/exercises/judge", "/autograd", "/nn"}) {
      all += state_of_folder(settings().project + folder, {".h"});
    }
    return all;
  }();
  return state;
}

Command base_command() {
  Command command{settings().compiler, "-std=c++20"};
  for (const std::string& folder : settings().include) command.push_back("-I" + folder);
  command.insert(command.end(), {"-DFMT_SHARED"});
  return command;
}

// What an answer is compiled with. Memory that is never written holds 0xFE bytes, which show in its results;
// std::vector checks its indices.
const Command& answer_flags() {
  static const Command flags{"-O1",
                             "-g1",
                             "-fsanitize=address,undefined,float-cast-overflow",
                             "-fno-omit-frame-pointer",
                             "-ftrivial-auto-var-init=pattern",
                             "-D_GLIBCXX_ASSERTIONS",
                             "-Wall",
                             "-Wextra",
                             "-Wshadow",
                             "-Wfloat-conversion",
                             "-Wno-unused-parameter",
                             "-Werror=return-type"};
  return flags;
}

const Command& debug_flags() {
  static const Command flags{"-O0", "-g3", "-Wall", "-Wextra", "-Wno-unused-parameter"};
  return flags;
}

// An exercise's mistakes are thousands of lines, and each is run once or twice.
const Command& course_flags() {
  static const Command flags{"-O0", "-w", "-D_GLIBCXX_ASSERTIONS"};
  return flags;
}

// Many small changes of one solution, each run a few times. Some read what was never written, or beyond an end.
const Command& variant_flags() {
  static const Command flags{"-O0", "-w", "-ftrivial-auto-var-init=pattern", "-D_GLIBCXX_ASSERTIONS"};
  return flags;
}

Command operator+(Command a, const Command& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Messages in English; what a compiler that is killed leaves behind lies in a folder that we remove.
std::vector<std::string> compiler_environment(const std::string& folder) {
  return {"LC_ALL=C", "TMPDIR=" + folder};
}

// Runs a compiler on the course's own files.
void must_compile(const Command& command) {
  const RunFolder temporary(runs_folder());
  const Finished finished =
      run_process(command, {.seconds = patience_for(300.0), .environment = compiler_environment(temporary.path())});
  if (finished.exit_code != 0) {
    throw std::runtime_error(fmt::format("this part of the course does not compile, which is not your fault:\n{}\n{}",
                                         fmt::join(command, " "), finished.output));
  }
}

bool is_current(const std::string& folder, const std::string& state) {
  try {
    return read_file(folder + "/state") == state;
  } catch (const std::runtime_error&) {
    return false;  // never made, or another runner is making it again
  }
}

// Makes something in the cache again if what it is made of has changed. Two runners may want it at once.
template <class Make> void keep_current(const std::string& folder, const std::string& state, Make make) {
  if (is_current(folder, state)) return;
  const Lock lock(folder + "/lock");
  if (is_current(folder, state)) return;
  fs::remove(folder + "/state");
  make();
  write_file(folder + "/state", state);
}

// A precompiled header: half of the time between saving and the verdict goes into the engine's headers otherwise.
// Returns the flags that use it.
Command precompiled(const std::string& name, const std::string& header, const Command& flags) {
  const std::string folder = settings().cache + "/precompiled/" + name;
  const std::string made = folder + (settings().compiler_is_gnu ? "/all.h.gch" : "/all.pch");
  const Command command = base_command() + flags + Command{"-x", "c++-header", folder + "/all.h", "-o", made + ".new"};
  keep_current(folder, fingerprint(state_of_library() + fmt::format("{}", fmt::join(command, " ")) + header), [&] {
    write_file(folder + "/all.h", header);
    must_compile(command);
    fs::rename(made + ".new", made);  // a compiler may be reading the old one
  });
  if (settings().compiler_is_gnu) return {"-include", folder + "/all.h"};
  return {"-include-pch", made};
}

std::string folder_of(const Exercise& exercise) {
  return settings().cache + "/" + exercise.id;
}

// The gold linker takes half the time, where there is one.
const Command& faster_linker() {
  static const Command flags = has_program("ld.gold") ? Command{"-fuse-ld=gold"} : Command{};
  return flags;
}

std::string judge_of(const Exercise& exercise) {
  return folder_of(exercise) + "/judge";
}

struct CourseObjects {
  Command check;
  Command answers;
  Command pairs;
  Command learner;
  std::string state;
};

CourseObjects course_objects(const Exercise& exercise) {
  const std::string folder = folder_of(exercise);
  const Command common = base_command() + course_flags() + Command{"-I" + exercise.folder, "-c"};
  CourseObjects objects;
  objects.pairs = common + Command{folder + "/pairs/answers.cpp", "-o", folder + "/pairs/answers.o"};
  objects.check = common + Command{exercise.folder + "/check.cpp", "-o", folder + "/check.o"};
  objects.answers = common + Command{folder + "/answers.cpp", "-o", folder + "/answers.o"};
  objects.learner = common + Command{folder + "/learner.cpp", "-o", folder + "/learner.o"};
  objects.state = fingerprint(state_of_library() + state_of_folder(exercise.folder, {".h", ".cpp"}) +
                              fmt::format("{} {} {}", fmt::join(objects.check, " "), fmt::join(objects.answers, " "),
                                          fmt::join(objects.learner, " ")));
  return objects;
}

Command course_header() {
  return precompiled("course", "#include <judge/exercise.h>\n#include <judge/learner.h>\n", course_flags());
}

std::string run_once_object() {
  const std::string folder = settings().cache + "/run_once";
  const std::string source = settings().project + "/exercises/runner/check/run_once.cpp";
  keep_current(folder, fingerprint(state_of_library() + state_of(source)), [&] {
    must_compile(base_command() + course_flags() + Command{"-c", source, "-o", folder + "/run_once.o"});
  });
  return folder + "/run_once.o";
}

// What the early part of the engine does not have may be in the whole.
Finished link_with_engine(const Command& command, const std::string& temporary) {
  const ProcessOptions options{.seconds = patience_for(60.0), .environment = compiler_environment(temporary)};
  const bool was_whole = engine_is_ready();
  Finished linked = run_process(command + engine_libraries(), options);
  if (linked.exit_code == 0 || was_whole) return linked;
  await_engine();
  return run_process(command + engine_libraries(), options);
}

// Into `judge`. Again, too, when the engine that it is linked with has changed.
void link_judge(const Exercise& exercise, const std::string& answers, const std::string& judge,
                const std::string& state_of_objects) {
  std::string state = state_of_objects;
  for (const std::string& library : engine_libraries()) state += state_of(library);
  keep_current(judge, fingerprint(state), [&] {
    const Command command = Command{settings().compiler, folder_of(exercise) + "/check.o", answers} +
                            settings().link_flags + faster_linker() + Command{"-o", judge + "/judge"};
    const RunFolder temporary(runs_folder());
    const Finished linked = link_with_engine(command, temporary.path());
    if (linked.exit_code != 0) throw std::runtime_error("this exercise's judge cannot be linked:\n" + linked.output);
  });
}

}  // namespace

std::string exercise_state(const Exercise& exercise) {
  return course_objects(exercise).state;
}

bool is_prepared(const Exercise& exercise) {
  return is_current(folder_of(exercise), exercise_state(exercise));
}

void prepare_exercise(const Exercise& exercise) {
  const std::string folder = folder_of(exercise);
  const CourseObjects objects = course_objects(exercise);
  keep_current(folder, objects.state, [&] {
    write_file(folder + "/answers.cpp", exercise.source.answers_file(exercise.id, Mistakes::single));
    must_compile(objects.check + course_header());
    must_compile(objects.answers + course_header());
    write_file(folder + "/learner.cpp", exercise.source.learner_file(exercise.id));
    must_compile(objects.learner + course_header());
  });
  link_judge(exercise, folder + "/answers.o", judge_of(exercise), objects.state);
}

std::string judge_of_pairs(const Exercise& exercise) {
  const std::string folder = folder_of(exercise) + "/pairs";
  const CourseObjects objects = course_objects(exercise);
  keep_current(folder, objects.state, [&] {
    write_file(folder + "/answers.cpp", exercise.source.answers_file(exercise.id, Mistakes::and_pairs));
    must_compile(objects.pairs + course_header());
  });
  link_judge(exercise, folder + "/answers.o", folder + "/judge", objects.state);
  return folder + "/judge/judge";
}

std::vector<std::string> judge_command(const Built& built, const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& answer) {
  Command command = Command{built.judge, result_path} + arguments;
  for (const std::string& name : built.calls) command = command + Command{"--calls", name};
  return command + Command{"--"} + answer;
}

std::vector<std::string> compile_command(const Exercise& exercise, const std::string& file) {
  return base_command() + answer_flags() + Command{"-I" + exercise.folder, "-c", file};
}

Built build_answer(const Exercise& exercise, const std::string& file, const BuildOptions& options) {
  prepare_exercise(exercise);
  Built built;
  built.judge = judge_of(exercise) + "/judge";
  built.program = options.folder + "/" + options.name;
  const std::string object = built.program + ".o";
  const fs::path path(file);
  const Command& flags = options.debug ? debug_flags() : answer_flags();
  Command compile =
      base_command() + flags + precompiled(options.debug ? "debug" : "answer", "#include <judge/learner.h>\n", flags);
  if (options.warnings_are_errors) compile = compile + Command{"-Werror", "-Wpedantic"};
  // Messages and stack traces call the file by its name.
  if (!options.debug && path.has_parent_path()) {
    compile.push_back("-ffile-prefix-map=" + path.parent_path().string() + "/=");
  }
  compile = compile + Command{"-I" + exercise.folder, "-MD", "-MT", "answer", "-MF",
                              built.program + ".d",   "-c",  file,  "-o",     object};
  ProcessOptions compiling{.seconds = patience_for(static_cast<double>(options.seconds)),
                           .processor_seconds = options.seconds,
                           .environment = compiler_environment(options.folder),
                           .most_memory = std::size_t{4} << 30};
  if (options.untrusted) {
    compiling.environment.push_back("CCACHE_DISABLE=1");
    compiling.small_folder = options.folder;
    compile = contained(compiler_sandbox(exercise, file, options.folder), compile);
  }
  const Finished compiled = run_process(compile, compiling);
  built.messages = compiled.output;
  built.compile_seconds = compiled.seconds;
  // g++ starts the compiler proper, and says what became of it.
  built.out_of_time = compiled.timed_out || compiled.exit_code == 128 + SIGXCPU ||
                      compiled.output.find("CPU time limit exceeded") != std::string::npos;
  built.compiled = compiled.exit_code == 0;
  if (!built.compiled) return built;
  built.foreign_include = foreign_include(exercise, file, read_file(built.program + ".d"));
  built.foreign_symbol = foreign_symbol(object);
  if (!built.foreign_include.empty() || !built.foreign_symbol.empty()) return built;
  if (!exercise.source.not_to_call.empty()) built.calls = calls_of_the_engine(object);

  const std::string folder = folder_of(exercise);
  Command link{settings().compiler, object, folder + "/check.o", folder + "/learner.o",
               options.run_once ? run_once_object() : settings().answer_main};
  if (!options.debug) link.push_back("-fsanitize=address,undefined");
  link = link + faster_linker() + Command{"-o", built.program};
  const Finished linked = link_with_engine(link, options.folder);
  built.messages += linked.output;
  built.link_seconds = linked.seconds;
  built.ok = linked.exit_code == 0;
  return built;
}

Built build_variants(const Exercise& exercise, const std::string& file, const std::string& program) {
  prepare_exercise(exercise);
  Built built;
  built.program = program;
  const Command header =
      precompiled("variants", "#include <judge/exercise.h>\n#include <judge/learner.h>\n", variant_flags());
  const Command compile =
      base_command() + variant_flags() + header + Command{"-I" + exercise.folder, "-c", file, "-o", program + ".o"};
  const Finished compiled = run_process(compile, {.seconds = patience_for(300.0),
                                                  .environment = compiler_environment(fs::path(program).parent_path()),
                                                  .most_output = std::size_t{64} << 20});
  built.messages = compiled.output;
  built.compiled = compiled.exit_code == 0;
  if (!built.compiled) return built;
  const Command link = Command{settings().compiler, program + ".o", folder_of(exercise) + "/check.o"} +
                       settings().link_flags + faster_linker() + Command{"-o", program};
  const Finished linked = link_with_engine(link, fs::path(program).parent_path());
  built.messages += linked.output;
  built.ok = linked.exit_code == 0;
  return built;
}

}  // namespace learn
