#include "autograd/debug/source_lines.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace autograd::debug {
namespace {

namespace fs = std::filesystem;

std::string file_in(const fs::path& folder, const std::string& name) {
  std::error_code problem;
  const fs::path path = folder / name;
  if (!fs::is_regular_file(path, problem)) return "";
  const fs::path real = fs::canonical(path, problem);
  return problem ? path.string() : real.string();  // not every system can say: WebAssembly's does not
}

}  // namespace

std::string find_source(const std::string& name, const std::vector<std::string>& folders) {
  if (name.empty()) return "";
  for (const std::string& folder : folders) {
    if (const std::string file = file_in(folder, name); !file.empty()) return file;
  }
  std::error_code problem;
  for (const fs::path& start : {fs::current_path(problem), fs::read_symlink("/proc/self/exe", problem).parent_path()}) {
    for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
      if (const std::string file = file_in(folder, name); !file.empty()) return file;
      if (folder == folder.parent_path()) break;
    }
  }
  return "";
}

std::vector<std::string> read_source(const std::string& file) {
  constexpr std::uintmax_t largest = 8'000'000;
  std::error_code problem;
  if (file.empty() || fs::file_size(file, problem) > largest || problem) return {};
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace autograd::debug
