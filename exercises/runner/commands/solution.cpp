// `learn solution`: how it can be written, beside what was written. After passing, or after giving up.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "runner/check/checker.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/system/files.h"

namespace learn {
namespace {

std::size_t widest(const std::vector<std::string>& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

// Two columns where there is room for them, one below the other elsewhere.
std::string side_by_side(const Style& style, const std::vector<std::string>& yours,
                         const std::vector<std::string>& other, std::size_t columns) {
  const std::size_t left = widest(yours);
  std::string text;
  if (left + 3 + widest(other) > columns) {
    text = style.bold("yours") + "\n";
    for (const std::string& line : yours) text += line + "\n";
    text += "\n" + style.bold("the solution") + "\n";
    for (const std::string& line : other) text += line + "\n";
    return text;
  }
  text = style.bold(padded("yours", left)) + " " + style.dim("│") + " " + style.bold("the solution") + "\n";
  for (std::size_t i = 0; i < std::max(yours.size(), other.size()); ++i) {
    text += padded(i < yours.size() ? yours[i] : "", left) + " " + style.dim("│") + " " +
            (i < other.size() ? other[i] : "") + "\n";
  }
  return text;
}

// Giving up is a decision: it is asked for once more where someone can answer.
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
  show(context.style, side_by_side(context.style, lines_of(situation.file), lines_in(exercise.source.solution()),
                                   context.style.terminal));
  show_notice(context, situation.progress);
  return 0;
}

}  // namespace learn
