// `learn solution`: how it can be written, beside what was written. After passing, or after giving up.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "runner/check/checker.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

std::vector<std::string> titled(const std::string& title, std::vector<std::string> lines) {
  lines.insert(lines.begin(), title);
  return lines;
}

// Asks once more, if somebody is at the terminal.
bool really_give_up(const Context& context, const Exercise& exercise) {
  if (!::isatty(STDIN_FILENO)) return true;
  show(context.style, fmt::format("Show the solution of {} {}? It is noted that you saw it. [y/N] ", exercise.number(),
                                  exercise.title()));
  std::string answer;
  std::getline(std::cin, answer);
  return !answer.empty() && (answer[0] == 'y' || answer[0] == 'Y');
}

}  // namespace

int solution(const Context& context, const std::string& what, bool give_up) {
  if (what.empty()) throw std::runtime_error("which one? learn solution ID");
  Situation situation = situation_of(context, what);
  const Exercise& exercise = situation.exercise;
  const bool passed = situation.progress.of(exercise.id).passed;
  if (!passed && !give_up) {
    show(context.style,
         wrapped(fmt::format("{0} is not passed yet: its solution is shown when it is. `learn hint {0}` helps; "
                             "`learn solution {0} --give-up` shows it all the same.",
                             exercise.number()),
                 context.style.width));
    return 1;
  }
  if (!passed) {
    if (!really_give_up(context, exercise)) return 1;
    situation.progress.note_given_up(exercise.id);
  }
  const Style& style = context.style;
  show(style, side_by_side(style, titled(style.bold("yours"), lines_of(situation.file)),
                           titled(style.bold("the solution"), lines_in(exercise.source.solution()))));
  show_notice(context, situation.progress);
  return 0;
}

}  // namespace learn
