// Keys: single keys from a terminal, without echo, as long as this lives; and whether the terminal's size has changed.
#pragma once

#include <termios.h>

namespace learn {

struct Key {
  enum class Kind { character, up, down, page_up, page_down, first, last, enter, escape, backspace, gone };
  Kind kind = Kind::character;
  char character = 0;

  bool is(char wanted) const { return kind == Kind::character && character == wanted; }
};

class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  // False where input or output is not a terminal: no key will come.
  bool active() const { return active_; }
  // Waits for one. Kind::gone when the terminal is.
  Key read() const;

 private:
  termios before_{};
  bool active_;
};

// Has it been resized since the last call? A resize ends a poll() that waits, with EINTR.
bool terminal_was_resized();
// In lines; 24 where it is not known.
int terminal_height();

}  // namespace learn
