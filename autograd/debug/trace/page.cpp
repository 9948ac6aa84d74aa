#include "autograd/debug/trace/page.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "autograd/debug/trace/graphviz.h"
#include "autograd/debug/trace/packed_trace.h"
#include "autograd/debug/trace/page_template.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

// Escapes "<", which could end the <script> element; in JSON it occurs only in strings.
std::string escaped_for_script(const std::string& json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

void fill_in(std::string& page, std::string_view mark, std::string_view content) {
  const std::size_t place = page.find(mark);
  if (place != std::string::npos) page.replace(place, mark.size(), content);
}

[[noreturn]] void fail_to_write(const std::string& file, int error) {
  fail(ErrorId::bad_file, "trace", Where(), fmt::format("{} was not written: {}", file, std::strerror(error)),
       "choose a folder that exists and can be written to, and make room. If there was a file before, it is unchanged");
}

void write_file(const std::string& file, const std::string& content) {
  const std::string temporary = fmt::format("{}.{}.tmp", file, getpid());
  std::FILE* stream = std::fopen(temporary.c_str(), "wb");
  if (!stream) fail_to_write(file, errno);
  bool good = std::fwrite(content.data(), 1, content.size(), stream) == content.size();
  int error = errno;
  if (std::fclose(stream) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && std::rename(temporary.c_str(), file.c_str()) == 0) return;
  if (good) error = errno;
  std::remove(temporary.c_str());
  fail_to_write(file, error);
}

}  // namespace

std::string to_page(const Trace& trace) {
  std::string page = page_html();
  fill_in(page, "/*PAGE_CSS*/", page_css());
  fill_in(page, "/*PAGE_JS*/", page_js());
  fill_in(page, "PAGE_TRACE", escaped_for_script(to_packed_json(trace)));  // last: a name in it may look like a mark
  return page;
}

void write_page(const Trace& trace, const std::string& file) {
  write_file(file, to_page(trace));
}

void write_page(const Recording& recording, const PassRecord& pass, const std::string& file) {
  write_page(make_trace(recording, pass), file);
}

void write_trace(const Trace& trace, const std::string& file) {
  const auto ends_with = [&](std::string_view end) {
    return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
  };
  if (ends_with(".json")) return write_file(file, to_json(trace) + "\n");
  if (ends_with(".dot")) return write_file(file, to_graphviz(trace));
  write_file(file, to_page(trace));
}

}  // namespace autograd::debug
