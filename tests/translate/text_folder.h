// A folder of its own for files of text, removed at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fixtures {

class TextFolder {
 public:
  TextFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "backstep-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~TextFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TextFolder(const TextFolder&) = delete;
  TextFolder& operator=(const TextFolder&) = delete;

  std::string path() const { return folder_.string(); }
  std::string path(const std::string& file) const { return (folder_ / file).string(); }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(path(file), std::ios::binary) << text;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace fixtures
