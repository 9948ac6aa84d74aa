#include "runner/check/answer_object.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string_view>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

// "_ZN5judge7observeE.." -> "judge::observe"
std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = text ? text : symbol;
  std::free(text);
  return name.substr(0, name.find_first_of("[("));
}

// clang counts the lists of what its sanitizers leave out among what a file depends on.
bool is_list_of_sanitizer(const std::string& path) {
  return file_name(path).ends_with("_ignorelist.txt");
}

bool may_be_included(const Exercise& exercise, const std::string& answer, const std::string& path) {
  const std::string& project = settings().project;
  const std::string own_folder = fs::path(answer).parent_path();
  std::vector<std::string> folders{own_folder, project + "/autograd", project + "/nn",
                                   project + "/exercises/judge/given", settings().cache + "/precompiled"};
  // clang writes "/" for a "\\" in a path.
  if (!settings().compiler_is_gnu) {
    std::replace(folders.emplace_back(own_folder).begin(), folders.back().end(), '\\', '/');
  }
  folders.insert(folders.end(), settings().system_include.begin(), settings().system_include.end());
  return path == full_path(exercise.folder + "/given.h") || path == full_path(project + "/exercises/judge/learner.h") ||
         std::any_of(folders.begin(), folders.end(), [&](const auto& folder) { return is_inside(path, folder); });
}

// For people: where somebody's folder lies on this machine does not belong in a report.
std::string without_machine(const std::string& path) {
  const std::string project = full_path(settings().project);
  return is_inside(path, project) ? fs::path(path).lexically_relative(project).string() : file_name(path);
}

bool is_of_the_check(const std::string& symbol) {
  static const std::regex own(R"(_ZNK?5judge.*)");
  return std::regex_match(symbol, own);
}

// Of the functions that reach a descriptor: by one the check speaks with the judge.
bool reaches_a_descriptor(const std::string& symbol) {
  static const std::regex function(
      R"((__|__libc_)?((send|recv)(to|from|msg|mmsg)?|p?(read|write)v?2?|v?dprintf|dup[23]?|fcntl|fdopen|sendfile|splice|tee)"
      R"(|vmsplice|copy_file_range|aio_(read|write)|lio_listio|ioctl|syscall|dlv?sym|dlm?open)(64)?(_chk|_nocancel)?)");
  return std::regex_match(symbol, function);
}

// Where nm has a variable. What lies among the code counts as code, whatever it was declared as.
bool is_data(const std::string& type) {
  return std::string_view("BDRGSCVu").find(type) != std::string_view::npos;
}

// What has a name of C's takes the place of the system's function or variable of this name, in the check as well. C++
// changes the names of functions, not those of variables: one of these is only in the way where the system has it, too.
bool replaces_what_is_there(const std::string& symbol, bool data) {
  // The compiler's own names begin with "_", or have a dot in them.
  const bool has_a_name_of_c = symbol[0] != '_' && symbol != "main" && symbol.find('.') == std::string::npos;
  return has_a_name_of_c && (!data || ::dlsym(RTLD_DEFAULT, symbol.c_str()));
}

bool is_foreign(const std::string& symbol, const std::string& type) {
  if (type == "U" || type == "w" || type == "v") return is_of_the_check(symbol) || reaches_a_descriptor(symbol);
  const bool weak = type == "W" || type == "V" || type == "u";
  return (!weak && is_of_the_check(symbol)) || replaces_what_is_there(symbol, is_data(type));
}

}  // namespace

std::vector<std::string> paths_in_dependencies(const std::string& text) {
  std::vector<std::string> paths{""};
  std::size_t i = text.find(": ") + 1;
  const std::size_t end = text.find_last_not_of('\n') + 1;
  while (i < end) {
    const std::size_t after = std::min(text.find_first_not_of('\\', i), end);
    const std::size_t backslashes = after - i;
    const char c = after < end ? text[after] : '\n';
    std::string& path = paths.back();
    i = after + 1;
    if (backslashes > 0 && (c == ' ' || c == '\t')) {
      path.append(backslashes / 2, '\\');
      if (backslashes % 2 == 1) path += c;
      if (backslashes % 2 == 0) i = after;
    } else if (backslashes > 0 && c == '#') {
      path.append(backslashes - 1, '\\') += c;
    } else if (backslashes == 1 && c == '\n' && path.empty()) {
      continue;  // the list goes on in the next line
    } else if (c == ' ' && backslashes == 0) {
      if (!path.empty()) paths.emplace_back();
    } else {
      path.append(backslashes, '\\') += c;
      if (c == '$' && i < end && text[i] == '$') ++i;
    }
  }
  if (paths.back().empty()) paths.pop_back();
  return paths;
}

std::string foreign_symbol(const std::string& object) {
  if (!has_program("nm")) return "";
  static const std::regex line_of_nm(R"([0-9a-f ]*\s([A-Za-z]) ([^\s@]+).*)");  // without the version after "@"
  for (const std::string& line : short_lines_in(run_process({"nm", "-g", object}).output)) {
    std::smatch match;
    if (std::regex_match(line, match, line_of_nm) && is_foreign(match[2], match[1])) return demangled(match[2]);
  }
  return "";
}

std::string foreign_include(const Exercise& exercise, const std::string& answer, const std::string& dependencies) {
  for (const std::string& path : paths_in_dependencies(dependencies)) {
    if (!is_list_of_sanitizer(path) && !may_be_included(exercise, answer, full_path(path))) {
      return without_machine(full_path(path));
    }
  }
  return "";
}

std::vector<std::string> calls_of_the_engine(const std::string& object) {
  if (!has_program("nm")) return {};
  static const std::regex symbol(R"(\s*U (_ZNK?8autograd\S+))");
  std::vector<std::string> calls;
  for (const std::string& line : short_lines_in(run_process({"nm", "-u", object}).output)) {
    std::smatch match;
    if (std::regex_match(line, match, symbol)) calls.push_back(match[1]);
  }
  return calls;
}

}  // namespace learn
