#include "examples/translate/text_file.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "examples/translate/words.h"

namespace translate {
namespace {

using autograd::ErrorId;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

[[noreturn]] void fail_reading(const std::string& path, const std::string& why, Where where) {
  autograd::fail(ErrorId::bad_file, "read", where, fmt::format("{} cannot be read: {}", path, why),
                 "check the path and the permissions");
}

// Asked before it is opened, because opening a pipe waits for someone to write.
void check_is_file(const std::string& path, Where where) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error) fail_reading(path, error.message(), where);
  if (std::filesystem::is_directory(status)) fail_reading(path, "it is a folder", where);
  if (!std::filesystem::is_regular_file(status)) fail_reading(path, "it is not a regular file", where);
}

[[noreturn]] void fail_too_long(const std::string& path, std::size_t number, Where where) {
  autograd::fail(ErrorId::bad_file, "read", where,
                 fmt::format("{}, line {}: more than {} bytes, which are the most", path, number, longest_line),
                 "put each sentence on a line of its own");
}

void check_line(const std::string& line, const std::string& path, std::size_t number, Where where) {
  if (line.size() > longest_line) fail_too_long(path, number, where);
  const std::optional<std::size_t> invalid = first_invalid_byte(line);
  if (!invalid) return;
  autograd::fail(ErrorId::bad_file, "read", where,
                 fmt::format("{}, line {}: byte {} of the line (0x{:02X}) is not UTF-8", path, number, *invalid + 1,
                             static_cast<unsigned char>(line[*invalid])),
                 "convert the file to UTF-8, with iconv for example");
}

std::ifstream open_file(const std::string& path, Where where) {
  check_is_file(path, where);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_reading(path, std::strerror(errno), where);
  return file;
}

}  // namespace

std::string read_file(const std::string& path, Where where) {
  std::ifstream file = open_file(path, where);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) fail_reading(path, std::strerror(errno), where);
  return text;
}

namespace {

enum class Found { line, nothing, too_long };

// Like std::getline, but gives up on a line that may never end.
Found next_line(std::istream& stream, std::string& room, std::string& line) {
  stream.getline(room.data(), static_cast<std::streamsize>(room.size()));
  const auto count = static_cast<std::size_t>(stream.gcount());
  if (count == 0) return Found::nothing;
  if (stream.fail()) return Found::too_long;
  line = room.substr(0, stream.eof() ? count : count - 1);
  return Found::line;
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path, Where where) {
  std::ifstream file = open_file(path, where);
  return read_lines(file, path, where);
}

std::vector<std::string> read_lines(std::istream& stream, const std::string& path, Where where) {
  std::vector<std::string> lines;
  std::string room(longest_line + 3, '\0');  // a carriage return, the end of the line, one byte more
  std::string line;
  while (true) {
    const Found found = next_line(stream, room, line);
    if (found == Found::nothing) break;
    if (found == Found::too_long) fail_too_long(path, lines.size() + 1, where);
    if (lines.empty() && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.ends_with('\r')) line.pop_back();
    check_line(line, path, lines.size() + 1, where);
    lines.push_back(line);
  }
  if (stream.bad()) fail_reading(path, std::strerror(errno), where);
  return lines;
}

}  // namespace translate
