#include "runner/author/mutants_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "runner/text/lines.h"

namespace learn {
namespace {

// A function of the solution: its lines [first, last).
struct Function {
  std::string name;
  std::size_t first = 0;
  std::size_t last = 0;
};

// What the file is made of, if that is functions only.
std::optional<std::vector<Function>> functions_in(const std::vector<SolutionLine>& solution) {
  static const std::regex head(R"(^[A-Za-z][\w:<>,&* ]*?(\w+)\(.*)");
  std::vector<Function> functions;
  bool inside = false;
  for (std::size_t i = 0; i < solution.size(); ++i) {
    const std::string& line = solution[i].text;
    std::smatch match;
    if (inside) {
      functions.back().last = i + 1;
      inside = line != "}";
    } else if (std::regex_match(line, match, head)) {
      functions.push_back({match[1], i, i + 1});
      inside = line.back() != '}';
    } else if (!line.empty() && line[0] != '#' && line.rfind("//", 0) != 0) {
      return std::nullopt;
    }
  }
  return functions;
}

class Writer {
 public:
  explicit Writer(const Exercise& exercise)
      : exercise_(exercise), lines_(exercise.source.solution_lines()), functions_(functions_in(lines_)) {}

  std::string write(const std::vector<Mutant>& mutants, const std::set<std::size_t>& chosen) {
    std::string includes;
    for (const SolutionLine& line : lines_) {
      if (is_include(line.text)) includes += line.text + "\n";
    }
    std::string body = "namespace solution {\n" + code_of({0, lines_.size()}, nullptr) + call({}, "") + "}\n";
    std::string table;
    for (const std::size_t i : chosen) {
      body += fmt::format("namespace mutant_{0} {{\n{1}}}\n", i, code_of(mutants[i], fmt::format("mutant_{}", i)));
      table += fmt::format("    {{{{\"{0}\"}}, mutant_{0}::run_check}},\n", i);
    }
    // A lambda has statics of its own.
    includes += "#define AT_FIRST(...) ([](auto now) { static const auto first = now; return first; }(__VA_ARGS__))\n";
    return includes + "#include <judge/exercise.h>\n\nvoid check(const Answer& answer, judge::Check& check);\n\n" +
           body +
           fmt::format(
               "const judge::Exercise judge::exercise = {{\n  \"{}\", nullptr, "
               "solution::run_check, {{\n{}  }}, {{{}}}}};\n",
               exercise_.id, table, quoted(exercise_.source.not_to_call));
  }

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  static bool is_include(const std::string& line) { return line.rfind("#include", 0) == 0; }

  static std::string quoted(const std::vector<std::string>& names) {
    return names.empty() ? "" : fmt::format("\"{}\"", fmt::join(names, "\", \""));
  }

  // The lines, with a mutant's change in them.
  std::string code_of(const Range& range, const Mutant* mutant) const {
    std::string code;
    for (std::size_t i = range.first; i < range.last; ++i) {
      if (mutant && i == mutant->first) code += mutant->text + "\n";
      const bool replaced = mutant && i >= mutant->first && i < mutant->last;
      if (!replaced && !is_include(lines_[i].text)) code += lines_[i].text + "\n";
    }
    return code;
  }

  // run_check(), where the functions named are those of `mutated`, the others the solution's.
  std::string call(const std::vector<std::string>& changed, const std::string& mutated) const {
    std::string members;
    for (const std::string& function : exercise_.source.answer) {
      const bool is_changed = std::count(changed.begin(), changed.end(), function) > 0;
      members += fmt::format(".{0} = &{1}::{0}, ", function, is_changed ? mutated : "solution");
    }
    return fmt::format("static void run_check(judge::Check& check) {{ ::check(Answer{{{}}}, check); }}\n", members);
  }

  std::string code_of(const Mutant& mutant, const std::string& name) const {
    const std::string file = fmt::format("#line 1 \"{}\"\n", name);
    if (const Function* const changed = function_alone(mutant)) {
      std::string others;
      for (const Function& function : *functions_) {
        if (function.name != changed->name) others += fmt::format("using solution::{};\n", function.name);
      }
      return file + others + code_of({changed->first, changed->last}, &mutant) + call({changed->name}, name);
    }
    return file + code_of({0, lines_.size()}, &mutant) + call(exercise_.source.answer, name);
  }

  // The function that the mutant changes, if no other one calls it: then it is enough to compile that.
  const Function* function_alone(const Mutant& mutant) const {
    if (!functions_) return nullptr;
    const Function* changed = nullptr;
    for (const Function& function : *functions_) {
      if (mutant.first >= function.first && mutant.first < function.last) changed = &function;
    }
    if (!changed || !std::count(exercise_.source.answer.begin(), exercise_.source.answer.end(), changed->name)) {
      return nullptr;
    }
    const std::regex called("\\b" + changed->name + "\\(");
    for (const Function& function : *functions_) {
      if (function.name == changed->name && &function != changed) return nullptr;
      if (&function == changed) continue;
      if (std::regex_search(code_of({function.first, function.last}, nullptr), called)) return nullptr;
    }
    return changed;
  }

  const Exercise& exercise_;
  std::vector<SolutionLine> lines_;
  std::optional<std::vector<Function>> functions_;
};

}  // namespace

std::string mutants_file(const Exercise& exercise, const std::vector<Mutant>& mutants,
                         const std::set<std::size_t>& chosen) {
  return Writer(exercise).write(mutants, chosen);
}

std::set<std::size_t> mutants_in(const std::string& messages) {
  static const std::regex place("^mutant_([0-9]+):.*(error:|required from)");
  std::set<std::size_t> found;
  for (const std::string& line : lines_in(messages)) {
    std::smatch match;
    if (std::regex_search(line, match, place)) found.insert(std::stoul(match[1]));
  }
  return found;
}

}  // namespace learn
