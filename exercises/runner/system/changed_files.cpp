// What changes files and folders.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "autograd/text/whole_file.h"
#include "runner/system/files.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

void make_folder(const std::string& path) {
  std::error_code error;
  if (!path.empty()) fs::create_directories(path, error);
  if (error) cannot("make the folder", path, error.value());
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

void write_file(const std::string& path, const std::string& text) {
  make_folder(fs::path(path).parent_path());
  try {
    autograd::write_whole(path, text);
  } catch (const autograd::NotWritten& error) {
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, error.what()));
  }
}

Lock::Lock(const std::string& path) {
  make_folder(fs::path(path).parent_path());
  file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (file_ < 0) cannot("write", path, errno);
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
  if (!::mkdtemp(path_.data())) cannot("make a folder in", parent, errno);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace learn
