#include "autograd/debug/trace/source_lines.h"

#include <filesystem>
#include <fstream>

namespace autograd::debug {
namespace {

namespace fs = std::filesystem;

// "nn/linear.cpp" is relative to the project's folder, which is often the current one, or one above the program, as in
// build/release/examples/program.
fs::path find_file(const std::string& file) {
  std::error_code error;
  if (fs::path(file).is_absolute()) return file;
  for (const fs::path& start : {fs::current_path(error), fs::read_symlink("/proc/self/exe", error).parent_path()}) {
    for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
      if (fs::is_regular_file(folder / file, error)) return folder / file;
      if (folder == folder.parent_path()) break;
    }
  }
  return {};
}

std::vector<std::string> read_lines(const fs::path& path) {
  constexpr std::uintmax_t largest = 8'000'000;  // no source file
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > largest) return {};
  std::vector<std::string> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

const std::vector<std::string>& SourceLines::lines_of(const std::string& file) {
  const auto [place, is_new] = files_.try_emplace(file);
  if (is_new) place->second = read_lines(find_file(file));
  return place->second;
}

std::string SourceLines::text(const std::string& file, int line) {
  const std::vector<std::string>& lines = lines_of(file);
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return "";
  const std::string& text = lines[static_cast<std::size_t>(line) - 1];
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace autograd::debug
