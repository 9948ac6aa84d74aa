#include "autograd/debug/step/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

std::vector<Command> all_commands() {
  std::vector<Command> all;
  for (const auto& group : {running_commands(), stopping_commands(), looking_commands(), other_commands()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool is_called(const Command& command, const std::string& word) {
  if (word == command.name) return true;
  return std::any_of(command.aliases.begin(), command.aliases.end(), [&](const char* alias) { return word == alias; });
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Command& command : commands()) result.emplace_back(command.name);
  return result;
}

std::string listed(const std::vector<const Command*>& list) {
  std::string text;
  for (const Command* command : list) text += (text.empty() ? "" : ", ") + std::string(command->name);
  return text;
}

// Finds a command by its name, an alias, or a beginning of its name that no other command has.
const Command& find_command(const std::string& word) {
  std::vector<const Command*> found;
  for (const Command& command : commands()) {
    if (is_called(command, word)) return command;
    if (starts_with(command.name, word)) found.push_back(&command);
  }
  if (found.size() == 1) return *found[0];
  if (found.size() > 1) throw Refused(fmt::format("'{}' is ambiguous", printable(word)), "one of " + listed(found));
  throw Refused(fmt::format("'{}' is no command{}", printable(word), near_text(word, names())),
                "a command, see `help`");
}

// Takes the command off the line: "print" off "print/s W", which leaves "/s W".
std::string take_command_word(std::string& line) {
  const std::size_t end = std::min(line.find_first_of(" \t/"), line.size());
  const std::string word = line.substr(0, end);
  line = trim(std::string_view(line).substr(end));
  return word;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table = all_commands();
  return table;
}

bool run_command(Debugger& debugger, const std::string& line) {
  std::string arguments = trim(line);
  const Command& command = find_command(take_command_word(arguments));
  try {
    if (command.answer) {
      debugger.write(command.answer({debugger.view(), debugger.settings, arguments}));
    } else {
      command.act(debugger, arguments);
    }
  } catch (const Refused& refused) {
    throw std::runtime_error(fmt::format("{}: {}", command.name, refused.what()));
  }
  return command.repeats;
}

// ---- completion -----------------------------------------------------------------------------------------------------

namespace {

// Names of tensors, ops and modules.
std::set<std::string> places(const View& view) {
  std::set<std::string> words(view.index->names().begin(), view.index->names().end());
  for (const Ref<Node>& node : view.pass->order) {
    words.insert(node->name());
    words.insert(label(*node));
  }
  for (const std::string& module : modules_of(view)) words.insert(module);
  return words;
}

}  // namespace

std::vector<std::string> complete_command(const Debugger& debugger, const std::string& line) {
  const std::size_t last = line.find_last_of(" \t/");
  const std::string word = last == std::string::npos ? line : line.substr(last + 1);
  const bool first_word = trim(line.substr(0, line.size() - word.size())).empty();
  std::set<std::string> words;
  if (first_word || trim(line).rfind("help", 0) == 0) {
    for (const Command& command : commands()) words.insert(command.name);
  } else if (line.rfind("i", 0) == 0) {
    words = {"breakpoints", "display", "leaves", "locals", "modules", "names", "nodes", "ops", "pass", "watch"};
  } else {
    words = places(debugger.view());
  }
  std::erase_if(words, [&](const std::string& candidate) { return !starts_with(candidate, word); });
  return {words.begin(), words.end()};
}

}  // namespace autograd::debug
