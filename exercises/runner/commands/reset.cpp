// `learn reset`: begins an exercise again, and keeps a copy of what was written.
#include <fmt/format.h>

#include <stdexcept>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/desk/begin_again.h"

namespace learn {

int reset(const Context& context, const std::string& what, bool undo) {
  if (what.empty()) throw std::runtime_error("which one? learn reset ID");
  const Desk desk = find_desk(context.folder);
  const Exercise exercise = load_exercise(find_exercise(what));
  const std::string said = undo ? bring_back(desk, exercise) : begin_again(desk, exercise);
  show(context.style, wrapped(said, context.style.width));
  show_notice(context, Progress::read(desk));
  return 0;
}

}  // namespace learn
