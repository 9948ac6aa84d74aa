// A folder of its own for files of text, removed at the end.
#pragma once

#include <string>

#include "tests/support/temporary_folder.h"

namespace fixtures {

class TextFolder {
 public:
  std::string path() const { return folder_.path().string(); }
  std::string path(const std::string& file) const { return folder_ / file; }
  void write(const std::string& file, const std::string& text) const { fixtures::write(path(file), text); }

 private:
  TemporaryFolder folder_;
};

}  // namespace fixtures
