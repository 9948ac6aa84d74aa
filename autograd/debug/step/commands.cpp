#include "autograd/debug/step/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/trace/page.h"
#include "autograd/tensor/error.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

// ---- finding them ---------------------------------------------------------------------------------------------------

bool is_called(const Command& command, const std::string& word) {
  const auto is_word = [&](const char* alias) { return word == alias; };
  return word == command.name || std::any_of(command.aliases.begin(), command.aliases.end(), is_word);
}

bool begins(std::string_view whole, std::string_view word) {
  return !word.empty() && whole.starts_with(word);
}

// Finds a command by its name, an alias, or a beginning of its name that no other command has.
const Command& find_command(const std::string& word) {
  std::vector<const Command*> found;
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (is_called(command, word)) return command;
    if (begins(command.name, word)) found.push_back(&command);
    names.emplace_back(command.name);
  }
  if (found.size() == 1) return *found[0];
  if (found.empty()) {
    throw Refused(fmt::format("'{}' is not a command{}", printable(word), near_text(word, names)),
                  "a command, see `help`");
  }
  std::string list;
  for (const Command* command : found) list += (list.empty() ? "" : ", ") + std::string(command->name);
  throw Refused(fmt::format("'{}' is ambiguous", printable(word)), "one of " + list);
}

// Takes the command off the line: "print" off "print/s W", which leaves "/s W".
std::string take_command_word(std::string& line) {
  const std::size_t end = std::min(line.find_first_of(" \t/"), line.size());
  const std::string word = line.substr(0, end);
  line = trim(std::string_view(line).substr(end));
  return word;
}

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

// ---- those that show something --------------------------------------------------------------------------------------

template <Answer answer> void show(Debugger& debugger, const std::string& arguments) {
  debugger.write(answer({debugger.view(), debugger.settings, arguments}));
}

std::string breakpoints_text(const Debugger& debugger) {
  std::string text;
  for (const Breakpoint& item : debugger.breakpoints) {
    text += fmt::format("{:>3}  {:<9} {:>4} hit{}  {}{}{}\n", item.number, item.enabled ? "enabled" : "disabled",
                        item.hits, item.hits == 1 ? "" : "s", item.watched ? "watch " : "", to_string(item),
                        item.temporary ? " (temporary)" : "");
  }
  return text.empty() ? "No breakpoints or watches.\n" : text;
}

std::string displays_text(const Debugger& debugger) {
  std::string text;
  for (const Display& item : debugger.displays) {
    text += fmt::format("{:>3}  {}\n", item.number, printable(item.arguments));
  }
  return text.empty() ? "No displays.\n" : text;
}

void info(Debugger& debugger, const std::string& arguments) {
  std::string rest = arguments;
  const std::string topic = take_word(rest);
  if (begins("breakpoints", topic) || begins("watch", topic)) return debugger.write(breakpoints_text(debugger));
  if (begins("display", topic)) return debugger.write(displays_text(debugger));
  debugger.write(answer_info({debugger.view(), debugger.settings, arguments}));
}

// Writes what the pass has done so far.
void html(Debugger& debugger, const std::string& arguments) {
  const std::string file = trim(arguments);
  if (file.empty()) throw Refused("no file is named", "the file to write");
  try {
    write_trace(make_trace(debugger, *debugger.view().pass), file);
  } catch (const Error&) {
    throw Refused(fmt::format("{} cannot be written", printable(file)),
                  "a file in a folder that is there, and room for it");
  }
  debugger.write(fmt::format("Wrote {}\n", printable(file)));
}

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

std::string answer_help(const Question& question) {
  const std::string word = trim(question.arguments);
  if (word.empty()) return overview();
  std::string text;
  for (const Command& command : commands()) {
    const bool is_meant = begins(command.name, word) || is_called(command, word);
    if (is_meant) text += (text.empty() ? "" : "\n") + help_of(command);
  }
  if (text.empty())
    throw Refused(fmt::format("'{}' is not a command", printable(word)), "one of those that `help` lists");
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
    if (!known) throw Refused(fmt::format("'{}' is not a kind of pass", printable(rest)), "backward, all or none");
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

const std::vector<Command>& commands() {
  static const std::vector<Command> table = [] {
    std::vector<Command> all = moving_commands();
    const std::vector<Command> others = {
        {"print",
         {"p"},
         "[/s|/h|/x] EXPRESSION",
         "Show a tensor, its gradient, or some of it.\n"
         "W, W.grad, W.grad[1, 0:2], %17, loss; y, x0, dy, dx0 of the current op.\n"
         "/s statistics, /h a heatmap, /x every digit.",
         show<answer_print>},
        {"info",
         {"i"},
         "TOPIC",
         "Lists: nodes, leaves, locals, names, pass, breakpoints, ...\n"
         "nodes [all|OP|NAME|MODULE]  the ops of this pass and how far their gradients are\n"
         "leaves                      the parameters and inputs, and their gradients, or why they get none\n"
         "locals                      what the current op was given, made, and gets\n"
         "names, modules, ops         what there is to break at\n"
         "pass                        which pass this is, and how far\n"
         "passes                      gradients, weights and updates by module, in all passes so far\n"
         "breakpoints, watch, display",
         info},
        {"where",
         {"backtrace", "bt"},
         "",
         "The module calls and time steps that the current op ran in.",
         show<answer_where>},
        {"list", {"l"}, "[NAME|%N]", "The source around the op's call.", show<answer_list>},
        {"graph",
         {},
         "[NAME|%N] [DEPTH]",
         "The ops around one: who uses it, and what it is made of.",
         show<answer_graph>},
        {"formula",
         {"f"},
         "[NAME|%N] [I,J]",
         "The op's derivative, and the same with actual numbers.\n"
         "Those of the element [I,J], or of the one where most flows; and the op's local Jacobian where it is small.",
         show<answer_formula>},
        {"cell",
         {},
         "NAME[.grad][I,J] [all]",
         "One element: what it came from, who wrote it, where it goes.\n"
         "With the values of these elements, and the slope between each of them and this one.\n"
         "A gradient is the sum of contributions by the ops that use its tensor; which are still to come is said too.\n"
         "More than 40 are grouped by place, unless `all` are asked for.",
         show<answer_cell>},
        {"why",
         {},
         "NAME[I,J]",
         "The paths from the loss that carry most of a gradient.\n"
         "Of a tensor that gets none: where its paths end instead.\n"
         "Of many contributions first what each place in the program gave: those sums are all of the gradient.",
         show<answer_why>},
        {"check",
         {},
         "[NAME|%N]",
         "This op's backward against finite differences.\nOf its forward, at its real inputs and the real gradient of "
         "its output.",
         show<answer_check>},
        {"bump",
         {},
         "NAME[I,J] [DELTA]",
         "What would the loss be if this value were different?\n"
         "Runs the ops that depend on it again and compares the loss's slope with the gradient.\n"
         "The program keeps its own values.",
         show<answer_bump>},
        {"html", {}, "FILE", "Write the page that replays this pass.", html},
        {"source", {}, "FILE", "Do the commands in a file.", source},
        {"set",
         {},
         "[NAME VALUE]",
         "Change a setting, or show them all.\n"
         "width N       columns\n"
         "elements N    a tensor with more is shortened\n"
         "precision N   digits after the point, or auto\n"
         "stop-at KIND  backward; all: at grad() too; none: at breakpoints only",
         set},
        {"directory", {"dir"}, "[FOLDER]", "Look for sources in this folder too.", directory},
        {"help", {"h"}, "[COMMAND]", "This list, or more about one command.", show<answer_help>},
        {"quit", {"q", "exit", "detach"}, "", "Leave the debugger; the program goes on to its end.", quit},
        {"kill", {"k"}, "", "End the program here.", kill},
    };
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }();
  return table;
}

bool run_command(Debugger& debugger, const std::string& line) {
  std::string arguments = trim(line);
  const Command& command = find_command(take_command_word(arguments));
  try {
    command.run(debugger, arguments);
  } catch (const Refused& refused) {
    throw Refused(command.name, refused);
  }
  return command.repeats;
}

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
  std::erase_if(words, [&](const std::string& candidate) { return !candidate.starts_with(word); });
  return {words.begin(), words.end()};
}

}  // namespace autograd::debug
