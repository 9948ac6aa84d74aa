#include "runner/system/files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace learn {
namespace {

namespace fs = std::filesystem;

// Reading from a pipe or a device may never end.
bool is_pipe_or_device(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

void cannot(const std::string& what, const std::string& path, int error) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

std::size_t folder_size(const std::string& folder) {
  constexpr std::size_t least = 4096;  // an empty file takes room, too
  std::size_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    const bool file = !entry->is_symlink(gone) && entry->is_regular_file(gone);
    const std::uintmax_t size = file ? entry->file_size(gone) : 0;
    bytes += least + (gone ? 0 : size);
  }
  return bytes;
}

bool is_plain_file(const std::string& path) {
  struct stat state = {};
  return ::lstat(path.c_str(), &state) == 0 && S_ISREG(state.st_mode);
}

std::string read_file(const std::string& path) {
  if (is_pipe_or_device(path)) throw std::runtime_error(path + " is not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) cannot("read", path, errno);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (file.bad()) cannot("read", path, errno ? errno : EISDIR);
  return text.str();
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  if (is_pipe_or_device(path)) return lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::string full_path(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : full.string();
}

bool is_inside(const std::string& path, const std::string& folder) {
  std::string full = full_path(folder);
  if (full.back() == '/') full.pop_back();
  return path == full || path.starts_with(full + "/");
}

std::string file_name(const std::string& path) {
  return fs::path(path).filename();
}

std::string without_extension(const std::string& name) {
  return fs::path(name).stem();
}

std::string fingerprint(const std::string& text) {
  return fmt::format("{:016x}", std::hash<std::string>{}(text));
}

}  // namespace learn
