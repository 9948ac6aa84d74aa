#include "runner/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace learn {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
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

}  // namespace

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("read", path, errno);
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) fail("read", path, errno);
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) fail("make the folder", folder.string(), error.value());
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) fail("write", path, errno);
  ::fchmod(file, 0644);
  write_all(file, text, path, temporary);
  const bool synced = ::fsync(file) == 0;
  const int sync_error = errno;
  if (::close(file) != 0 || !synced || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = synced ? errno : sync_error;
    ::unlink(temporary.c_str());
    fail("write", path, reason);
  }
}

}  // namespace learn
