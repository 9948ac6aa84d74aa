#include "examples/translate/messages.h"

#include <autograd/text/printable.h>
#include <fmt/core.h>

#include <algorithm>

namespace translate {

void say(const std::string& text, std::FILE* stream) {
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return autograd::printable(text);
}

void refuse_option(std::string_view found, std::string_view advice, Where where) {
  autograd::fail(autograd::ErrorId::bad_argument, "translate", where, found, advice);
}

void check_range(std::string_view option, std::int64_t value, std::int64_t smallest, std::int64_t largest,
                 Where where) {
  if (smallest <= value && value <= largest) return;
  const std::string range = value < smallest ? fmt::format("it is at least {}", smallest)
                                             : fmt::format("it is from {} to {}", smallest, largest);
  refuse_option(fmt::format("--{} is {}", option, value), range, where);
}

void refuse_files(std::string_view found, std::string_view advice, Where where) {
  autograd::fail(autograd::ErrorId::bad_file, "translate", where, found, advice);
}

}  // namespace translate
