#include "runner/system/keys.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "autograd/text/terminal.h"

namespace learn {
namespace {

volatile sig_atomic_t resized = 0;

void note_resize(int) {
  resized = 1;
}

// What a terminal sends after Escape for keys that are not characters: "[A", "OA", "[5~".
std::string rest_of_sequence() {
  std::string rest;
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  while (rest.size() < 8 && ::poll(&waiting, 1, 30) > 0) {
    char byte = 0;
    if (::read(STDIN_FILENO, &byte, 1) != 1) break;
    rest += byte;
    const bool introduces = rest.size() == 1 && (byte == '[' || byte == 'O');
    if (!introduces && byte >= '@' && byte <= '~') break;
  }
  return rest;
}

Key key_of_sequence(const std::string& rest) {
  static constexpr struct {
    const char* sequence;
    Key::Kind kind;
  } known[] = {{"[A", Key::Kind::up},    {"OA", Key::Kind::up},       {"[B", Key::Kind::down},
               {"OB", Key::Kind::down},  {"[5~", Key::Kind::page_up}, {"[6~", Key::Kind::page_down},
               {"[H", Key::Kind::first}, {"OH", Key::Kind::first},    {"[1~", Key::Kind::first},
               {"[F", Key::Kind::last},  {"OF", Key::Kind::last},     {"[4~", Key::Kind::last},
               {"", Key::Kind::escape}};
  for (const auto& [sequence, kind] : known) {
    if (rest == sequence) return {kind, 0};
  }
  return {};  // a character 0, which means nothing to anybody
}

}  // namespace

Keys::Keys() : active_(::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO) && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
  if (!active_) return;
  termios single = before_;
  single.c_lflag &= static_cast<tcflag_t>(~(ICANON | ECHO));
  single.c_cc[VMIN] = 1;
  single.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &single);
  struct sigaction action {};
  action.sa_handler = note_resize;
  ::sigaction(SIGWINCH, &action, nullptr);
}

Keys::~Keys() {
  if (active_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

Key Keys::read() const {
  char byte = 0;
  if (::read(STDIN_FILENO, &byte, 1) != 1) return errno == EINTR ? Key{} : Key{Key::Kind::gone, 0};
  switch (byte) {
    case '\033': return key_of_sequence(rest_of_sequence());
    case '\n':
    case '\r': return {Key::Kind::enter, 0};
    case '\b':
    case '\177': return {Key::Kind::backspace, 0};
    default: return {Key::Kind::character, byte};
  }
}

bool terminal_was_resized() {
  const bool was = resized != 0;
  resized = 0;
  return was;
}

int terminal_height() {
  const int rows = autograd::terminal_size().ws_row;
  return rows > 0 ? rows : 24;
}

}  // namespace learn
