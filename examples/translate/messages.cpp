#include "examples/translate/messages.h"

#include <fmt/core.h>
#include <nn/pictures/display_text.h>

#include <algorithm>

namespace translate {

void say(const std::string& text, std::FILE* stream) {
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

std::string counted(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string quoted(const std::filesystem::path& path) {
  constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
  const std::string text = path.string();
  if (!text.empty() && text.find_first_not_of(harmless) == std::string::npos) return text;
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return nn::printable(text);
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
