#include "runner/lessons/hints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "runner/system/files.h"
#include "runner/text/lines.h"
#include "runner/text/markdown.h"

namespace learn {
namespace {

constexpr const char* part_mark = "### ";

bool begins_part(const std::string& line) {
  return line.rfind(part_mark, 0) == 0;
}

std::vector<std::string> names_in(const std::string& heading) {
  std::vector<std::string> names;
  constexpr std::string_view between = " | ";
  for (std::size_t begin = std::string_view(part_mark).size(); begin < heading.size();) {
    const std::size_t end = std::min(heading.find(between, begin), heading.size());
    names.push_back(heading.substr(begin, end - begin));
    begin = end + between.size();
  }
  return names;
}

std::vector<FormulaPart> parts_in(const std::string& formulas) {
  std::vector<FormulaPart> parts;
  for (const std::string& line : lines_in(formulas)) {
    if (begins_part(line)) {
      parts.push_back({names_in(line), ""});
    } else if (!parts.empty() && !line.empty()) {
      parts.back().text += line + "\n";
    }
  }
  return parts;
}

std::string without_part_headings(const std::string& text) {
  std::string kept;
  for (const std::string& line : lines_in(text)) {
    if (!begins_part(line)) kept += line + "\n";
  }
  return kept;
}

bool continues_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

bool is_about(const FormulaPart& part, const std::string& what) {
  return std::any_of(part.names.begin(), part.names.end(), [&](const std::string& name) {
    return what.rfind(name, 0) == 0 && (what.size() == name.size() || !continues_name(what[name.size()]));
  });
}

bool shows_anything(const Verdict& verdict) {
  return verdict.first_probe || !verdict.right_probes.empty();
}

// What is first not right, or not there.
std::string first_wrong(const Verdict& verdict) {
  if (verdict.first_probe) return verdict.first_probe->difference.name;
  if (!verdict.differences.empty()) return verdict.differences[0].name;
  return verdict.stopped_before;
}

}  // namespace

Hints::Hints(const Exercise& exercise) {
  const std::string file = exercise.folder + "/hints.md";
  if (!exists(file)) return;
  markdown_ = read_file(file);
  parts_ = parts_in(section(markdown_, "## Formula"));
  const std::string solution = exercise.source.solution();
  for (const FormulaPart& part : parts_) {
    std::copy_if(part.names.begin(), part.names.end(), std::back_inserter(probes_),
                 [&](const std::string& name) { return solution.find("probe(\"" + name + "\"") != std::string::npos; });
  }
}

std::vector<std::string> Hints::levels() const {
  if (parts_.empty()) return {"Question", "Concept", "Formula", "Line"};
  return {"Question", "Concept", first_formula, "Formula", "Line"};
}

std::string Hints::text(const std::string& level) const {
  return without_part_headings(section(markdown_, "## " + level));
}

std::string Hints::first_formula_for(const Report& report) const {
  if (report.passed()) return "All is right: no formula is missing.\n";
  if (!report.verdict)
    return "Once it compiles and runs, this shows the formula of the first thing that is not right.\n";
  const std::string wrong = first_wrong(*report.verdict);
  const auto part =
      std::find_if(parts_.begin(), parts_.end(), [&](const FormulaPart& one) { return is_about(one, wrong); });
  // What comes out at the end may be wrong because of what stands on the way.
  const bool is_on_the_way = std::count(probes_.begin(), probes_.end(), wrong) > 0;
  if (part != parts_.end() && (is_on_the_way || probes_.empty() || shows_anything(*report.verdict))) {
    return fmt::format("The first that is not right is `{}`:\n\n{}", wrong, part->text);
  }
  if (!probes_.empty() && !shows_anything(*report.verdict)) {
    return fmt::format(
        "Show the check what you compute on the way, by these names: {}. For example:\n\n    probe(\"{}\", {});\n\nThe "
        "first one that is not right gets its formula here.\n",
        fmt::join(probes_, ", "), probes_[0], probes_[0]);
  }
  return "What is not right has no formula of its own here; the next hint has all of them.\n";
}

}  // namespace learn
