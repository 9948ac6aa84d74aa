// Commands about the debugger itself.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

// ---- help -----------------------------------------------------------------------------------------------------------

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string overview() {
  std::string text;
  for (const Command& command : commands()) {
    text +=
        fmt::format("  {:<32} {}\n", fmt::format("{} {}", command.name, command.arguments), first_line(command.help));
  }
  return text + "More with `help COMMAND`. Commands may be shortened while they are clear, and to s, b, n, c, p ...\n";
}

std::string help_of(const Command& command) {
  std::string text = fmt::format("{} {}\n", command.name, command.arguments);
  std::string aliases;
  for (const char* alias : command.aliases) aliases += fmt::format("{}{}", aliases.empty() ? "" : ", ", alias);
  if (!aliases.empty()) text += fmt::format("Also: {}\n", aliases);
  return text + command.help + "\n";
}

bool is_meant(const Command& command, const std::string& word) {
  if (std::string(command.name).rfind(word, 0) == 0) return true;
  return std::any_of(command.aliases.begin(), command.aliases.end(), [&](const char* alias) { return word == alias; });
}

std::string answer_help(const Question& question) {
  const std::string word = trim(question.arguments);
  if (word.empty()) return overview();
  std::string text;
  for (const Command& command : commands()) {
    if (is_meant(command, word)) text += (text.empty() ? "" : "\n") + help_of(command);
  }
  if (text.empty()) throw Refused(fmt::format("'{}' is no command", printable(word)), "one of those that `help` lists");
  return text;
}

// ---- settings -------------------------------------------------------------------------------------------------------

std::string settings_text(const Settings& settings) {
  const std::string precision = settings.precision < 0 ? "auto" : fmt::format("{}", settings.precision);
  return fmt::format("width {}\nelements {}\nprecision {}\nstop-at {}\n", settings.width, settings.elements, precision,
                     settings.stop_at);
}

void set(Debugger& debugger, const std::string& arguments) {
  std::string rest = arguments;
  const std::string name = take_word(rest);
  Settings& settings = debugger.settings;
  if (name.empty()) return debugger.write(settings_text(settings));
  if (name == "width") {
    settings.width = parse_count(rest, 20, 1000, "width");
  } else if (name == "elements") {
    settings.elements = parse_count(rest, 1, 100'000, "number of elements");
  } else if (name == "precision") {
    settings.precision = rest == "auto" ? -1 : parse_count(rest, 0, 17, "number of digits, or auto");
  } else if (name == "stop-at") {
    const bool known = rest == "backward" || rest == "all" || rest == "none";
    if (!known) throw Refused(fmt::format("'{}' is no kind of pass", printable(rest)), "backward, all or none");
    settings.stop_at = rest;
  } else {
    throw Refused(fmt::format("there is no setting '{}'", printable(name)), "width, elements, precision or stop-at");
  }
}

void directory(Debugger& debugger, const std::string& arguments) {
  const std::string folder = trim(arguments);
  auto& folders = debugger.settings.directories;
  if (folder.empty()) {
    for (const std::string& each : folders) debugger.write(printable(each) + "\n");
    return;
  }
  if (folders.size() >= 100) throw Refused("there are 100 directories already", "fewer");
  folders.push_back(folder);
}

// ---- the rest -------------------------------------------------------------------------------------------------------

void source(Debugger& debugger, const std::string& arguments) {
  const std::string file = trim(arguments);
  if (file.empty()) throw Refused("no file is named", "a file with one command a line");
  debugger.read_script(file);
}

void quit(Debugger& debugger, const std::string&) {
  debugger.write("[detached: the program goes on]\n");
  debugger.detach();
}

void kill(Debugger& debugger, const std::string&) {
  debugger.kill();
}

}  // namespace

std::vector<Command> other_commands() {
  return {
      {"source", {}, "FILE", "Do the commands in a file.", nullptr, source},
      {"set",
       {},
       "[NAME VALUE]",
       "Change a setting, or show them all.\n"
       "width N       columns\n"
       "elements N    a tensor with more is shortened\n"
       "precision N   digits after the point, or auto\n"
       "stop-at KIND  backward; all: at grad() too; none: at breakpoints only",
       nullptr,
       set},
      {"directory", {"dir"}, "[FOLDER]", "Look for sources in this folder too.", nullptr, directory},
      {"help", {"h"}, "[COMMAND]", "This list, or more about one command.", answer_help, nullptr},
      {"quit", {"q", "exit", "detach"}, "", "Leave the debugger; the program goes on to its end.", nullptr, quit},
      {"kill", {"k"}, "", "End the program here.", nullptr, kill},
  };
}

}  // namespace autograd::debug
