#include "runner/explain/compiler_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>

#include "runner/explain/phrasebook.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

std::string replaced(const std::string& text, const char* pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

// ---- the dictionary ------------------------------------------------------------------------------------------------

constexpr const char* look_at_the_lambda =
    "Look at its parameters, and at what it returns: a tensor of one element becomes a number with .item().";

// g++'s words and clang's: where both mean the same, a $1 that is empty stands before a $2 that is not.
constexpr Phrase dictionary[] = {
    // -- names
    {R"((?:use of undeclared identifier |no template named )?'([^']*)'(?: was not declared in this scope)?; did you mean '([^']*)'\?)",
     "there is no '$1' here", "Did you mean '$2'?"},
    {R"((?:use of undeclared identifier |unknown type name )?'(None|null|NULL|nil|True|False|self|def|elif|pass|print|len|range|import)'(?: was not declared in this scope)?(?:;.*)?)",
     "'$1' is not C++",
     "In C++ it is nullptr or Tensor(), true and false, else if, .size(), for (int i = 0; i < n; ++i)."},
    {R"((?:use of undeclared identifier |unknown type name |no template named )?'(vector|string|map|set|pair|function|optional|unordered_map|max|min|abs|sqrt|move|sort|array|cout|endl)'(?: was not declared in this scope| does not name a (?:template )?type)?(?:;.*)?)",
     "there is no '$1' here", "It is in the standard library: std::$1."},
    {R"((?:use of undeclared identifier )?'([^']*)'(?: was not declared in this scope)?)", "there is no '$1' here",
     "Is it spelled as where it is declared, and declared above this line? A new variable needs a type: auto $1 = ..."},
    {R"((?:unknown type name )?'([^']*)'(?: does not name a type)?; did you mean '([^']*)'\?)", "there is no type '$1'",
     "Did you mean '$2'?"},
    {R"((?:unknown type name )?'([^']*)'(?: does not name a (?:template )?type)?)", "there is no type '$1'",
     "Statements can only stand inside a function: is a brace closed too early? Otherwise look at the spelling."},
    {R"((?:'(?:const )?(?:class |struct )?([^']*)' has no member named '([^']*)'|no member named '([^']*)' in '([^']*)'); did you mean '([^']*)'\?)",
     "a $1$4 has no '$2$3'", "Did you mean '$5'?"},
    {R"('(?:const )?(?:class |struct )?([^']*)' has no member named '([^']*)'|no member named '([^']*)' in '([^']*)')",
     "a $1$4 has no '$2$3'",
     "The index of all operations is autograd/ops/ops.h; what a Tensor itself can do is in autograd/tensor/tensor.h."},
    {R"('([^']*)' is not a member of '([^']*)'.*)", "there is no '$1' in $2",
     "Look at the spelling; does it need an #include at the top of the file?"},
    {R"('(?:[^']*::)?([^':]*)' is (?:private within this context|a private member of '[^']*'))",
     "'$1' is for the class's own use only", "Use one of the functions that the class offers."},

    // -- punctuation
    {R"(expected '\)'.*)", "a ) is missing", "Count the parentheses of this line: each ( needs its )."},
    {R"(expected '\]'.*)", "a ] is missing", "Each [ needs its ]."},
    {R"(expected '\}' at end of input|expected '\}')", "a } is missing: the file ends inside a block",
     "Each { needs its }. Look where the indentation stops to agree with the braces."},
    {R"(expected unqualified-id(?: before '(return|for|if|while|else|switch)')?|expected declaration before '\}' token|extraneous closing brace.*)",
     "this stands outside any function", "A } above it closes the function too early."},
    {R"(expected '\(' before.*|expected '\(' after '(.*)')", "a ( is missing",
     "In C++: for (int i = 0; i < n; ++i) { ... } and if (...) { ... }."},
    {R"('else' without a previous 'if')", "this else belongs to no if",
     "Is there a ; after the if's condition, or are braces missing?"},
    {R"(missing terminating .*|unterminated string.*)", "a quotation mark is not closed on this line",
     "Each \" needs its \" on the same line."},
    {R"(unterminated comment|unterminated /\* comment)", "this comment is not closed", "Each /* needs its */."},
    {R"(stray '\\[^']*' in program|extended character .*|unexpected character .*|non-ASCII characters are not allowed.*)",
     "there is a character here that C++ does not know",
     "Copied from a text? Quotation marks and minus signs there are often others."},
    {R"(stray '([^']*)' in program)", "'$1' has no meaning in C++ here",
     "A matrix product is matmul(a, b); quotation marks copied from a text may be typographic ones."},
    {R"(expected primary-expression before '([^']*)'(?: token)?)", "something is missing before '$1'",
     "An operand, or a name, or one bracket too many?"},
    {R"(expected expression)", "something is missing here", "An operand, or a name, or one bracket too many?"},
    {R"(expected identifier before.*|expected identifier)", "a name is missing here", ""},

    // -- types
    {R"(could not convert '\{.*\}' from '<brace-enclosed initializer list>' to '([^']*)')",
     "what is in these braces does not make a $1",
     "given.h says which members it has: as many values, in that order, each of its type."},
    {R"(excess elements in (?:struct )?initializer)",
     "there are more values in these braces than the struct has members", "given.h says which members it has."},
    {R"(.*lambda.*std::function<([^(]*?) ?\(([^)]*)\)>.*|.*std::function<([^(]*?) ?\(([^)]*)\)>.*lambda.*)",
     "this lambda does not fit: a function $1$3($2$4) is needed here", look_at_the_lambda},
    {R"(cannot convert '.*<lambda.*' to '([^']*)'.*)", "a lambda that captures something is no plain function",
     "Leave the [ ] empty, and keep what it needs where the function can get at it."},
    {R"((?:could not convert '[^']*' from|cannot convert(?: '[^']*')? from|cannot convert|no viable conversion from) '([^']*)' to '([^']*)'.*)",
     "this is a $1, and a $2 is needed here", ""},
    {R"(no viable conversion from returned value of type '([^']*)' to function return type '([^']*)')",
     "this returns a $1, and the function is to return a $2", ""},
    {R"(value of type '([^']*)' is not contextually convertible to '([^']*)')", "this is a $1, and a $2 is needed here",
     ""},
    {R"(assigning to '([^']*)' from incompatible type '([^']*)')", "this is a $2, and a $1 is needed here", ""},
    {R"((?:cannot initialize|invalid initialization of) .*of type '([^']*)' (?:with|from) .*of type '([^']*)')",
     "this is a $2, and a $1 is needed here", ""},
    {R"(no match for 'operator([^']*)' \(operand types are '([^']*)' and '([^']*)'\))",
     "'$1' does not work between $2 and $3", ""},
    {R"(no match for 'operator([^']*)' \(operand type.* '([^']*)'\))", "'$1' does not work on a $2", ""},
    {R"(invalid operands of types '([^']*)' and '([^']*)' to binary 'operator\^')", "'^' is not a power in C++",
     "x * x, std::pow(x, 2.0), or for a Tensor x.pow(2)."},
    {R"(invalid operands of types '([^']*)' and '([^']*)' to binary 'operator([^']*)')",
     "'$3' does not work between $1 and $2", ""},
    {R"(invalid operands to binary expression \('([^']*)' and '([^']*)'\))",
     "this operator does not work between $1 and $2", ""},
    {R"(invalid type argument of unary '\*' \(have '([^']*)'\)|indirection requires pointer operand \('([^']*)' invalid\))",
     "** is not a power in C++, and a * before a number has no meaning",
     "x * x, std::pow(x, 2.0), or for a Tensor x.pow(2)."},
    {R"(request for member '([^']*)' in '([^']*)', which is of pointer type.*)",
     "'$2' is a pointer: its members are reached with ->", "$2->$1"},
    {R"(member reference type '([^']*)' is a pointer.*)", "this is a pointer: its members are reached with ->", ""},
    {R"(base operand of '->' .*|member reference type '([^']*)' is not a pointer.*)",
     "this is no pointer: its members are reached with a dot", ""},
    {R"(invalid use of (?:non-static )?member function '(?:[^']*::)?([^:'(]*)\(.*)", "$1 is a function: it needs ( )",
     "$1()"},
    {R"(reference to non-static member function must be called.*)", "this is a function: it needs ( )", ""},
    {R"(narrowing conversion of '([^']*)' from '([^']*)' to '([^']*)')",
     "this is a $2, and a $3 cannot hold all of its values", "static_cast<$3>(...) says that you mean it."},
    {R"(type '([^']*)' cannot be narrowed to '([^']*)' in initializer list|.*non-constant-expression cannot be narrowed from type '([^']*)' to '([^']*)'.*)",
     "this $1$3 would lose something as a $2$4", "static_cast<...>(...) says that you mean it."},

    // -- const and declarations
    {R"(passing 'const ([^']*)' as 'this' argument discards qualifiers)", "this changes a $1 that is const",
     "Declare it without const, or make a new one."},
    {R"(no viable overloaded '(=|\+=|-=|\*=|/=)')", "this changes something that is const, or of another type",
     "Declare it without const, or make a new one."},
    {R"((?:assignment|increment) of read-only .*?'([^']*)'|cannot assign to variable '([^']*)' with const-qualified type.*)",
     "'$1$2' is const: it cannot be changed", "Declare it without const."},
    {R"(redeclaration of '(?:[^']* )?([^' ]*)'|redefinition of '([^']*)'(?: with a different type.*)?)",
     "there is a '$1$2' already", "Give one of them another name; to change it, leave the type away."},
    {R"(redefinition of '(?:[^']*[ :])?([^' (]*)\(.*)", "there is a function '$1' already",
     "One definition is enough."},
    {R"(conflicting declaration '([^']*)'.*)", "'$1' is there already, with another type", ""},
    {R"(ambiguating new declaration of '.* (?:[^' ]*::)?([^' (:]*)\(.*|functions that differ only in their return type cannot be overloaded)",
     "this function returns something else than given.h says", "Take its first line over from given.h."},
    {R"('([^']*)' declared as reference but not initialized|declaration of reference variable '([^']*)' requires an initializer)",
     "'$1$2' is a reference (&): it must be given something to refer to", "Without the & it is a value of its own."},
    {R"(a function-definition is not allowed here before '\{' token|function definition is not allowed here)",
     "a function cannot be defined inside another one",
     "Put it above, or use a lambda: const auto helper = [&](const Tensor& a) { return ...; };"},
    {R"('?(break|continue)'? statement not (?:within|in) .*loop.*)", "$1 stands outside any loop",
     "Is a brace closed too early?"},
    {R"(no return statement in function returning non-void|control reaches end of non-void function|non-void function does not return a value.*)",
     "the function can reach its end without a return", "Every path through it needs a return with a value."},
    {R"(return-statement with no value.*|non-void function '.*' should return a value)", "this return needs a value",
     ""},
    {R"(([^ ]*): No such file or directory|'([^']*)' file not found)", "there is no file '$1$2' to include",
     "Look at the spelling; the exercise's own header is \"given.h\"."},
    {R"(template instantiation depth exceeds.*|recursive template instantiation exceeded.*)",
     "a template goes on and on without an end", ""},
    {R"(use of deleted function '(.*)'|call to (?:implicitly-)?deleted .*)", "this cannot be copied, or not be made so",
     ""},
    {R"(use of '([^']*)' before deduction of 'auto'|variable '([^']*)' declared with deduced type 'auto' cannot appear in its own initializer)",
     "'$1$2' is used in its own definition", ""},
};

struct WarningEntry {
  const char* flag;
  const char* sentence;  // "" for the compiler's own
};

constexpr WarningEntry warnings[] = {
    {"-Wuninitialized", "'$1' is read here, and nothing was ever written to it"},
    {"-Wmaybe-uninitialized", "'$1' may be read here before anything was written to it"},
    {"-Wsometimes-uninitialized", "'$1' may be read before anything was written to it"},
    {"-Wfloat-conversion", "a double is put into something that cannot hold all of it: digits are lost here"},
    {"-Wimplicit-float-conversion", "a double is put into something that cannot hold all of it: digits are lost here"},
    {"-Wparentheses", "= stores a value; to compare, write =="},
    {"-Wempty-body", "the ; at the end of this line is all that the if governs"},
    {"-Wmisleading-indentation", "the indentation says something else than the braces"},
    {"-Wshadow", "there is another '$1' further out: which one do you mean?"},
    {"-Wunused-value", "the result of this line is thrown away"},
    {"-Wunused-but-set-variable", "'$1' is computed and then never used"},
    {"-Wunused-variable", "'$1' is never used"},
    {"-Woverflow", "this number does not fit its type"},
    {"-Wdiv-by-zero", "this divides by zero"},
    {"-Wdivision-by-zero", "this divides by zero"},
    {"-Warray-bounds", "this index is outside the array"},
    {"-Wself-assign", "this assigns '$1' to itself"},
    {"-Wself-assign-overloaded", "this assigns '$1' to itself"},
    {"-Wtype-limits", "an unsigned number is never below 0: this never ends. std::int64_t can be"},
    {"-Wtautological-unsigned-zero-compare",
     "an unsigned number is never below 0: this never ends. std::int64_t can be"},
    {"-Wtautological-compare", "this comparison always has the same result"},
};

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

const std::string& line_at(const AnswerFile& file, int line) {
  static const std::string none;
  return line >= 1 && line <= static_cast<int>(file.lines.size()) ? file.lines[static_cast<std::size_t>(line - 1)]
                                                                  : none;
}

// The word that stands at a place.
std::string word_at(const AnswerFile& file, const Place& place) {
  const std::string& line = line_at(file, place.line);
  std::size_t end = place.column < 1 ? line.size() : static_cast<std::size_t>(place.column - 1);
  const std::size_t begin = end;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
  return begin < line.size() ? line.substr(begin, end - begin) : "";
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

// Without a comment at its end.
std::string code_of(const std::string& line) {
  const std::string code = beginning_of(line.substr(0, line.find("//")));
  return code.substr(0, code.find_last_not_of(" \t\r") + 1);
}

// A ; that is missing is noticed at the next word, which may be on a later line. Here is where it belongs.
Place where_semicolon_belongs(Place noticed, const AnswerFile& file) {
  const std::string& line = line_at(file, noticed.line);
  const std::size_t first = line.find_first_not_of(" \t");
  const bool begins_line = first == std::string::npos || noticed.column <= static_cast<int>(first) + 1;
  if (!begins_line) return noticed;
  for (int above = noticed.line - 1; above >= 1; --above) {
    const std::string code = code_of(line_at(file, above));
    if (!is_blank(code)) return {noticed.file, above, static_cast<int>(code.size())};
  }
  return noticed;
}

std::optional<Problem> missing_semicolon(const Diagnostic& diagnostic, const AnswerFile& file) {
  static const std::regex semicolon(R"(expected (?:',' or )?';'.*|expected initializer before.*)");
  if (!std::regex_match(diagnostic.message, semicolon)) return std::nullopt;
  const Place noticed = place_in_answer(diagnostic, file);
  if (line_at(file, noticed.line).find('@') != std::string::npos) {
    return Problem{"'@' has no meaning in C++ here", "A matrix product is matmul(a, b).", noticed};
  }
  return Problem{"a ; is missing", "", where_semicolon_belongs(noticed, file)};
}

// ---- calls ----------------------------------------------------------------------------------------------------------

// "Tensor matmul(const Tensor&, const Tensor&, Where)": the place is no concern of who calls.
std::string plain_declaration(std::string text) {
  text = replaced(plain_types(std::move(text)), R"(,? ?Where( [a-z_]+)?( = Where::current\(\))?\))", ")");
  text = replaced(text, R"(^\s*)", "");
  text = replaced(text, R"(;\s*(//.*)?$)", "");
  return replaced(text, R"(autograd::|nn::)", "");
}

// What there is instead: the declarations that the compiler tried.
std::string candidates(const Diagnostic& diagnostic) {
  static const std::regex gnu(R"(candidate: '(.*)'.*|declared here)");
  static const std::regex clang(R"(candidate (?:function|template ignored|constructor).*|.* declared here)");
  std::vector<std::string> found;
  for (const Note& note : diagnostic.notes) {
    std::smatch match;
    std::string declaration;
    if (std::regex_match(note.message, match, gnu) && match[1].matched) {
      declaration = match[1];
    } else if (std::regex_match(note.message, match, gnu) || std::regex_match(note.message, match, clang)) {
      declaration = note.shown;
    }
    declaration = plain_declaration(declaration);
    const bool useful = !declaration.empty() && declaration.find("template") == std::string::npos &&
                        declaration.find("std::") == std::string::npos && declaration.find("_") != 0 &&
                        declaration.find("_Tp") == std::string::npos && declaration.find('(') != std::string::npos;
    if (useful && std::find(found.begin(), found.end(), declaration) == found.end()) found.push_back(declaration);
  }
  // The engine's own before those of the C library.
  std::stable_partition(found.begin(), found.end(),
                        [](const std::string& text) { return text.find("Tensor") != std::string::npos; });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i) {
    text += (i == 0 ? "There is " : "; ") + found[i];
  }
  return text.empty() ? "" : text + ".";
}

// clang says of each candidate why it does not fit; of the engine's own that is worth knowing.
std::string why_not_viable(const Diagnostic& diagnostic) {
  static const std::regex reason(R"(candidate function not viable: (requires .*|no known conversion .*))");
  for (const Note& note : diagnostic.notes) {
    std::smatch match;
    if (note.place.file.rfind("/usr/", 0) == 0 || !std::regex_match(note.message, match, reason)) continue;
    return ": " + replaced(plain_types(match[1]), "'", "");
  }
  return "";
}

// The types of the arguments, which g++ names in the message and clang does not.
std::optional<Problem> wrong_arguments(const Diagnostic& diagnostic, const AnswerFile& file) {
  static const std::regex no_match(
      R"(no matching (?:member )?function for call to '(?:[^'(]*::)?([^'(:]*)(\(.*\))?'.*)");
  static const std::regex too_few(
      R"(too (few|many) arguments to (?:member )?(?:function '.*[ :]([^ :('*&]*)\(.*'|function call.*))");
  static const std::regex constructor(
      R"(no matching (?:constructor|function) for (?:initialization of|call to) '([^'(]*)(\(.*\))?')");
  std::smatch match;
  const Place place = place_in_answer(diagnostic, file);
  if (std::regex_match(diagnostic.message, match, too_few)) {
    const std::string function = match[2].matched ? "'" + match[2].str() + "'" : "the function";
    return Problem{fmt::format("too {} arguments for {}", match[1].str(), function), candidates(diagnostic), place};
  }
  if (!std::regex_match(diagnostic.message, match, no_match) &&
      !std::regex_match(diagnostic.message, match, constructor)) {
    return std::nullopt;
  }
  const std::string why = why_not_viable(diagnostic);
  const bool is_lambda = why.find("(lambda at ") != std::string::npos && why.find("std::function") != std::string::npos;
  const std::string arguments = match[2].matched ? " with " + plain_types(match[2]) : " with these arguments";
  return Problem{fmt::format("'{}' cannot be called{}{}", match[1].str(), arguments, why),
                 is_lambda ? look_at_the_lambda : candidates(diagnostic), place};
}

// ---- all of it ------------------------------------------------------------------------------------------------------

// "a int" -> "an int", "a const double" -> "a double".
std::string with_articles(const std::string& sentence) {
  const std::string plain = replaced(replaced(sentence, R"(\ba const )", "a "), R"((\w)& (is|,))", "$1 $2");
  return replaced(plain, R"(\ba (?=[aeiou]))", "an ");
}

// The dictionary's words for it.
std::optional<Problem> from_dictionary(const Diagnostic& diagnostic, const AnswerFile& file) {
  static const Phrasebook book(dictionary);
  auto problem = book.explain(plain_types(diagnostic.message), place_in_answer(diagnostic, file));
  if (problem) problem->sentence = with_articles(problem->sentence);
  return problem;
}

// "dx = ..." for a dx that nobody declared: what the compiler suggests instead is beside the point.
void add_advice_on_new_names(Problem& problem, const AnswerFile& file) {
  static const std::regex assigned(R"(\s*(\w+)\s*=[^=].*)");
  std::smatch match;
  const std::string line = beginning_of(line_at(file, problem.place.line));
  if (problem.sentence.rfind("there is no '", 0) != 0 || !std::regex_match(line, match, assigned)) return;
  if (problem.sentence != "there is no '" + match[1].str() + "' here") return;
  problem.advice =
      fmt::format("A new variable needs a type: const Tensor {0} = ..., or auto {0} = ...", match[1].str());
}

// "Did you mean 'Shape'?" of a Shape would be no help: what it lacks is its namespace, which is shown nowhere else.
void add_advice_on_namespaces(Problem& problem, const Diagnostic& diagnostic) {
  static const std::regex suggestion(R"(.*'((?:\w+::)*(\w+))'.*did you mean '((?:\w+::)+(\w+))'\?)");
  std::smatch match;
  if (!std::regex_match(diagnostic.message, match, suggestion) || match[2] != match[4]) return;
  problem.advice = fmt::format("Did you mean '{}'?", match[3].str());
}

// clang is short about some things that the line itself tells.
std::optional<Problem> from_the_line(const Diagnostic& diagnostic, const AnswerFile& file) {
  const Place place = place_in_answer(diagnostic, file);
  const std::string& line = line_at(file, place.line);
  const bool on_line = place.column >= 1 && place.column <= static_cast<int>(line.size());
  if (diagnostic.message == "expected expression" && word_at(file, place) == "else") {
    return Problem{"this else belongs to no if", "Is there a ; after the if's condition, or are braces missing?",
                   place};
  }
  if (diagnostic.message.rfind("invalid operands to binary expression", 0) == 0 && on_line &&
      line[static_cast<std::size_t>(place.column - 1)] == '^') {
    return Problem{"'^' is not a power in C++", "x * x, std::pow(x, 2.0), or for a Tensor x.pow(2).", place};
  }
  return std::nullopt;
}

// Something more that can be said of two types.
void add_advice_on_types(Problem& problem) {
  if (!problem.advice.empty()) return;
  static const std::string number =
      R"((?:const )?(?:unsigned |std::|[\w:]*<.*>::)?(?:bool|char|short|int|long|float|double|u?int\d+_t|size_t|value_type)\b)";
  static const std::string tensor = "(?:const )?Tensor";
  static const std::regex tensor_as_number("this (?:is|returns) an? " + tensor + ", and .*\\ban? " + number + ".*");
  static const std::regex number_as_tensor("this (?:is|returns) an? " + number + ".*, and .*\\ban? " + tensor + ".*");
  static const std::regex of_both(".* does not work between (" + number + ".* and " + tensor + "|" + tensor + " and " +
                                  number + ".*)");
  if (std::regex_match(problem.sentence, tensor_as_number) || std::regex_match(problem.sentence, of_both)) {
    problem.advice = "A tensor of one element becomes a number with .item().";
  } else if (std::regex_match(problem.sentence, number_as_tensor)) {
    problem.advice = "A number becomes a tensor with autograd::tensor(value, autograd::float64).";
  }
}

Problem explain(const Diagnostic& diagnostic, const AnswerFile& file) {
  if (auto problem = missing_semicolon(diagnostic, file)) return *problem;
  if (auto problem = wrong_arguments(diagnostic, file)) return *problem;
  if (auto problem = from_the_line(diagnostic, file)) return *problem;
  Problem problem{plain_types(diagnostic.message), "", place_in_answer(diagnostic, file)};
  if (auto known = from_dictionary(diagnostic, file)) problem = std::move(*known);
  add_advice_on_types(problem);
  add_advice_on_namespaces(problem, diagnostic);
  add_advice_on_new_names(problem, file);
  if (!is_answer(diagnostic.place, file) && is_answer(problem.place, file)) {
    problem.advice += fmt::format("{}(It shows inside {}, called from this line.)", problem.advice.empty() ? "" : " ",
                                  file_name(diagnostic.place.file));
  }
  return problem;
}

// The first error; but a missing return is often only what another error makes of a function, and of an open quotation
// mark clang warns first and then complains of what it read.
const Diagnostic* first_error(const std::vector<Diagnostic>& diagnostics) {
  const Diagnostic* first = nullptr;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.message.rfind("missing terminating", 0) == 0) return &diagnostic;
    if (diagnostic.kind != Diagnostic::Kind::error) continue;
    const bool replaceable = !first || first->flag == "-Werror=return-type" || first->flag == "-Werror,-Wreturn-type";
    if (replaceable && (!first || diagnostic.flag != first->flag)) first = &diagnostic;
  }
  return first;
}

std::string quoted_name(const std::string& message) {
  static const std::regex quoted(".*?'(?:[^']*[ :*&])?([^' ]+)'.*");
  std::smatch match;
  return std::regex_match(message, match, quoted) ? match[1].str() : "";
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

// Where the answer's text has "name(" first.
Place mention_of(const std::string& name, const AnswerFile& file) {
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string code = code_of(file.lines[i]);
    const std::size_t at = code.find(name + "(");
    if (at == std::string::npos) continue;
    return {file_name(file.path), static_cast<int>(i) + 1, static_cast<int>(at) + 1};
  }
  return {};
}

// "linear_backward(autograd::Tensor const&)" -> "linear_backward".
std::string function_name(const std::string& signature) {
  const std::string name = signature.substr(0, signature.find('('));
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

std::string west_const(const std::string& types) {
  return replaced(types, R"(([A-Za-z_:0-9]+(?:<[^<>]*>)?) const&)", "const $1&");
}

}  // namespace

std::string plain_types(std::string text) {
  static const std::pair<std::regex, const char*> rules[] = {
      {std::regex(R"( ?\{aka [^{}]*\})"), ""},
      {std::regex(R"( ?\(aka '[^']*'\))"), ""},
      {std::regex(R"(std::__cxx11::basic_string<char[^>]*>|std::basic_string<char[^>]*>)"), "std::string"},
      {std::regex(R"(std::__cxx11::)"), "std::"},
      {std::regex(R"((?:__gnu_cxx::)?__alloc_traits<[^<>]*<([^<>]*)>[^<>]*>::value_type)"), "$1"},
      {std::regex(R"((autograd|given|course)::)"), ""},
      {std::regex(R"(std::vector<([^<>]*), std::allocator<[^<>]*> ?>)"), "std::vector<$1>"},
      {std::regex(R"(\b(class|struct) )"), ""},
      {std::regex(R"(const char ?\[\d+\])"), "text"},
      {std::regex(R"(long int)"), "long"},
  };
  for (const auto& [pattern, by] : rules) text = std::regex_replace(text, pattern, by);
  return text;
}

Problem explain_compile_error(const std::string& compiler_output, const AnswerFile& file) {
  const std::vector<Diagnostic> diagnostics = read_diagnostics(compiler_output);
  const Diagnostic* const error = first_error(diagnostics);
  if (!error) {
    return {"the compiler stopped without saying where", "", {}};
  }
  Problem problem = explain(*error, file);
  if (problem.sentence.empty()) problem.sentence = "the compiler does not say what is wrong here";
  problem.place.file = file_name(problem.place.file);
  return problem;
}

std::vector<Problem> explain_warnings(const std::string& compiler_output, const AnswerFile& file) {
  const std::vector<Diagnostic> diagnostics = read_diagnostics(compiler_output);
  std::vector<Problem> problems = integer_divisions(file);
  for (const WarningEntry& known : warnings) {
    for (const Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.kind != Diagnostic::Kind::warning || diagnostic.flag != known.flag) continue;
      if (!is_answer(diagnostic.place, file)) continue;
      std::string sentence = known.sentence;
      if (const std::size_t at = sentence.find("$1"); at != std::string::npos) {
        const std::string name = quoted_name(diagnostic.message);
        sentence.replace(at, 2, name.empty() ? word_at(file, diagnostic.place) : name);
      }
      Place place = diagnostic.place;
      place.file = file_name(place.file);
      problems.push_back({std::move(sentence), "", std::move(place)});
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
    const std::string signature = west_const(plain_types(missing.message));
    const bool to_write = std::count(file.functions.begin(), file.functions.end(), name) > 0;
    const Place mention = mention_of(name, file);
    if (to_write && mention.known()) {
      return {
          fmt::format("your '{}' is not the one that given.h declares: other parameters, or inside a namespace", name),
          fmt::format("To be written is {}: take its first line over from given.h.", signature), mention};
    }
    if (to_write) {
      return {fmt::format("the function to write, '{}', is not in your file", name),
              fmt::format("To be written is {}, as the file had it in the beginning.", signature),
              {}};
    }
    Place place = is_answer(missing.place, file) ? missing.place : mention;
    place.file = file_name(file.path);
    return {fmt::format("'{}' is declared and used, but nowhere defined", signature),
            "Write its body, or look at the spelling and the parameters of the one that you have.", place};
  }
  return {"the parts of the program do not fit together", "", {}};
}

}  // namespace learn
