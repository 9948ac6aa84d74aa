// The lines of the user's source files, as far as they can be found. Private to the trace.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace autograd::debug {

class SourceLines {
 public:
  const std::vector<std::string>& lines_of(const std::string& file);  // none if the file cannot be read
  // Without the spaces at both ends; "" if the file cannot be read, or is shorter.
  std::string text(const std::string& file, int line);

 private:
  std::unordered_map<std::string, std::vector<std::string>> files_;
};

}  // namespace autograd::debug
