#include "runner/explain/compiler_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <span>

#include "runner/explain/phrasebook.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

// ---- what learners do -----------------------------------------------------------------------------------------------

constexpr const char* not_a_power = "x * x, std::pow(x, 2.0), or for a Tensor x.pow(2).";

// In g++'s words and clang's.
constexpr Phrase learners_errors[] = {
    {R"(operator\^)", "'^' is not a power in C++", not_a_power},
    {R"(^invalid type argument of unary '\*'|^indirection requires pointer operand)", "'**' is not a power in C++",
     not_a_power},
    {R"(stray '@')", "'@' has no meaning in C++", "A matrix product is matmul(a, b)."},
    {R"(^expected '\(')", "a ( is missing", "In C++: for (int i = 0; i < n; ++i) { ... } and if (...) { ... }."},
    {R"(^expected '([)\]}])')", "a $1 is missing", "Each bracket that is opened is closed again, in the same order."},
    {R"(^no return statement in function|^control reaches end|^non-void function does not return)",
     "the function can reach its end without a return", "Every path through it needs a return with a value."},
    {R"(lambda.*std::function|std::function.*lambda)", "this lambda does not fit the function that is needed here",
     "Look at its parameters, and at what it returns: a tensor of one element becomes a number with .item()."},
    {R"((?:cannot convert|no viable conversion from) '.*lambda)",
     "a lambda that captures something is not a plain function",
     "Leave the [ ] empty, and keep what it needs where the function can reach it."},
    {R"(^ambiguating new declaration|^functions that differ only in their return type)",
     "this function does not return what given.h declares", "Copy its first line from given.h."},
    {R"(^narrowing conversion of .*|^.*cannot be narrowed.*)", "$&",
     "static_cast<int>(...) and the like say that you mean it."},
    {R"(^.*'(?:const )?(?:autograd::)?Tensor'.*'(?:const )?(?:bool|int|long|float|double|std::\w*size_t\b).*)", "$&",
     "A tensor of one element becomes a number with .item()."},
    {R"(^.*'(?:const )?(?:bool|int|long|float|double|std::\w*size_t\b).*'(?:const )?(?:autograd::)?Tensor'.*)", "$&",
     "A tensor of one element becomes a number with .item(); a number becomes a tensor with tensor(value, float64)."},
};

constexpr const char* python[] = {"None", "null", "True",  "False", "self",  "def",   "elif",
                                  "pass", "and",  "print", "len",   "range", "import"};
constexpr const char* standard[] = {"vector", "string", "map",  "set",  "pair", "function", "optional", "max",
                                    "min",    "abs",    "sqrt", "move", "sort", "array",    "cout",     "endl"};

bool is_one_of(std::span<const char* const> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::string& line_at(const AnswerFile& file, int line) {
  static const std::string none;
  return line >= 1 && line <= static_cast<int>(file.lines.size()) ? file.lines[static_cast<std::size_t>(line - 1)]
                                                                  : none;
}

// Without a comment at its end.
std::string code_of(const std::string& line) {
  const std::string code = beginning_of(line.substr(0, line.find("//")));
  return code.substr(0, code.find_last_not_of(" \t\r") + 1);
}

std::string advice_on_name(const std::string& name, const std::string& suggestion, const std::string& line) {
  static const std::regex assigned(R"(\s*(\w+)\s*=[^=].*)");
  std::smatch match;
  if (is_one_of(standard, name)) return fmt::format("It is in the standard library: std::{}.", name);
  if (std::regex_match(line, match, assigned) && match[1] == name) {
    return fmt::format("A new variable needs a type: const Tensor {0} = ..., or auto {0} = ...", name);
  }
  if (!suggestion.empty()) return fmt::format("Did you mean '{}'?", suggestion);
  return "Is it declared above this line, with the same spelling?";
}

// A variable, a function or a type that nobody declared.
std::optional<Problem> undeclared_name(const std::string& message, const Place& place, const AnswerFile& file) {
  static const std::regex gnu(
      R"('([^']*)' (?:was not declared in this scope|does not name a (?:template )?type)(?:; did you mean '([^']*)'\?)?)");
  static const std::regex clang(
      R"((?:use of undeclared identifier|unknown type name|no template named) '([^']*)'(?:; did you mean '([^']*)'\?)?)");
  std::smatch match;
  if (!std::regex_match(message, match, gnu) && !std::regex_match(message, match, clang)) return std::nullopt;
  const std::string name = match[1];
  if (is_one_of(python, name)) {
    return Problem{fmt::format("'{}' is not C++", name),
                   "In C++ it is nullptr or Tensor(), true and false, else if, &&, .size(), "
                   "for (int i = 0; i < n; ++i).",
                   place};
  }
  return Problem{fmt::format("there is no '{}' here", name),
                 advice_on_name(name, match[2], beginning_of(line_at(file, place.line))), place};
}

// A ; that is missing is noticed at the next word, which may be on a later line. Here is where it belongs.
Place where_semicolon_belongs(Place noticed, const AnswerFile& file) {
  const std::string& line = line_at(file, noticed.line);
  const std::size_t first = line.find_first_not_of(" \t");
  const bool begins_line = first == std::string::npos || noticed.column <= static_cast<int>(first) + 1;
  if (!begins_line) return noticed;
  for (int above = noticed.line - 1; above >= 1; --above) {
    const std::string code = code_of(line_at(file, above));
    if (!code.empty()) return {noticed.file, above, static_cast<int>(code.size())};
  }
  return noticed;
}

std::optional<Problem> missing_semicolon(const std::string& message, const Place& place, const AnswerFile& file) {
  static const std::regex semicolon(R"(expected (?:',' or )?';'.*|expected initializer before.*)");
  if (!std::regex_match(message, semicolon)) return std::nullopt;
  if (line_at(file, place.line).find('@') != std::string::npos) return find_phrase(learners_errors, "stray '@'", place);
  return Problem{"a ; is missing", "", where_semicolon_belongs(place, file)};
}

// clang does not say which operator it is; the line does.
std::optional<Problem> hat_for_power(const std::string& message, const Place& place, const AnswerFile& file) {
  const std::string& line = line_at(file, place.line);
  const bool on_line = place.column >= 1 && place.column <= static_cast<int>(line.size());
  if (message.rfind("invalid operands", 0) != 0 || !on_line) return std::nullopt;
  if (line[static_cast<std::size_t>(place.column - 1)] != '^') return std::nullopt;
  return find_phrase(learners_errors, "operator^", place);
}

// Of a call that fits nothing: the engine's own function of that name, and the lambda that does not fit.
std::optional<Problem> wrong_call(const Diagnostic& diagnostic, const Place& place) {
  static const std::regex call(R"(no matching .*|too (few|many) arguments .*|call to .* is ambiguous)");
  if (!std::regex_match(diagnostic.message, call)) return std::nullopt;
  for (const Note& note : diagnostic.notes) {
    if (note.message.find("lambda") != std::string::npos) {
      if (auto problem = find_phrase(learners_errors, note.message, place)) return problem;
    }
    static const std::regex where(R"(^ *|;$|,? ?Where where = Where::current\(\))");
    const std::string declared = std::regex_replace(code_of(note.shown), where, "");
    if (declared.find("Tensor") == std::string::npos || declared.find('(') == std::string::npos) continue;
    return Problem{diagnostic.message, "There is " + declared, place};
  }
  return std::nullopt;
}

// ---- finding the learner's line -------------------------------------------------------------------------------------

bool is_answer(const Place& place, const AnswerFile& file) {
  return place.file == file.path || file_name(place.file) == file_name(file.path);
}

// The error's own place, or the line of the learner's that led to it.
Place place_in_answer(const Diagnostic& diagnostic, const AnswerFile& file) {
  if (is_answer(diagnostic.place, file)) return diagnostic.place;
  for (const Place& place : diagnostic.required_from) {
    if (is_answer(place, file)) return place;
  }
  for (const Note& note : diagnostic.notes) {
    if (is_answer(note.place, file)) return note.place;
  }
  return diagnostic.place;
}

Problem explain(const Diagnostic& diagnostic, const AnswerFile& file) {
  const Place place = place_in_answer(diagnostic, file);
  const std::string& message = diagnostic.message;
  std::optional<Problem> problem = missing_semicolon(message, place, file);
  if (!problem) problem = undeclared_name(message, place, file);
  if (!problem) problem = hat_for_power(message, place, file);
  if (!problem) problem = wrong_call(diagnostic, place);
  if (!problem) problem = find_phrase(learners_errors, message, place);
  if (!problem) problem = Problem{message, "", place};
  if (!is_answer(diagnostic.place, file) && is_answer(place, file)) {
    problem->advice += fmt::format("{}(It shows inside {}, called from this line.)", problem->advice.empty() ? "" : " ",
                                   file_name(diagnostic.place.file));
  }
  return *problem;
}

// A missing return is often only what another error makes of a function.
const Diagnostic* first_error(const std::vector<Diagnostic>& diagnostics) {
  const Diagnostic* first = nullptr;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.kind != Diagnostic::Kind::error) continue;
    if (diagnostic.flag.find("return-type") == std::string::npos) return &diagnostic;
    if (!first) first = &diagnostic;
  }
  return first;
}

// 1 / 4 is 0, and no compiler says so.
std::vector<Problem> integer_divisions(const AnswerFile& file) {
  static const std::regex division(R"((?:^|[^\w.])(\d+) ?/ ?(\d+|[\w.>()-]*size\([^)]*\))(?![\w.]))");
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    const std::string code = code_of(file.lines[i]);
    if (!std::regex_search(code, match, division)) continue;
    problems.push_back({fmt::format("{} / {} is a division of integers: what comes after the point is lost",
                                    match[1].str(), match[2].str()),
                        fmt::format("{}.0 is a double.", match[1].str()),
                        {file_name(file.path), static_cast<int>(i) + 1, static_cast<int>(match.position(1)) + 1}});
  }
  return problems;
}

// g++'s names and clang's of what most often explains wrong numbers, the most telling first.
constexpr const char* telling[] = {"-Wuninitialized",
                                   "-Wmaybe-uninitialized",
                                   "-Wsometimes-uninitialized",
                                   "-Wfloat-conversion",
                                   "-Wimplicit-float-conversion",
                                   "-Wparentheses",
                                   "-Wempty-body",
                                   "-Wmisleading-indentation",
                                   "-Wshadow",
                                   "-Wunused-value",
                                   "-Wunused-but-set-variable",
                                   "-Wunused-variable",
                                   "-Woverflow",
                                   "-Wdiv-by-zero",
                                   "-Wdivision-by-zero",
                                   "-Warray-bounds",
                                   "-Wself-assign",
                                   "-Wself-assign-overloaded",
                                   "-Wtype-limits",
                                   "-Wtautological-unsigned-zero-compare",
                                   "-Wtautological-compare"};

// Where the answer's text has "name(" first.
Place mention_of(const std::string& name, const AnswerFile& file) {
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::size_t at = code_of(file.lines[i]).find(name + "(");
    if (at == std::string::npos) continue;
    return {file_name(file.path), static_cast<int>(i) + 1, static_cast<int>(at) + 1};
  }
  return {};
}

// "given::linear_backward(autograd::Tensor const&)" -> "linear_backward".
std::string function_name(const std::string& signature) {
  const std::string name = signature.substr(0, signature.find('('));
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

}  // namespace

Problem explain_compile_error(const std::string& compiler_output, const AnswerFile& file) {
  const std::vector<Diagnostic> diagnostics = read_diagnostics(compiler_output);
  const Diagnostic* const error = first_error(diagnostics);
  if (!error) return {"the compiler stopped without saying where", "", {}};
  Problem problem = explain(*error, file);
  if (problem.sentence.empty()) problem.sentence = "the compiler does not say what is wrong here";
  problem.place.file = file_name(problem.place.file);
  return problem;
}

std::vector<Problem> explain_warnings(const std::string& compiler_output, const AnswerFile& file) {
  std::vector<Problem> problems = integer_divisions(file);
  const std::vector<Diagnostic> diagnostics = read_diagnostics(compiler_output);
  for (const std::string flag : telling) {
    for (const Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.kind != Diagnostic::Kind::warning || diagnostic.flag != flag) continue;
      if (!is_answer(diagnostic.place, file)) continue;
      const Place& place = diagnostic.place;
      problems.push_back({diagnostic.message, "", {file_name(place.file), place.line, place.column}});
    }
  }
  return problems;
}

Problem explain_link_error(const std::string& linker_output, const AnswerFile& file) {
  const LinkErrors errors = read_link_errors(linker_output);
  if (!errors.defined_twice.empty()) {
    const std::string name = function_name(errors.defined_twice[0].message);
    return {fmt::format("'{}' is defined twice: your file has one, and so has the course", name),
            "Give yours another name, or put it into namespace { ... }.", mention_of(name, file)};
  }
  for (const Note& missing : errors.undefined) {
    const std::string name = function_name(missing.message);
    const bool to_write = std::count(file.functions.begin(), file.functions.end(), name) > 0;
    Place mention = mention_of(name, file);
    if (to_write && mention.known()) {
      return {
          fmt::format("your '{}' is not the one that given.h declares: other parameters, or inside a namespace", name),
          "Copy its first line from given.h.", mention};
    }
    if (to_write) {
      return {
          fmt::format("the function to write, '{}', is not in your file", name), "Its first line is in given.h.", {}};
    }
    if (is_answer(missing.place, file)) mention = {file_name(file.path), missing.place.line, 0};
    return {fmt::format("'{}' is declared and used, but nowhere defined", missing.message),
            "Write its body, or look at the spelling and the parameters of the one that you have.", mention};
  }
  return {"the parts of the program do not fit together", "", {}};
}

}  // namespace learn
