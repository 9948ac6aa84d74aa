#include "autograd/debug/step/terminal_debugger.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr const char* prompt = "(backstep) ";
constexpr std::size_t deepest_script = 10;
constexpr const char* read_as_commands =
    "[standard input is read as commands; if it is the program's data, start with BACKSTEP=step:/dev/tty]\n";

}  // namespace

// ---- where commands come from ---------------------------------------------------------------------------------------

namespace {

std::optional<std::string> next_of(std::istream& in) {
  std::string line;
  return std::getline(in, line) ? std::optional(line) : std::nullopt;
}

Lines lines_of_text(const std::string& text, const std::string& file) {
  const auto in = std::make_shared<std::istringstream>(text);
  return {[in](const std::string&) { return next_of(*in); }, false, false, file};
}

}  // namespace

Lines lines_from(std::istream& in) {
  return {[&in](const std::string&) { return next_of(in); }, false, &in == &std::cin};
}

Lines lines_from(const std::function<std::optional<std::string>()>& next) {
  return {[next](const std::string&) { return next(); }};
}

Lines lines_from(const std::vector<std::string>& script) {
  std::string text;
  for (const std::string& line : script) text += line + "\n";
  return lines_of_text(text, "");
}

Lines lines_of_file(const std::string& file) {
  constexpr std::uintmax_t largest = 1 << 20;
  std::error_code problem;
  const bool regular = std::filesystem::is_regular_file(file, problem);  // a device may never end
  const std::uintmax_t size = regular ? std::filesystem::file_size(file, problem) : 0;
  std::ifstream in(file);
  if (!regular || problem || size > largest || !in) {
    throw Refused(fmt::format("the script '{}' cannot be read", printable(file)),
                  "a text file of at most a megabyte, one command a line");
  }
  std::ostringstream text;
  text << in.rdbuf();
  return lines_of_text(text.str(), file);
}

// ---- at a stop ------------------------------------------------------------------------------------------------------

TerminalDebugger::TerminalDebugger(Lines lines, std::ostream& out) : out_(out) {
  lines_.push_back(std::move(lines));
}

void TerminalDebugger::talk(const Stop& stop) {
  write(stop.text);
  show_place();
  while (!is_detached()) {
    const std::optional<std::string> line = next_line();
    if (!line) {
      write("[no more commands: the program goes on]\n");
      return detach();
    }
    if (!perform(*line) || !take_move()) continue;
    const std::optional<Stop> next = move();
    if (!next) return;
    write(next->text);
    show_place();
  }
}

void TerminalDebugger::show_place() {
  write(place_text(view(), settings));
  write(displays_text());
}

// The next line of the innermost script that has one left.
std::optional<std::string> TerminalDebugger::next_line() {
  while (!lines_.empty()) {
    out_.flush();
    const std::optional<std::string> line = lines_.back().read(prompt);
    if (line) {
      if (!lines_.back().is_terminal) write(fmt::format("{}{}\n", prompt, printable(*line)));
      return line;
    }
    lines_.pop_back();
  }
  return {};
}

// False if the command was refused.
bool TerminalDebugger::perform(const std::string& given) {
  std::string line = trim(given);
  const bool at_terminal = !lines_.empty() && lines_.back().is_terminal;
  if (line.empty() && at_terminal) line = last_repeatable_;
  if (line.empty() || line[0] == '#') return true;
  bool repeats = false;
  const bool is_first = !std::exchange(has_answered_, true);
  if (!answer(line, repeats)) {
    if (is_first && lines_.back().is_standard_input) write(read_as_commands);
    return false;
  }
  last_repeatable_ = repeats ? line : "";
  return true;
}

void TerminalDebugger::detach() {
  Debugger::detach();
  stop_catching_interrupts();
  flush();
}

void TerminalDebugger::read_script(const std::string& file) {
  const auto reads = [&](const Lines& lines) { return lines.file == file; };
  if (std::any_of(lines_.begin(), lines_.end(), reads)) {
    throw Refused(fmt::format("'{}' is being read already", printable(file)), "a script that does not source itself");
  }
  if (lines_.size() > deepest_script) {
    throw Refused(fmt::format("scripts are nested {} deep", lines_.size() - 1),
                  fmt::format("at most {}", deepest_script));
  }
  lines_.push_back(lines_of_file(file));
}

// ---- BACKSTEP=step --------------------------------------------------------------------------------------------------

namespace {

// Writes through stdio, so that the output of the program and of the debugger appear in the right order.
class StandardOutput : public std::streambuf {
  int overflow(int character) override { return character == EOF ? 0 : std::fputc(character, stdout); }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    return static_cast<std::streamsize>(std::fwrite(text, 1, static_cast<std::size_t>(count), stdout));
  }
  int sync() override { return std::fflush(stdout); }
};

}  // namespace

Observer* make_debugger(const std::string& script) {
  // Never freed, because static destructors may still run a pass.
  static std::ostream& out = *new std::ostream(new StandardOutput);
  static TerminalDebugger* debugger = nullptr;
  const Completer complete = [](const std::string& line) { return complete_command(*debugger, line); };
  try {
    debugger = new TerminalDebugger(lines_of(script, complete), out);
    if (const auto columns = terminal_columns())
      debugger->settings.width = std::clamp<std::int64_t>(*columns, 20, 1000);
  } catch (const Refused& refused) {
    throw std::invalid_argument(refused.what());
  }
  return debugger;
}

}  // namespace autograd::debug
