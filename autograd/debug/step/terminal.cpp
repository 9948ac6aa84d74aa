// Commands from standard input: with line editing, history and completion on a terminal if libedit is available.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <utility>

#include "autograd/debug/step/lines.h"

#ifdef BACKSTEP_LIBEDIT
#include <editline/readline.h>
#endif

namespace autograd::debug {
namespace {

bool is_person() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
}

#ifdef BACKSTEP_LIBEDIT

constexpr int longest_history = 1000;

// A global, because libedit calls back without an argument.
const Completer* completer = nullptr;
std::vector<std::string>* candidates = nullptr;

char* next_candidate(const char*, int state) {
  const auto at = static_cast<std::size_t>(state);
  return at < candidates->size() ? strdup((*candidates)[at].c_str()) : nullptr;
}

char** complete_word(const char* word, int, int end) {
  rl_attempted_completion_over = 1;  // no names of files
  static std::vector<std::string> found;
  found.clear();
  try {
    found = (*completer)(std::string(rl_line_buffer).substr(0, static_cast<std::size_t>(end)));
  } catch (const std::exception&) {  // nothing to offer
  }
  candidates = &found;
  return rl_completion_matches(word, next_candidate);
}

// $XDG_STATE_HOME/backstep/history; makes the folder if necessary. "" if that is impossible.
std::string history_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state && *state) {
    folder = state;
  } else if (home && *home) {
    folder = std::filesystem::path(home) / ".local" / "state";
  } else {
    return "";
  }
  std::error_code problem;
  std::filesystem::create_directories(folder / "backstep", problem);
  return problem ? "" : (folder / "backstep" / "history").string();
}

class EditedLines : public Lines {
 public:
  explicit EditedLines(Completer complete) : complete_(std::move(complete)), history_(history_file()) {
    static char name[] = "backstep";
    static char breaks[] = " \t/";  // a name may have dots
    rl_readline_name = name;
    rl_initialize();
    using_history();
    stifle_history(longest_history);
    if (!history_.empty()) read_history(history_.c_str());
    completer = &complete_;
    rl_attempted_completion_function = complete_word;
    rl_basic_word_break_characters = breaks;
    rl_completer_word_break_characters = breaks;
  }

  std::optional<std::string> read(const std::string& prompt) override {
    std::fflush(stdout);
    char* text = readline(prompt.c_str());
    if (!text) {
      fmt::print("\n");
      return {};
    }
    const std::string line = text;
    std::free(text);
    remember(line);
    return line;
  }
  bool is_terminal() const override { return true; }

 private:
  void remember(const std::string& line) {
    if (line.empty() || line == last_) return;
    last_ = line;
    add_history(line.c_str());
    if (!history_.empty()) write_history(history_.c_str());
  }

  Completer complete_;
  std::string history_;
  std::string last_;
};

std::unique_ptr<Lines> lines_of_person(Completer complete) {
  return std::make_unique<EditedLines>(std::move(complete));
}

#else

class PlainLines : public Lines {
 public:
  std::optional<std::string> read(const std::string& prompt) override {
    fmt::print("{}", prompt);
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line)) return {};
    return line;
  }
  bool is_terminal() const override { return true; }
};

std::unique_ptr<Lines> lines_of_person(Completer) {
  return std::make_unique<PlainLines>();
}

#endif

}  // namespace

std::unique_ptr<Lines> lines_of_standard_input(Completer complete) {
  return is_person() ? lines_of_person(std::move(complete)) : lines_from(std::cin);
}

}  // namespace autograd::debug
