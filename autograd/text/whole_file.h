// WholeFile: writes a file completely or not at all. It writes a temporary file in the same folder, and renames it at
// the end. Whatever goes wrong, a full disk or a crash, the old file is still there.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace autograd {

// what() says why: "after 51200 bytes: No space left on device".
struct NotWritten : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Everything but its destructor throws NotWritten.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  // Removes the temporary file unless commit() has renamed it.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // (Where ulimit -f allows no larger file, that is an error too if the program ignores the signal SIGXFSZ; by default
  // that ends it.)
  void write(const void* data, std::size_t bytes);
  // Waits until everything is on the disk, then renames the file. Throws nothing after it has renamed.
  void commit();

  const std::string& path() const { return path_; }  // that of the target, if it is a link

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path_;
  std::string temporary_;
  int file_ = -1;
  std::size_t written_ = 0;
};

// Writes a whole text as a file. Throws NotWritten.
void write_whole(const std::string& path, const std::string& text);

}  // namespace autograd
