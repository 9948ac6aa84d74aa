#include "runner/check/answer_object.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "runner/course/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

// "_ZN6course7observeE.." -> "course::observe"
std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = text ? text : symbol;
  std::free(text);
  return name.substr(0, name.find_first_of("[("));
}

// The paths after "answer.o:". A space in one is written "\ ", and "\" ends a line.
std::vector<std::string> paths_in(const std::string& dependencies) {
  std::vector<std::string> paths{""};
  for (std::size_t i = dependencies.find(": ") + 1; i < dependencies.size(); ++i) {
    const char c = dependencies[i];
    const char next = i + 1 < dependencies.size() ? dependencies[i + 1] : '\n';
    if (c == '\\' && next != '\n') {
      paths.back() += next;
      ++i;
    } else if (c == ' ' || c == '\n' || c == '\\') {
      if (!paths.back().empty()) paths.emplace_back();
    } else {
      paths.back() += c;
    }
  }
  paths.pop_back();
  return paths;
}

// clang counts the lists of what its sanitizers leave out among what a file depends on.
bool is_list_of_sanitizer(const std::string& path) {
  return file_name(path).ends_with("_ignorelist.txt");
}

bool may_be_included(const Exercise& exercise, const std::string& answer, const std::string& path) {
  const std::string& project = settings().project;
  std::vector<std::string> folders{fs::path(answer).parent_path(), project + "/autograd", project + "/nn",
                                   settings().cache + "/precompiled"};
  folders.insert(folders.end(), settings().system_include.begin(), settings().system_include.end());
  return path == full_path(exercise.folder + "/given.h") ||
         path == full_path(project + "/exercises/course/learner.h") ||
         std::any_of(folders.begin(), folders.end(), [&](const auto& folder) { return is_inside(path, folder); });
}

// Of the check's own functions, and of those that reach a descriptor, where it speaks with the judge.
bool is_used_by_the_check(const std::string& symbol) {
  static const std::regex foreign(
      R"(_ZNK?6course.*|(send|recv)(to|from|msg|mmsg)?|p?(read|write)v?(64)?|syscall|fdopen|dlsym)");
  return std::regex_match(symbol, foreign);
}

// What has a name of C's takes the place of the system's function of this name, in the check as well. The compiler's
// own names begin with "_", or have a dot in them.
bool replaces_a_function(const std::string& symbol) {
  return symbol[0] != '_' && symbol != "main" && symbol.find('.') == std::string::npos;
}

}  // namespace

std::string foreign_symbol(const std::string& object) {
  if (!has_program("nm")) return "";
  static const std::regex line_of_nm(R"([0-9a-f ]*\s([A-Za-z]) (\S+))");
  for (const std::string& line : short_lines_in(run_process({"nm", "-g", object}).output)) {
    std::smatch match;
    if (!std::regex_match(line, match, line_of_nm)) continue;
    const bool is_used = match[1] == "U" || match[1] == "w";
    const std::string symbol = match[2];
    if (is_used ? is_used_by_the_check(symbol) : replaces_a_function(symbol)) return demangled(symbol);
  }
  return "";
}

std::string foreign_include(const Exercise& exercise, const std::string& answer, const std::string& dependencies) {
  for (const std::string& path : paths_in(dependencies)) {
    if (!is_list_of_sanitizer(path) && !may_be_included(exercise, answer, full_path(path))) return path;
  }
  return "";
}

std::vector<std::string> forbidden_calls(const Exercise& exercise, const std::string& object) {
  const std::vector<std::string>& forbidden = exercise.source.not_to_call;
  if (forbidden.empty() || !has_program("nm")) return {};
  static const std::regex symbol(R"(\s*U autograd::(Tensor::)?(\w+)[\[(].*)");
  std::vector<std::string> calls;
  for (const std::string& line : short_lines_in(run_process({"nm", "-C", "-u", object}).output)) {
    std::smatch match;
    if (!std::regex_match(line, match, symbol)) continue;
    const bool differentiates = match[2] == "grad" && !match[1].matched;  // Tensor::grad() only reads
    const std::string name = differentiates ? "backward" : match[2].str();
    const bool counts = std::count(forbidden.begin(), forbidden.end(), name) > 0;
    if (counts && std::count(calls.begin(), calls.end(), name) == 0) calls.push_back(name);
  }
  return calls;
}

}  // namespace learn
