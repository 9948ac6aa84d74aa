#include "autograd/text/whole_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace autograd {
namespace {

// The target of a symbolic link, because renaming over the link itself would replace the link.
std::string followed(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

// A name that nobody else uses at the same time.
std::string temporary_name(const std::string& path) {
  static std::atomic<int> counter{0};
  return fmt::format("{}.{}-{}.tmp", path, getpid(), counter++);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Flushes the folder, so that the new name is on the disk too. An error here does not affect the content.
void sync_folder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

// ", files here end at 51200 bytes (ulimit -f)", or "" where there is no such limit.
std::string largest_file() {
#ifdef RLIMIT_FSIZE  // not in WebAssembly
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    return fmt::format(", files here end at {} bytes (ulimit -f)", limit.rlim_cur);
  }
#endif
  return "";
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(followed(path)), temporary_(temporary_name(path_)) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path_, ignored);
  if (exists && !std::filesystem::is_regular_file(path_, ignored)) fail("it is not a regular file", 0);
  file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) fail("no temporary file can be made beside it", errno);
#ifndef __wasm__  // where files have no mode
  struct stat old {};
  if (exists && stat(path_.c_str(), &old) == 0) fchmod(file_, old.st_mode & 0777);
#endif
}

WholeFile::~WholeFile() {
  if (file_ < 0) return;
  close(file_);
  unlink(temporary_.c_str());
}

void WholeFile::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t count = ::write(file_, next, std::min<std::size_t>(bytes, std::size_t{1} << 30));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(fmt::format("after {} bytes", written_), errno);
    next += count;
    bytes -= static_cast<std::size_t>(count);
    written_ += static_cast<std::size_t>(count);
  }
}

void WholeFile::commit() {
  const std::string folder = folder_of(path_);  // before the renaming, after which nothing may fail
  if (fsync(file_) != 0) fail(fmt::format("after {} bytes", written_), errno);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming the temporary file", errno);
  close(file_);
  file_ = -1;
  sync_folder(folder);
}

void WholeFile::fail(const std::string& what, int error) const {
  std::string reason = error == 0 ? what : fmt::format("{}: {}", what, std::strerror(error));
  if (error == EFBIG) reason += largest_file();
  throw NotWritten(reason);
}

void write_whole(const std::string& path, const std::string& text) {
  WholeFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace autograd
