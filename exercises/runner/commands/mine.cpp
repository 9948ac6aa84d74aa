// `learn mine`: a small network and a translator, made of the answers.
#include <fmt/format.h>
#include <unistd.h>

#include "runner/check/engine.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/lessons/settings.h"
#include "runner/mine/build_plugs.h"
#include "runner/mine/own_parts.h"
#include "runner/system/process.h"
#include "runner/text/style.h"

namespace learn {

int mine(const Context& context, const MineOptions& options) {
  const Desk desk = find_desk(context.folder);
  Progress progress = Progress::read(desk);
  const std::vector<OwnPart> parts = own_parts(desk, progress, options.with);
  show_notice(context, progress);
  await_engine();  // the program is made with it
  const std::string said = "compiling what you wrote (the first time it takes half a minute) ...";
  if (::isatty(STDOUT_FILENO) != 1) show(context.style, said + "\n");  // a notice that passes is for terminals
  const std::string plugs = [&] {
    const PassingNotice notice(said);
    return build_plugs(desk.state() + "/mine", parts);
  }();
  std::vector<std::string> command{settings().build + "/exercises/mine/mine", plugs, desk.path()};
  if (options.quick) command.push_back("--quick");
  return run_in_terminal(command);
}

}  // namespace learn
