// Situation: what a command about one exercise works with: the desk, the progress on it, the exercise, the file.
#pragma once

#include <string>

#include "runner/check/builder.h"
#include "runner/commands/commands.h"
#include "runner/desk/desk.h"
#include "runner/desk/progress.h"
#include "runner/lessons/course.h"
#include "runner/report/report.h"

namespace learn {

struct Situation {
  Desk desk;
  Progress progress;
  Exercise exercise;
  std::string file;  // the learner's
};

// What the learner has done there. A choice of the fast track is noted.
Progress progress_of(const Context& context, const Desk& desk);

// `what`: an exercise, or a file; "" is the first exercise (of the fast track) that is not passed. Throws
// std::runtime_error where there is no such exercise, or no file of it.
Situation situation_of(const Context& context, const std::string& what);
Situation situation_of(const Desk& desk, Progress progress, const Exercise& exercise);

// The exercises of the fast track, or all.
std::vector<Exercise> chosen_exercises(bool fast_track);
// Those among which the next one is looked for: the fast track until all of it is passed, then all.
std::vector<Exercise> exercises_ahead(const Progress& progress);
// What is said when there is nothing left of the fast track, or of the course; mostly "".
std::string what_is_done(const Style& style, const Progress& progress);
// The first that is not passed; nullptr if all are.
const Exercise* first_open(const std::vector<Exercise>& exercises, const Progress& progress);
// The first after `exercise` that is not passed, or else from the beginning.
const Exercise* next_open(const std::vector<Exercise>& exercises, const Progress& progress, const Exercise& exercise);

// Checks the file and notes the result. Says that it is checking, on a terminal.
Report check_now(Situation& situation);
Report check_silently(Situation& situation);
// Why the check may take long; mostly "".
std::string what_takes_time(const Exercise& exercise);
// The last report if the file is still the one it is about; a new one otherwise.
Report last_or_new_report(Situation& situation);

// Shows the report and the progress's notice.
void show_report(const Context& context, const Situation& situation, const Report& report);

// Throws std::runtime_error where the file does not compile.
Built build_of(const Situation& situation, const BuildOptions& options);

// Shows the progress's notice, if there is one.
void show_notice(const Context& context, const Progress& progress);

// "▓▓▓░░░ 12 of 53"
std::string progress_bar(const Style& style, const std::vector<Exercise>& exercises, const Progress& progress);

}  // namespace learn
