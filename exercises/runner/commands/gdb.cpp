// `learn gdb`: the learner's code in gdb, stopped where it begins.
#include <fmt/format.h>

#include <stdexcept>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {

int gdb(const Context& context, const std::string& what, const std::vector<std::string>& more) {
  const Situation situation = situation_of(context, what);
  if (!has_program("gdb")) throw std::runtime_error("there is no gdb here (Debian: apt-get install gdb)");
  const RunFolder folder(runs_folder());
  const std::string program = build_of(situation, {.folder = folder.path(), .debug = true, .run_once = true}).program;
  // The engine's printers for tensors come with it, once gdb may load them.
  std::vector<std::string> command{"gdb", "-q", "-iex", "add-auto-load-safe-path " + settings().project};
  // The engine may have functions of that name, too, in namespaces of its own.
  for (const std::string& function : situation.exercise.source.answer) {
    command.insert(command.end(), {"-ex", "tbreak -qualified " + function});
  }
  command.insert(command.end(), {"-ex", "run"});
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"--args", program});
  show(context.style,
       context.style.dim("next steps, step goes into a call, print x shows x, continue goes on, quit ends\n"));
  return run_in_terminal(command, {.folder = situation.desk.path()});
}

}  // namespace learn
