#include "runner/check/sanitizers.h"

#include <algorithm>
#include <filesystem>

#include "runner/system/files.h"

namespace learn {

namespace fs = std::filesystem;

// A path may have a blank or a colon in it, which end a value that stands without quotation marks.
static std::string quoted(const std::string& path) {
  const char mark = path.find('\'') == std::string::npos ? '\'' : '"';
  return mark + path + mark;
}

std::vector<std::string> sanitizer_environment(const std::string& log) {
  // 254 is what -ftrivial-auto-var-init=pattern writes into local variables, too: -5.3e303 as a double.
  const std::string address =
      "color=never:handle_abort=1:detect_stack_use_after_return=1:max_malloc_fill_size=1073741824:malloc_fill_byte=254:"
      "hard_rss_limit_mb=1200:detect_leaks=1:exitcode=86:print_legend=0:allow_addr2line=1:log_path=" +
      quoted(log);
  const std::string undefined = "color=never:halt_on_error=1:print_stacktrace=1:exitcode=87:log_path=" + quoted(log);
  return {"ASAN_OPTIONS=" + address, "UBSAN_OPTIONS=" + undefined, "LSAN_OPTIONS=", "BACKSTEP=", "LC_ALL=C.UTF-8"};
}

std::string read_logs(const std::string& log) {
  const fs::path path(log);
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path.parent_path())) {
    if (is_plain_file(entry.path()) && entry.path().filename().string().rfind(path.filename().string() + ".", 0) == 0)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::string text;
  for (const std::string& file : files) text += read_file(file);
  return text;
}

}  // namespace learn
