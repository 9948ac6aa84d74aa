#include "runner/explain/diagnostics.h"

#include <regex>
#include <utility>

#include "runner/text/lines.h"

namespace learn {
namespace {

Place place_of(const std::smatch& match) {
  return {match[1], place_number(match[2]), match[3].matched && match[3].length() > 0 ? place_number(match[3]) : 0};
}

// "message [-Wflag]" is taken apart.
void split_flag(Diagnostic& diagnostic) {
  static const std::regex flagged(R"((.*) \[(-W[^\]]*|-fpermissive)\])");
  std::smatch match;
  if (!std::regex_match(diagnostic.message, match, flagged)) return;
  diagnostic.flag = match[2];
  diagnostic.message = match[1].str();
}

}  // namespace

std::vector<Diagnostic> read_diagnostics(const std::string& compiler_output) {
  static const std::regex located(R"(([^\s:][^:]*):(\d+):(?:(\d+):)? (fatal error|error|warning|note): (.*))");
  static const std::regex from(R"(([^\s:][^:]*):(\d+):(?:(\d+):)?   (?:recursively )?required (?:from|by).*)");
  static const std::regex gutter(R"(^ *\d+ \| )");  // g++'s, before the line that it shows
  std::vector<Diagnostic> found;
  std::vector<Place> required_from;
  bool after_note = false;
  for (const std::string& line : short_lines_in(compiler_output)) {
    const bool is_shown = std::exchange(after_note, false);
    std::smatch match;
    if (std::regex_match(line, match, from)) {
      required_from.push_back(place_of(match));
    } else if (std::regex_match(line, match, located)) {
      if (match[4] == "note") {
        if (!found.empty()) found.back().notes.push_back({place_of(match), match[5]});
        after_note = !found.empty();
        continue;
      }
      Diagnostic diagnostic;
      diagnostic.kind = match[4] == "warning" ? Diagnostic::Kind::warning : Diagnostic::Kind::error;
      diagnostic.place = place_of(match);
      diagnostic.message = match[5];
      diagnostic.required_from = std::move(required_from);
      required_from.clear();
      split_flag(diagnostic);
      found.push_back(std::move(diagnostic));
    } else if (is_shown) {
      found.back().notes.back().shown = std::regex_replace(line, gutter, "");
    }
  }
  return found;
}

// GNU ld:  "file.cpp:5: undefined reference to `f(int)'"       (or "file.cpp:(.text+0x2c): ...")
// gold:    "file.cpp:5: error: undefined reference to 'f(int)'"
// lld:     "ld.lld: error: undefined symbol: f(int)" and then ">>> referenced by file.cpp:5 (...)"
LinkErrors read_link_errors(const std::string& linker_output) {
  static const std::regex undefined(R"((?:([^\s:][^:]*):)?(?:(\d+):)?.*undefined reference to [`'](.*)'.*)");
  static const std::regex undefined_lld(R"(.*undefined symbol: (.*))");
  static const std::regex referenced_lld(R"(>>> referenced by ([^:]*):(\d+).*)");
  static const std::regex twice(R"(.*multiple definition of [`']([^']*)'.*)");
  static const std::regex twice_lld(R"(.*duplicate symbol: (.*))");
  LinkErrors errors;
  for (const std::string& line : short_lines_in(linker_output)) {
    std::smatch match;
    if (std::regex_match(line, match, undefined)) {
      const bool has_line = match[2].matched && match[2].length() > 0;
      errors.undefined.push_back({{match[1], has_line ? place_number(match[2]) : 0, 0}, match[3]});
    } else if (std::regex_match(line, match, undefined_lld)) {
      errors.undefined.push_back({{}, match[1]});
    } else if (std::regex_match(line, match, referenced_lld) && !errors.undefined.empty()) {
      if (!errors.undefined.back().place.known()) errors.undefined.back().place = {match[1], place_number(match[2]), 0};
    } else if (std::regex_match(line, match, twice) || std::regex_match(line, match, twice_lld)) {
      errors.defined_twice.push_back({{}, match[1]});
    }
  }
  return errors;
}

}  // namespace learn
