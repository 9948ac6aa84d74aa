// `learn start DIR`: a desk with all exercises on it, and the first one on the screen.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "autograd/text/printable.h"
#include "runner/commands/commands.h"
#include "runner/desk/desk_files.h"
#include "runner/desk/progress.h"
#include "runner/desk/update.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

bool is_ignored_by_git(const std::string& path) {
  return has_program("git") &&
         run_process({"git", "-C", settings().project, "check-ignore", "-q", path + "/x.cpp"}).exit_code == 0;
}

void refuse_inside_the_clone(const std::string& path) {
  const std::string project = full_path(settings().project);
  if (!is_inside(path, project) || is_ignored_by_git(path)) return;
  throw std::runtime_error(fmt::format(
      "{} is inside Backstep's own folder. Your answers would become part of its git repository: they would stand "
      "in "
      "the way of `git pull`, and go into commits by accident. Choose a folder outside, such as ~/backstep-exercises.",
      path));
}

// What a shell would not take for a plain word, in quotation marks.
std::string as_typed(const std::string& folder) {
  const bool plain = folder.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,/~") == std::string::npos;
  return plain ? folder : shell_quoted(folder);
}

struct AnswerCounts {
  std::size_t created = 0;
  std::size_t kept = 0;
};

AnswerCounts put_all(const Desk& desk) {
  AnswerCounts answers;
  for (const DeskFile& file : desk_files(desk)) {
    const bool created = put_new_file(desk, file);
    if (file.kind == DeskFile::Kind::answer) ++(created ? answers.created : answers.kept);
    // The launcher and the editors' files name the clone, which may have been moved.
    if (file.kind == DeskFile::Kind::tool && !created) update_file(desk, file);
  }
  return answers;
}

std::string what_was_done(const Desk& desk, const AnswerCounts& answers, bool was_started) {
  if (was_started && answers.created == 0) {
    return fmt::format(
        "{} has all {} exercises already; nothing was changed. `./learn update` there brings what is new, "
        "`./learn reset ID` gives you one from its beginning.",
        desk.path(), answers.kept);
  }
  std::string text = fmt::format("{} exercise{} in {}, with the text of each beside it.", answers.created,
                                 answers.created == 1 ? " is" : "s are", desk.path());
  if (answers.kept > 0) text += fmt::format(" What lay there before ({}) is as it was.", answers.kept);
  return text;
}

}  // namespace

int start(const Context& context, const std::string& folder) {
  const Style& style = context.style;
  const std::string path = full_path(folder);
  refuse_inside_the_clone(path);
  if (fs::exists(path) && !fs::is_directory(path)) throw std::runtime_error(path + " is there, and is not a folder");
  const Desk desk(path);
  const bool was_started = desk.is_started();
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw std::runtime_error(
        fmt::format("cannot make the folder {}: {}. Choose one where you may write, such as "
                    "~/backstep-exercises.",
                    path, error.message()));
  }
  const AnswerCounts answers = put_all(desk);
  show(style, wrapped(autograd::printable_lines(what_was_done(desk, answers, was_started)), style.width));
  show(style, fmt::format("\n  {}   in a second terminal, beside your editor\n\n",
                          style.bold("cd " + autograd::printable_lines(as_typed(folder)) + " && ./learn watch")));
  ::setenv("LEARN_NAME", "./learn", 1);  // there, nothing else can be typed
  Context there = context;
  there.folder = path;
  next(there);
  return 0;
}

}  // namespace learn
