// AtomicFile: writes a file completely or not at all. It writes a temporary file in the same folder, and renames it at
// the end. Whatever goes wrong, a full disk or a crash, the old file is still there.
#pragma once

#include <autograd/tensor/where.h>

#include <cstddef>
#include <string>

namespace nn {

class AtomicFile {
 public:
  // Throws bad-file if the temporary file cannot be made.
  explicit AtomicFile(const std::string& path, autograd::Where where);
  // Removes the temporary file unless commit() has renamed it.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Throws bad-file, which says "No space left on device" and how many bytes had been written. (Where ulimit -f allows
  // no larger file, that is an error too if the program ignores the signal SIGXFSZ; by default that ends it.)
  void write(const void* data, std::size_t bytes);
  // Waits until everything is on the disk, then renames the file. Throws bad-file, but not after it has renamed.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path_;
  std::string folder_;
  std::string temporary_;
  autograd::Where where_;
  int file_ = -1;
  std::size_t written_ = 0;
};

// Writes a whole text as a file. Throws bad-file.
void write_file(const std::string& path, const std::string& text, autograd::Where where = autograd::Where::current());

}  // namespace nn
