#include "runner/mine/build_plugs.h"

#include <fmt/format.h>

#include <filesystem>
#include <regex>
#include <stdexcept>
#include <thread>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

// For the shell, in a file of Ninja's.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : shell_quoted(text)) result += c == '$' ? "$$" : std::string(1, c);
  return result;
}

// Writes a file unless it says that already, so that Ninja sees no change.
void write_if_new(const std::string& path, const std::string& text) {
  if (!exists(path) || read_file(path) != text) write_file(path, text);
}

std::string rules() {
  const Settings& its = settings();
  std::string flags = "-std=c++20 -O1 -w -fPIC -DFMT_SHARED -I.";
  for (const std::string& folder : its.include) flags += " -I" + quoted(folder);
  return fmt::format(R"(cxx = {}
flags = {}
rule precompile
  command = $cxx $flags -x c++-header all.h -o $out -MD -MF $out.d
  depfile = $out.d
rule plug
  command = $cxx $flags {} -I$folder -MD -MF $out.d -shared $in -o $out
  depfile = $out.d
)",
                     quoted(its.compiler), flags,
                     its.compiler_is_gnu ? "-fno-gnu-unique -include all.h" : "-include-pch all.pch");
}

std::string plug_name(const OwnPart& part) {
  return "plug_" + part.exercise.number();
}

// The plug and, behind it, the answer: by a path from `folder`, since #include does not take every character that the
// name of a desk may have.
std::string plug_source(const OwnPart& part, const std::string& folder) {
  const fs::path answer = fs::path(part.answer).lexically_relative(folder);
  return fmt::format("#define PLUG_{}\n#include \"{}\"\n#include \"{}\"\n", part.exercise.number(), part.plug,
                     answer.string());
}

std::string ninja_file(const std::vector<OwnPart>& parts) {
  const std::string header = settings().compiler_is_gnu ? "all.h.gch" : "all.pch";
  std::string text = rules() + fmt::format("build {}: precompile all.h\n", header);
  for (const OwnPart& part : parts) {
    if (part.answer.empty()) continue;
    text += fmt::format("build {0}.so: plug {0}.cpp | {1}\n  folder = {2}\ndefault {0}.so\n", plug_name(part), header,
                        quoted(part.exercise.folder));
  }
  return text;
}

// Five columns, as exercises/mine/plugs.h has it.
std::string list_of(const std::string& folder, const std::vector<OwnPart>& parts) {
  std::string text;
  for (const OwnPart& part : parts) {
    const std::string library = part.answer.empty() ? "" : fmt::format("{}/{}.so", folder, plug_name(part));
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", part.exercise.number(), part.exercise.title(), part.part, library,
                        part.remark);
  }
  return text;
}

[[noreturn]] void fail(const std::string& output) {
  std::smatch found;
  if (std::regex_search(output, found, std::regex("FAILED: plug_(\\d+)\\.so"))) {
    throw std::runtime_error(
        fmt::format("your {} does not compile: `learn check {}` says why", found.str(1), found.str(1)));
  }
  throw std::runtime_error("this part of the course does not compile, which is not your fault:\n" +
                           output.substr(std::min(output.find("FAILED:"), output.size())));
}

}  // namespace

std::string build_plugs(const std::string& folder, const std::vector<OwnPart>& parts) {
  if (!has_program("ninja")) throw std::runtime_error("this needs Ninja (Debian: ninja-build)");
  const Lock lock(folder + "/lock");
  write_if_new(folder + "/all.h", "#include <judge/learner.h>\n#include <mine/parts.h>\n");
  for (const OwnPart& part : parts) {
    if (part.answer.empty()) continue;
    write_if_new(fmt::format("{}/{}.cpp", folder, plug_name(part)), plug_source(part, folder));
  }
  write_if_new(folder + "/build.ninja", ninja_file(parts));
  write_file(folder + "/plugs", list_of(folder, parts));
  const std::string jobs = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
  const Finished built =
      run_process({"ninja", "-C", folder, "-j", jobs}, {.seconds = patience_for(600.0), .environment = {"LC_ALL=C"}});
  if (built.exit_code != 0) fail(built.output);
  return folder + "/plugs";
}

}  // namespace learn
