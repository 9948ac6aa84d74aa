// Style: how text looks on the screen it goes to: its width, whether it has colours, and whether it knows more than
// ASCII. Everything that is shown is made as a std::string first, so that it can be tested, and goes through show().
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/text/layout.h"

namespace learn {

class Style {
 public:
  std::size_t width = 100;     // of text: what is longer is hard to read
  std::size_t terminal = 100;  // of the whole screen
  bool colour = false;
  bool unicode = true;
  bool in_page = false;      // where one presses buttons, instead of typing commands
  bool has_commands = true;  // the reader can type `learn why`: a learner, on the own desk

  std::string bold(std::string_view text) const { return painted(text, "1"); }
  std::string dim(std::string_view text) const { return painted(text, "2"); }
  std::string red(std::string_view text) const { return painted(text, "31"); }
  std::string green(std::string_view text) const { return painted(text, "32"); }
  std::string yellow(std::string_view text) const { return painted(text, "33"); }
  std::string cyan(std::string_view text) const { return painted(text, "36"); }

 private:
  std::string painted(std::string_view text, std::string_view code) const;
};

// Of standard output: the terminal's width (COLUMNS first), colours unless NO_COLOR is set or it is not a terminal,
// Unicode if the locale says UTF-8.
Style terminal_style();

using autograd::display_width;
using autograd::padded;
using autograd::padded_left;

// autograd::wrapped of what can be typed.
std::string wrapped(std::string_view text, std::size_t width, std::string_view first = "");

// What is not ASCII, written in ASCII as well as can be.
std::string to_ascii(std::string_view text);

// "learn why 19" -> "./learn why 19", if that is how the program was called (the launcher on a desk says so in
// LEARN_NAME): what is shown can be typed.
std::string as_called(std::string_view text);

// What a terminal may be given: text, our own colours, and what wipes a line or the screen. All else that it would
// obey, in a file's name or an answer's message, is made printable.
std::string terminal_text(std::string_view text);
// Prints to standard output, at once, as this screen can show it.
void show(const Style& style, std::string_view text);
// A message on a terminal that is wiped away with this object.
class PassingNotice {
 public:
  explicit PassingNotice(const std::string& text);
  ~PassingNotice();
  PassingNotice(const PassingNotice&) = delete;
  PassingNotice& operator=(const PassingNotice&) = delete;

 private:
  bool shown_ = false;
};
// Prints to standard error: "learn: ...".
void complain(std::string_view sentence);

// Two columns where the screen has room for them, one below the other elsewhere. Each begins with its heading.
std::string side_by_side(const Style& style, const std::vector<std::string>& left,
                         const std::vector<std::string>& right, std::string_view indent = "");

}  // namespace learn
