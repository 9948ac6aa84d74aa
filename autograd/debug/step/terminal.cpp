// Commands from standard input or another terminal: with line editing, history and completion on a terminal if libedit
// is available.
#include "autograd/text/terminal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <setjmp.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "autograd/debug/step/lines.h"

#ifdef BACKSTEP_LIBEDIT
#include <editline/readline.h>
#endif

namespace autograd::debug {
namespace {

bool is_person() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
}

// Ctrl-C at the prompt gives a new prompt, and while the program runs it stops the program, as in gdb: at the next op
// of a backward pass. Pressed again before that, it ends the program.
sigjmp_buf new_prompt;
volatile std::sig_atomic_t at_prompt = 0;
volatile std::sig_atomic_t interrupted = 0;

void handle_with(void (*handler)(int), struct sigaction* before = nullptr) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, before);
}

void return_to_prompt(int) {
  if (at_prompt) siglongjmp(new_prompt, 1);
}

void stop_soon(int) {
  if (interrupted) {
    handle_with(SIG_DFL);
    std::raise(SIGINT);
  }
  interrupted = 1;
}

// A program that handles Ctrl-C itself goes on to do so.
class InterruptibleRead {
 public:
  InterruptibleRead() {
    handle_with(return_to_prompt, &before_);
    if (before_.sa_handler == SIG_DFL) before_.sa_handler = stop_soon;
    interrupted = 0;
  }
  ~InterruptibleRead() {
    at_prompt = 0;
    sigaction(SIGINT, &before_, nullptr);
  }
  InterruptibleRead(const InterruptibleRead&) = delete;
  InterruptibleRead& operator=(const InterruptibleRead&) = delete;

 private:
  struct sigaction before_ = {};
};

// Calls a C function that reads a line, again after each Ctrl-C. No object with a destructor lives in between.
template <class Read> char* read_until_a_line(Read read) {
  const InterruptibleRead interruptible;
  if (sigsetjmp(new_prompt, 1) != 0) {
    const char end_of_line = '\n';
    if (write(STDOUT_FILENO, &end_of_line, 1) < 0) return nullptr;
  }
  at_prompt = 1;
  char* text = read();
  at_prompt = 0;
  return text;
}

#ifdef BACKSTEP_LIBEDIT

constexpr int longest_history = 1000;

// Globals, because libedit calls back without an argument.
Completer completer;
std::vector<std::string> candidates;

char* next_candidate(const char*, int state) {
  const auto at = static_cast<std::size_t>(state);
  return at < candidates.size() ? strdup(candidates[at].c_str()) : nullptr;
}

char** complete_word(const char* word, int, int end) {
  rl_attempted_completion_over = 1;  // no names of files
  candidates.clear();
  at_prompt = 0;  // a jump must not leave C++ code
  try {
    candidates = completer(std::string(rl_line_buffer).substr(0, static_cast<std::size_t>(end)));
  } catch (const std::exception&) {  // nothing to offer
  }
  at_prompt = 1;
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

Lines lines_of_person(std::FILE* in, const Completer& complete) {
  static char name[] = "backstep";
  static char breaks[] = " \t/";  // a name may have dots
  const std::string history = history_file();
  rl_instream = in;
  rl_readline_name = name;
  rl_initialize();
  using_history();
  stifle_history(longest_history);
  if (!history.empty()) read_history(history.c_str());
  completer = complete;
  rl_attempted_completion_function = complete_word;
  rl_basic_word_break_characters = breaks;
  rl_completer_word_break_characters = breaks;
  const auto read = [history, last = std::string()](const std::string& prompt) mutable -> std::optional<std::string> {
    std::fflush(stdout);
    const char* shown = prompt.c_str();
    char* text = read_until_a_line([shown] { return readline(shown); });
    if (!text) {
      fmt::print("\n");
      return {};
    }
    const std::string line = text;
    std::free(text);
    if (line.empty() || line == last) return line;
    last = line;
    add_history(line.c_str());
    if (!history.empty()) write_history(history.c_str());
    return line;
  };
  return {read, true};
}

#else

Lines lines_of_person(std::FILE* in, const Completer&) {
  const auto read = [in](const std::string& prompt) -> std::optional<std::string> {
    static char* line = nullptr;  // getline() makes it larger
    static std::size_t size = 0;
    const char* shown = prompt.c_str();
    const char* text = read_until_a_line([in, shown]() -> char* {
      std::fputs(shown, stdout);
      std::fflush(stdout);
      return getline(&line, &size, in) < 0 ? nullptr : line;
    });
    return text ? std::optional(std::string(text, std::strcspn(text, "\n"))) : std::nullopt;
  };
  return {read, true};
}

#endif

}  // namespace

bool take_interrupt() {
  if (!interrupted) return false;
  interrupted = 0;
  return true;
}

void stop_catching_interrupts() {
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  if (now.sa_handler == stop_soon) handle_with(SIG_DFL);
}

std::optional<std::int64_t> terminal_columns() {
  const int columns = is_person() ? terminal_size().ws_col : 0;
  return columns > 0 ? std::optional<std::int64_t>(columns) : std::nullopt;
}

Lines lines_of(const std::string& source, const Completer& complete) {
  if (source.empty()) return is_person() ? lines_of_person(stdin, complete) : lines_from(std::cin);
  const int terminal = open(source.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || isatty(terminal) == 0) {
    if (terminal >= 0) close(terminal);
    return lines_of_file(source);
  }
  return lines_of_person(fdopen(terminal, "r+"), complete);  // never closed: it is read until the end
}

}  // namespace autograd::debug
