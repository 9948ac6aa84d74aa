// FileWatch: waits until files change. With Linux's inotify where that works, by looking twice a second elsewhere
// (network and shared folders tell nobody about changes made on the other side).
#pragma once

#include <string>

namespace learn {

class FileWatch {
 public:
  // `poll`: only look.
  FileWatch(std::string folder, bool poll);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // A descriptor that becomes readable when something may have changed, or -1.
  int descriptor() const { return inotify_; }
  // Drops the events that have arrived.
  void clear();
  bool polls() const { return inotify_ < 0; }

 private:
  int inotify_ = -1;
};

// Is the folder on a file system where inotify does not see all changes?
bool needs_polling(const std::string& folder);

}  // namespace learn
