// `learn hint`: one level more each time.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/lessons/hints.h"
#include "runner/report/verdict_sentences.h"
#include "runner/system/files.h"
#include "runner/text/markdown.h"

namespace learn {
namespace {

// The question of the known mistake that the last check found, if the file has not changed since.
std::string question_of_last_report(const Style& style, const Situation& situation) {
  const auto& last = situation.progress.of(situation.exercise.id).last;
  if (!last || !last->verdict || last->file_state != fingerprint(read_file(situation.file))) return "";
  std::string text;
  for (const std::string& question : questions(situation.exercise, *last->verdict)) {
    text += wrapped(question, style.width, style.yellow("? "));
  }
  return text.empty() ? "" : style.dim("To what you have now:") + "\n" + text + "\n";
}

// What level `level` shows; "First formula" is about what the file has now.
std::string text_of(const Hints& hints, const std::string& level, Situation& situation) {
  return level == first_formula ? hints.first_formula_for(last_or_new_report(situation)) : hints.text(level);
}

}  // namespace

int hint(const Context& context, const std::string& what, int level) {
  const Style& style = context.style;
  Situation situation = situation_of(context, what);
  const Hints hints(situation.exercise);
  const std::vector<std::string> levels = hints.levels();
  const int last = static_cast<int>(levels.size());
  if (level < 0 || level > last) throw std::runtime_error(fmt::format("hints have levels 1 to {}", last));
  const int seen = situation.progress.of(situation.exercise.id).hints;
  if (level == 0) level = std::min(seen + 1, last);
  const std::string& name = levels[static_cast<std::size_t>(level - 1)];
  const std::string text = text_of(hints, name, situation);
  if (text.empty()) throw std::runtime_error(situation.exercise.id + " has no such hint");
  show(style, question_of_last_report(style, situation));
  show(style, fmt::format("{} {}\n", style.bold(fmt::format("Hint {} of {}", level, last)),
                          style.dim(fmt::format("· {}", name))));
  show(style, show_markdown(style, text));
  situation.progress.note_hint(situation.exercise.id, level);
  if (level < last) {
    show(style, style.dim(fmt::format("\nlearn hint {} shows the next one\n", situation.exercise.number())));
  } else {
    const std::string n = situation.exercise.number();
    const std::string step =
        situation.exercise.source.has_steps ? fmt::format("learn step {} shows where the numbers part; ", n) : "";
    show(style,
         style.dim(fmt::format("\nThat was the last one. {}learn solution {} --give-up shows it all.\n", step, n)));
  }
  show_notice(context, situation.progress);
  return 0;
}

}  // namespace learn
