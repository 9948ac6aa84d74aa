// `learn list`: the exercises by part, and how each stands.
#include <fmt/format.h>

#include "autograd/text/words.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/lessons/road.h"
#include "runner/show/exercise_list.h"

namespace learn {
namespace {

std::string standing_text(const Style& style, const Standing& standing) {
  if (standing.passed && standing.given_up) return style.green("✓") + " passed, after its solution was shown";
  if (standing.passed) return style.green("✓") + " passed " + style.dim(standing.passed_at);
  const std::string tries = autograd::counted(standing.attempts, "check");
  std::string text =
      standing.attempts > 0 ? style.yellow("▸") + " tried" + style.dim(", " + tries) : style.dim("○ open");
  if (standing.given_up) text += style.dim(", solution shown");
  return text;
}

std::string line(const Style& style, const Exercise& exercise, const Standing& standing, std::size_t widest) {
  constexpr std::size_t beside_the_title = 48;
  if (style.width < widest + beside_the_title) return line_of_list(style, exercise, standing, style.width - 2);
  const std::string minutes = exercise.source.minutes > 0 ? fmt::format("{} min", exercise.source.minutes) : "";
  return fmt::format("{} {} {}  {} {}  {}", exercise.number(), exercise.source.fast_track ? style.yellow("★") : " ",
                     padded(exercise.title(), widest), style.dim(padded(difficulty_marks(exercise), 3)),
                     style.dim(padded_left(minutes, 6)), standing_text(style, standing));
}

}  // namespace

int list(const Context& context) {
  const Style& style = context.style;
  const Desk desk = find_desk(context.folder);
  const Progress progress = Progress::read(desk);
  const std::vector<Exercise> exercises = chosen_exercises(context.fast_track.value_or(false));
  std::string text = progress_bar(style, exercises, progress);
  std::string part;
  std::size_t widest = 0;
  for (const Exercise& exercise : exercises) widest = std::max(widest, display_width(exercise.title()));
  for (const Exercise& exercise : exercises) {
    if (exercise.source.part != part) {
      part = exercise.source.part;
      text += fmt::format("\n{}\n", style.bold(part + "  " + part_name(part)));
    }
    text += "  " + line(style, exercise, progress.of(exercise.id), widest) + "\n";
  }
  text += "\n" + style.dim("★ the fast track: what is needed to get to attention; `learn --fast` goes it") + "\n";
  show(style, text);
  show_notice(context, progress);
  return 0;
}

}  // namespace learn
