// `learn`: the progress, the next exercise, and a check of it.
#include <fmt/format.h>

#include "autograd/text/printable.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/lessons/road.h"
#include "runner/system/files.h"
#include "runner/text/markdown.h"

namespace learn {
namespace {

std::string introduction(const Style& style, const Situation& situation) {
  const Exercise& exercise = situation.exercise;
  std::string text = fmt::format("{}  {}\n", style.bold(exercise.number() + " · " + exercise.title()),
                                 style.dim("part " + exercise.source.part + ", " + part_name(exercise.source.part)));
  if (const std::string road = road_text(exercise); !road.empty()) text += wrapped(style.dim(road), style.width);
  const std::string readme = exercise.folder + "/README.md";
  if (exists(readme)) text += "\n" + show_markdown(style, first_paragraph(read_file(readme)));
  text += fmt::format("\n  to write   {}\n", style.cyan(autograd::printable_lines(situation.file)));
  if (exists(situation.desk.text(exercise)))
    text += fmt::format("  the text   {}\n", autograd::printable_lines(situation.desk.text(exercise)));
  if (exists(situation.desk.given(exercise)))
    text += fmt::format("  given      {}\n", autograd::printable_lines(situation.desk.given(exercise)));
  return text;
}

}  // namespace

int next(const Context& context) {
  const Style& style = context.style;
  const Desk desk = find_desk(context.folder);
  Progress progress = progress_of(context, desk);
  const std::vector<Exercise> exercises = exercises_ahead(progress);
  show(style, progress_bar(style, exercises, progress));
  show(style, what_is_done(style, progress));
  const Exercise* const open = first_open(exercises, progress);
  if (!open) {
    show_notice(context, progress);
    return 0;
  }
  Situation situation = situation_of(desk, std::move(progress), *open);
  show(style, "\n" + introduction(style, situation) + "\n");
  const Report report = check_now(situation);
  show_report(context, situation, report);
  return report.passed() ? 0 : 1;
}

}  // namespace learn
