// `learn check`: one exercise, some, or all.
#include <fmt/format.h>

#include <stdexcept>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/system/files.h"

namespace learn {
namespace {

bool check_one(const Context& context, Situation situation) {
  const Report report = check_now(situation);
  show_report(context, situation, report);
  if (!report.passed()) return false;
  show(context.style, what_is_done(context.style, situation.progress));
  const std::vector<Exercise> exercises = exercises_ahead(situation.progress);
  const Exercise* const open = next_open(exercises, situation.progress, situation.exercise);
  if (open && situation.desk.is_started()) {
    show(context.style, fmt::format("  next: {} {}\n", open->number(), open->title()));
  }
  return true;
}

// One line for each.
int check_all(const Context& context) {
  const Style& style = context.style;
  const Desk desk = find_desk(context.folder);
  std::size_t passed = 0;
  std::size_t all = 0;
  Progress progress = Progress::read(desk);
  for (const Exercise& exercise : all_exercises()) {
    if (!exists(desk.answer(exercise))) continue;
    Situation situation = situation_of(desk, std::move(progress), exercise);
    const Report report = check_now(situation);
    progress = std::move(situation.progress);
    ++all;
    passed += report.passed() ? 1 : 0;
    const std::string mark = report.passed()                                ? style.green("✓")
                             : report.outcome == Report::Outcome::unwritten ? style.dim("○")
                                                                            : style.red("✗");
    show(style, fmt::format("{} {:<38} {}\n", mark, exercise.id, name(report.outcome)));
  }
  show_notice(context, progress);
  show(style, fmt::format("{} of {} passed\n", passed, all));
  return passed == all ? 0 : 1;
}

}  // namespace

int check(const Context& context, const std::vector<std::string>& what, bool all) {
  if (all) return check_all(context);
  bool passed = true;
  if (what.empty()) passed = check_one(context, situation_of(context, ""));
  for (const std::string& one : what) passed = check_one(context, situation_of(context, one)) && passed;
  return passed ? 0 : 1;
}

}  // namespace learn
