#include "runner/system/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace learn {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

void make_folder(const std::string& path) {
  std::error_code error;
  if (!path.empty()) fs::create_directories(path, error);
  if (error) fail("make the folder", path, error.value());
}

// Reading from a pipe or a device may never end.
bool is_pipe_or_device(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void write_all(int file, const std::string& text, const std::string& path, const std::string& temporary) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(file, text.data() + written, text.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      const int error = errno;
      ::close(file);
      ::unlink(temporary.c_str());
      fail("write", path, error);
    }
  }
}

// A run's folder is called PID.XXXXXX.
bool owner_is_gone(const std::string& name) {
  const long pid = std::strtol(name.c_str(), nullptr, 10);
  return pid > 0 && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

void clear_left_behind(const std::string& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    std::error_code ignored;
    if (owner_is_gone(entry.path().filename())) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

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
  if (!file) fail("read", path, errno);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (file.bad()) fail("read", path, errno ? errno : EISDIR);
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  make_folder(fs::path(path).parent_path());
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) fail("write", path, errno);
  struct stat old {};
  ::fchmod(file, ::stat(path.c_str(), &old) == 0 ? old.st_mode & 0777 : 0644);
  write_all(file, text, path, temporary);
  const bool synced = ::fsync(file) == 0;
  const int sync_error = errno;
  if (::close(file) != 0 || !synced || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = synced ? errno : sync_error;
    ::unlink(temporary.c_str());
    fail("write", path, reason);
  }
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

Lock::Lock(const std::string& path) {
  make_folder(fs::path(path).parent_path());
  file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (file_ < 0) fail("write", path, errno);
  while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

Lock::~Lock() {
  ::close(file_);
}

RunFolder::RunFolder(const std::string& parent) {
  make_folder(parent);
  clear_left_behind(parent);
  path_ = fmt::format("{}/{}.XXXXXX", parent, ::getpid());
  if (!::mkdtemp(path_.data())) fail("make a folder in", parent, errno);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace learn
