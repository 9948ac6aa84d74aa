#include "runner/commands/situation.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/text/words.h"
#include "runner/check/checker.h"
#include "runner/mine/own_parts.h"
#include "runner/show/show_report.h"
#include "runner/system/files.h"
#include "runner/text/style.h"

namespace learn {
namespace {

bool is_file(const std::string& text) {
  const bool looks_like_one = text.find('/') != std::string::npos || text.find(".cpp") != std::string::npos;
  return looks_like_one && exists(text);
}

std::string missing_file(const Desk& desk, const Exercise& exercise) {
  if (!desk.is_started()) return fmt::format("there is no {}", desk.answer(exercise));
  return fmt::format("there is no {}: `learn reset {}` puts the beginning there", desk.answer(exercise),
                     exercise.number());
}

}  // namespace

Progress progress_of(const Context& context, const Desk& desk) {
  Progress progress = Progress::read(desk);
  if (context.fast_track) progress.choose_fast_track(*context.fast_track);
  return progress;
}

Situation situation_of(const Desk& desk, Progress progress, const Exercise& exercise) {
  Situation situation{desk, std::move(progress), exercise, desk.answer(exercise)};
  if (!exists(situation.file)) throw std::runtime_error(missing_file(desk, exercise));
  return situation;
}

Situation situation_of(const Context& context, const std::string& what) {
  if (is_file(what)) {
    const Desk desk = desk_of_file(what);
    const Exercise exercise = load_exercise(find_exercise(without_extension(file_name(what))));
    return {desk, Progress::read(desk), exercise, full_path(what)};
  }
  const Desk desk = find_desk(context.folder);
  Progress progress = progress_of(context, desk);
  if (!what.empty()) return situation_of(desk, std::move(progress), load_exercise(find_exercise(what)));
  const std::vector<Exercise> exercises = exercises_ahead(progress);
  const Exercise* const open = first_open(exercises, progress);
  if (!open) throw std::runtime_error("all of them are passed: say which exercise you mean");
  return situation_of(desk, std::move(progress), *open);
}

std::vector<Exercise> chosen_exercises(bool fast_track) {
  std::vector<Exercise> exercises;
  for (const Exercise& exercise : all_exercises()) {
    if (!fast_track || exercise.source.fast_track) exercises.push_back(exercise);
  }
  return exercises;
}

std::vector<Exercise> exercises_ahead(const Progress& progress) {
  std::vector<Exercise> fast = chosen_exercises(progress.fast_track());
  return first_open(fast, progress) ? fast : all_exercises();
}

std::string what_is_done(const Style& style, const Progress& progress) {
  const std::vector<Exercise>& all = all_exercises();
  if (!first_open(all, progress)) {
    return style.green("All of them are passed.") +
           " `learn list` shows them, `learn solution ID` other ways to write them.\n" + offer_of_mine(progress);
  }
  if (!progress.fast_track() || first_open(chosen_exercises(true), progress)) return offer_of_mine(progress);
  const auto open =
      std::count_if(all.begin(), all.end(), [&](const Exercise& each) { return !progress.of(each.id).passed; });
  return wrapped(style.green("You are through the fast track.") +
                     fmt::format(" The course has {}, beside it and beyond: `learn next` goes on there, "
                                 "`learn list` shows all.",
                                 autograd::counted(open, "more exercise")),
                 style.width) +
         offer_of_mine(progress);
}

const Exercise* first_open(const std::vector<Exercise>& exercises, const Progress& progress) {
  const auto open = std::find_if(exercises.begin(), exercises.end(),
                                 [&](const Exercise& exercise) { return !progress.of(exercise.id).passed; });
  return open == exercises.end() ? nullptr : &*open;
}

const Exercise* next_open(const std::vector<Exercise>& exercises, const Progress& progress, const Exercise& exercise) {
  const auto later = std::find_if(exercises.begin(), exercises.end(), [&](const Exercise& each) {
    return each.id > exercise.id && !progress.of(each.id).passed;
  });
  return later == exercises.end() ? first_open(exercises, progress) : &*later;
}

Report check_silently(Situation& situation) {
  Report report = check_file(situation.exercise, situation.file);
  const bool untouched = read_file(situation.file) == situation.exercise.source.stub();
  if (!untouched) situation.progress.note_report(report);  // what nobody has written in was not tried
  return report;
}

std::string what_takes_time(const Exercise& exercise) {
  if (!is_prepared(exercise))
    return " (once for each exercise, its solution and all known mistakes are compiled: about 10 seconds)";
  if (exercise.source.seconds > 10) {
    return fmt::format(" (once all else is right it trains: up to {} seconds)", exercise.source.seconds);
  }
  return "";
}

Report check_now(Situation& situation) {
  const PassingNotice notice(
      fmt::format("checking {}{} ...", situation.exercise.number(), what_takes_time(situation.exercise)));
  return check_silently(situation);
}

Report last_or_new_report(Situation& situation) {
  const auto& last = situation.progress.of(situation.exercise.id).last;
  if (last && last->file_state == fingerprint(read_file(situation.file))) return *last;
  return check_now(situation);
}

void show_report(const Context& context, const Situation& situation, const Report& report) {
  show(context.style, show_report(context.style, situation.exercise, report, situation.file,
                                  {.verbose = context.verbose, .raw = context.verbose}));
  show_notice(context, situation.progress);
}

Built build_of(const Situation& situation, const BuildOptions& options) {
  Built built = build_answer(situation.exercise, situation.file, options);
  if (!built.ok) throw std::runtime_error("your file does not compile: `learn check` says why");
  return built;
}

void show_notice(const Context& context, const Progress& progress) {
  if (!progress.notice().empty())
    show(context.style, context.style.yellow(wrapped(progress.notice(), context.style.width)));
}

std::string progress_bar(const Style& style, const std::vector<Exercise>& exercises, const Progress& progress) {
  const auto passed = static_cast<std::size_t>(std::count_if(
      exercises.begin(), exercises.end(), [&](const Exercise& exercise) { return progress.of(exercise.id).passed; }));
  constexpr std::size_t beside = 20;  // " 12 of 53 passed"
  const std::size_t width = std::min({exercises.size(), std::size_t{53}, style.width - beside});
  const std::size_t full = exercises.empty() ? 0 : passed * width / exercises.size();
  std::string done;
  std::string open;
  for (std::size_t i = 0; i < width; ++i) (i < full ? done : open) += i < full ? "█" : "░";
  return fmt::format("{}{} {} of {} passed\n", style.green(done), style.dim(open), passed, exercises.size());
}

}  // namespace learn
