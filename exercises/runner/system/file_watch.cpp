#include "runner/system/file_watch.h"

#include <unistd.h>

#include <array>

#ifdef __linux__
#include <sys/inotify.h>
#include <sys/vfs.h>
#endif

namespace learn {

#ifdef __linux__

FileWatch::FileWatch(std::string folder, bool poll) {
  if (poll || needs_polling(folder)) return;
  inotify_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (inotify_ < 0) return;
  // The folder, since many editors put a new file in the place of the old one.
  if (::inotify_add_watch(inotify_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB) < 0) {
    ::close(inotify_);
    inotify_ = -1;
  }
}

bool needs_polling(const std::string& folder) {
  // 9p (WSL's Windows drives, virtual machines), fuse (sshfs, Docker), nfs, smb, vboxsf, virtiofs is fuse.
  static constexpr std::array<unsigned long, 7> others = {0x01021997, 0x65735546, 0x6969,    0x517B,
                                                          0xFF534D42, 0xFE534D42, 0x786f4256};
  struct statfs info {};
  if (::statfs(folder.c_str(), &info) != 0) return true;
  for (const unsigned long type : others) {
    if ((static_cast<unsigned long>(info.f_type) & 0xFFFFFFFFUL) == type) return true;
  }
  return false;
}

#else

FileWatch::FileWatch(std::string, bool) {}

bool needs_polling(const std::string&) {
  return true;
}

#endif

FileWatch::~FileWatch() {
  if (inotify_ >= 0) ::close(inotify_);
}

void FileWatch::clear() {
  char buffer[4096];
  while (inotify_ >= 0 && ::read(inotify_, buffer, sizeof buffer) > 0) {
  }
}

}  // namespace learn
