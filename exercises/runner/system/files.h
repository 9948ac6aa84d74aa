// Files, whole: read at once, and written so that they are there completely or not at all.
#pragma once

#include <string>
#include <vector>

namespace learn {

// Throws std::runtime_error: "cannot read answers.json: Permission denied".
[[noreturn]] void cannot(const std::string& what, const std::string& path, int error);

// Throws std::runtime_error, which names the file and the reason.
std::string read_file(const std::string& path);
// Through a temporary file beside it: whatever goes wrong, the old one is still there. Makes missing folders.
void write_file(const std::string& path, const std::string& text);
bool exists(const std::string& path);
// Bytes in a folder and those in it, as far as they can be seen.
std::size_t folder_size(const std::string& folder);
// A file, and no link to one: what others have written may be read without waiting, and without reading something else.
bool is_plain_file(const std::string& path);
// The file's lines, without their ends; none if it cannot be read.
std::vector<std::string> lines_of(const std::string& path);
// The same path, absolute, without links and dots; what does not exist stays as it is written.
std::string full_path(const std::string& path);
// Is a full path in this folder, or the folder itself?
bool is_inside(const std::string& path, const std::string& folder);
// "/a/b/c.cpp" -> "c.cpp"; "c.cpp" -> "c".
std::string file_name(const std::string& path);
std::string without_extension(const std::string& name);

// Sixteen hex digits that change when the text does.
std::string fingerprint(const std::string& text);

// Held while something that several runners may change is read and written.
class Lock {
 public:
  // Makes the file and its folder. Throws std::runtime_error where it cannot.
  explicit Lock(const std::string& path);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

// A folder under `parent` for one run, removed with this object. The next runner removes what killed ones left behind.
class RunFolder {
 public:
  explicit RunFolder(const std::string& parent);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace learn
