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

std::string quoted(const std::filesystem::path& path) {
  constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
  const std::string text = path.string();
  if (!text.empty() && text.find_first_not_of(harmless) == std::string::npos) return text;
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return nn::printable(text);
}

}  // namespace translate
