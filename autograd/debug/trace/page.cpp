#include "autograd/debug/trace/page.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "autograd/debug/trace/page_template.h"
#include "autograd/pictures/chart.h"
#include "autograd/tensor/error.h"
#include "autograd/text/printable.h"
#include "autograd/text/whole_file.h"

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

// What an address may hold; everything else as %41.
std::string escaped_for_address(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == ' ')) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", byte);
    }
  }
  return result;
}

// A picture for each of gradients, weights and updates, with a line for each module.
std::string charts(const History& history) {
  if (history.passes.size() < 2) return "";
  constexpr std::size_t most_lines = 8;  // the eye tells no more colours apart
  struct Kind {
    const char* title;
    double ModuleSizes::*size;
  };
  std::string text;
  for (const Kind& kind :
       {Kind{"Norm of the gradients", &ModuleSizes::gradient}, Kind{"Norm of the updates", &ModuleSizes::update},
        Kind{"Norm of the weights", &ModuleSizes::weight}}) {
    std::vector<ChartSeries> lines;
    for (const ModuleHistory& module : history.modules) {
      if (lines.size() == most_lines) break;
      ChartSeries line{.name = printable(module.module), .x = {history.passes.begin(), history.passes.end()}};
      for (const ModuleSizes& each : module.sizes) line.y.push_back(each.*kind.size);
      lines.push_back(std::move(line));
    }
    const ChartOptions options{.title = kind.title, .x_axis = "backward pass", .y_logarithmic = true, .width = 460.0};
    const ChartSpan span = chart_span(lines, options);
    text += fmt::format(
        "<img alt=\"{}, by module, over all passes\" data-span=\"{} {} {} {}\" src=\"data:image/svg+xml,{}\">\n",
        kind.title, span.left, span.right, span.low, span.high, escaped_for_address(chart_svg(lines, options)));
  }
  return text;
}

// nullptr also for a pipe from which nobody reads: fopen() would wait until somebody does.
std::FILE* open_without_waiting(const std::string& file) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
  if (opened < 0) return nullptr;
  ::fcntl(opened, F_SETFL, ::fcntl(opened, F_GETFL) & ~O_NONBLOCK);  // writing may wait
  return ::fdopen(opened, "wb");
}

// 0, or the number of the error.
int try_to_write(const std::string& file, const std::string& content) {
  std::FILE* stream = open_without_waiting(file);
  if (!stream) return errno;
  const bool good = std::fwrite(content.data(), 1, content.size(), stream) == content.size();
  const int error = good ? 0 : errno;
  return std::fclose(stream) != 0 && good ? errno : error;
}

// A device or a pipe, which a file of the same name must not replace.
bool is_no_file(const std::string& file) {
  std::error_code problem;
  const auto status = std::filesystem::status(file, problem);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

void write_file(const std::string& file, const std::string& content) {
  std::string reason;
  try {
    if (is_no_file(file)) {
      if (const int error = try_to_write(file, content)) reason = std::strerror(error);
    } else {
      write_whole(file, content);
    }
  } catch (const NotWritten& error) {
    reason = error.what();
  }
  if (reason.empty()) return;
  fail(ErrorId::bad_file, "trace", Where(), fmt::format("{} was not written: {}", file, reason),
       "choose a folder that exists and can be written to, and make room. If there was a file before, it is unchanged");
}

std::string to_page(const Trace& trace) {
  std::string page = page_html();
  fill_in(page, "/*PAGE_CSS*/", page_css());
  fill_in(page, "/*PAGE_JS*/", page_js());
  fill_in(page, "PAGE_CHARTS", charts(trace.history));
  fill_in(page, "PAGE_TRACE", escaped_for_script(to_json(trace)));  // last: a name in it may look like a mark
  return page;
}

void write_page(const Trace& trace, const std::string& file) {
  write_file(file, to_page(trace));
}

void write_page(const Recording& recording, const PassRecord& pass, const std::string& file) {
  write_page(make_trace(recording, pass), file);
}

void write_trace(const Trace& trace, const std::string& file) {
  write_file(file, file.ends_with(".json") ? to_json(trace) + "\n" : to_page(trace));
}

}  // namespace autograd::debug
