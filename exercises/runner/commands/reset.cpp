// `learn reset`: begins an exercise again, and keeps a copy of what was written.
#include <fmt/format.h>

#include <stdexcept>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/desk/begin_again.h"

namespace learn {

int reset(const Context& context, const std::string& what) {
  if (what.empty()) throw std::runtime_error("which one? learn reset ID");
  const Desk desk = find_desk(context.folder);
  const std::string said = begin_again(desk, load_exercise(find_exercise(what)));
  show(context.style, wrapped(said, context.style.width));
  show_notice(context, Progress::read(desk));
  return 0;
}

}  // namespace learn
