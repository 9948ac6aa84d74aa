#include "autograd/debug/trace/tracer.h"

#include <fmt/core.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "autograd/debug/instrument_settings.h"
#include "autograd/debug/trace/page.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

constexpr const char* expected =
    "expected trace:FILE with a FILE that ends in .html or .json, then perhaps ,pass=N ,compare=OTHER.json "
    ",tolerance=NUMBER ,values=N ,report=OTHER.json";

[[noreturn]] void refuse_setting(const std::string& what) {
  throw std::invalid_argument(fmt::format("{}; {}", what, expected));
}

bool set_option(TracerOptions& options, const std::string& word) {
  const std::vector<Setting> settings = settings_of(word);
  if (settings.size() != 1 || !settings[0].has_value) return false;
  const Setting& setting = settings[0];
  if (setting.name == "pass") {
    options.pass = count_from_one(setting);
  } else if (setting.name == "compare") {
    options.compare = setting.value;
  } else if (setting.name == "tolerance") {
    options.difference.tolerance = number_between(setting, 0.0, std::numeric_limits<double>::max());
  } else if (setting.name == "values") {
    options.trace.values_per_tensor = static_cast<std::int64_t>(count_from_one(setting));
    options.trace.values_in_all = INT64_MAX;
  } else if (setting.name == "report") {
    options.report = setting.value;
  } else {
    return false;
  }
  return true;
}

// Throws if the file cannot be written, before the program computes for an hour.
void check_writable(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw std::invalid_argument(fmt::format("{} is a folder", file));
  const std::string folder = std::filesystem::path(file).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) == 0) return;
  throw std::invalid_argument(fmt::format("{} cannot be written: its folder: {}", file, std::strerror(errno)));
}

}  // namespace

TracerOptions parse_tracer_options(const std::string& text) {
  TracerOptions options;
  std::size_t end = text.size();
  while (true) {  // options are at the end, because a file's name may have commas too
    const std::size_t comma = text.rfind(',', end == 0 ? 0 : end - 1);
    if (comma == std::string::npos || comma == 0 || !set_option(options, text.substr(comma + 1, end - comma - 1)))
      break;
    end = comma;
  }
  options.file = text.substr(0, end);
  const std::string extension = std::filesystem::path(options.file).extension().string();
  if (extension != ".html" && extension != ".json") {
    refuse_setting(options.file.empty() ? "there is no file's name"
                                        : fmt::format("'{}' ends otherwise", printable(options.file)));
  }
  return options;
}

Tracer::Tracer(TracerOptions options) : options_(std::move(options)) {
  check_writable(options_.file);
  if (!options_.report.empty()) check_writable(options_.report);
  if (!options_.compare.empty()) right_ = read_trace(options_.compare);
}

void Tracer::pass_begins(Pass& pass) {
  Recording::pass_begins(pass);
  report_.passes = history().count;
}

void Tracer::pass_ends(Pass& pass) {
  Recording::pass_ends(pass);
  if (is_resting()) return forget();  // written when something was found in it
  if (done_ || !last() || last()->number != options_.pass) return;
  write(*last());
}

// Whatever pass was asked for, and written, the one to look at is this.
bool Tracer::found(const Finding& finding, const Node*, const std::string&) {
  Finding mark = finding;
  mark.backward = running() != nullptr;
  if (!report_.found) report_.found = mark;
  write_report();
  if (!is_resting()) write(running() ? *running() : *program(), mark);
  return false;  // the user is still to be told
}

// The program goes on if this fails.
void Tracer::write_report() {
  if (options_.report.empty()) return;
  try {
    write_file(options_.report, to_json(report_) + "\n");
  } catch (const std::exception& problem) {
    fmt::print(stderr, "backstep: trace: {}\n", problem.what());
  }
}

void Tracer::say(const std::string& text) const {
  if (options_.report.empty()) fmt::print(stderr, "backstep: {}\n", text);
}

void Tracer::program_ends() {
  write_report();
  if (done_) return write_history();
  say(fmt::format("nothing was written to {}: pass {} was wanted, and the program had only {}", options_.file,
                  options_.pass, report_.passes));
}

// The program is at its end, and the page has been written long before.
void Tracer::write_history() {
  if (!written_ || history().count == written_->history.count) return;
  written_->history = history();
  try {
    write_trace(*written_, options_.file);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "backstep: trace: {}\n", problem.what());
  }
}

void Tracer::begin_in_child() {
  written_.reset();
  const std::filesystem::path file = options_.file;
  const std::string own = fmt::format("{}.{}{}", file.stem().string(), getpid(), file.extension().string());
  options_.file = (file.parent_path() / own).string();
  options_.report = "";
  if (done_) options_.pass += report_.passes;
  done_ = false;
  rest(false);
}

// The program goes on if this fails.
void Tracer::write(const PassRecord& pass, const std::optional<Finding>& mark) {
  done_ = true;
  if (mark || FindingSource::alive == 0) rest();
  try {
    write_pass(pass, mark);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "backstep: trace: {}\n", problem.what());
  }
  if (is_resting() && !running()) forget();
}

void Tracer::write_pass(const PassRecord& pass, const std::optional<Finding>& mark) {
  Trace trace = make_trace(*this, pass, options_.trace);
  if (right_) {
    difference_ = first_difference(*right_, trace, options_.difference);
    if (difference_.found) {
      trace.mark = {.kind = Finding::Kind::difference,
                    .text = difference_.text,
                    .node = difference_.node,
                    .backward = difference_.backward};
    }
    say(difference_.found ? difference_.text : fmt::format("no difference from {}", options_.compare));
  }
  if (mark) trace.mark = mark;
  write_trace(trace, options_.file);
  written_ = std::move(trace);
  if (pass.is_forward) {
    return say(fmt::format("the forward pass so far, with {}, written to {}", pass.all_text(), options_.file));
  }
  say(fmt::format("backward pass {} with {} written to {}{}", pass.number, pass.all_text(), options_.file,
                  pass.completed ? "" : " (it did not come to its end)"));
}

// ---- from the environment ---------------------------------------------------------------------------------------------

namespace {

Tracer* from_environment = nullptr;

}  // namespace

Observer* make_tracer(const std::string& argument) {
  auto* tracer = new Tracer(parse_tracer_options(argument));
  if (!from_environment) {
    // nlohmann/json keeps tables for enumerations: made before this handler is registered, they are there when it runs.
    Trace with_all;
    with_all.groups.emplace_back();
    with_all.mark.emplace();
    to_json(with_all);
    std::atexit([] { from_environment->program_ends(); });
    pthread_atfork(nullptr, nullptr, [] { from_environment->begin_in_child(); });
  }
  from_environment = tracer;
  return tracer;
}

}  // namespace autograd::debug
