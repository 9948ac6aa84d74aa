#include "runner/show_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "runner/excerpt.h"
#include "runner/files.h"

namespace learn {
namespace {

using Outcome = Report::Outcome;

// ---- numbers
// ------------------------------------------------------------------------------------------------------------

std::string number(double value, int digits) {
  if (std::isnan(value)) return "NaN";  // fmt would show its sign, which means nothing
  return fmt::format("{:.{}g}", value, digits);
}

// As many digits as it takes to see that they differ.
int digits_for(const Difference& difference) {
  int digits = 5;
  for (const auto& entry : difference.entries) {
    const double scale = std::max(std::abs(entry.yours), std::abs(entry.expected));
    const double distance = std::abs(entry.yours - entry.expected);
    if (!(distance > 0.0) || !std::isfinite(scale) || scale == 0.0) continue;
    digits = std::max(digits, static_cast<int>(std::ceil(std::log10(scale / distance))) + 2);
  }
  return std::min(digits, 15);
}

std::string index_text(const std::vector<std::int64_t>& index) {
  return index.empty() ? "" : fmt::format("[{}]", fmt::join(index, ", "));
}

// Memory that was never written holds 0xFE bytes here (checker.cpp, builder.cpp).
bool is_never_written(double value) {
  return std::isfinite(value) && std::abs(value) > 1e300;
}

bool has_unwritten_memory(const Verdict& verdict) {
  for (const Difference& difference : verdict.differences) {
    for (const auto& entry : difference.entries) {
      if (is_never_written(entry.yours) && !is_never_written(entry.expected)) return true;
    }
  }
  return false;
}

// A NaN is no zero and no ratio: what else the numbers suggest is beside the point.
std::vector<std::string> clues_of(const Difference& difference) {
  if (difference.clues.empty()) return {};
  const std::string& first = difference.clues[0];
  const bool not_finite = first.rfind("yours has NaN", 0) == 0 || first.rfind("yours has infinity", 0) == 0;
  return not_finite ? std::vector<std::string>{first} : difference.clues;
}

std::string ended(const std::string& sentence) {
  return sentence.empty() || sentence.back() == '?' || sentence.back() == '.' ? sentence : sentence + ".";
}

// ---- what an answer threw
// ----------------------------------------------------------------------------------------------

// "at: 25_linear_layer.cpp:10" in an autograd::Error.
Place place_in_message(const std::string& message, const std::string& file) {
  static const std::regex at(R"(\s+at: (?:.*/)?([^/\s]+):(\d+))");
  std::smatch match;
  if (!std::regex_search(message, match, at) || match[1] != file) return {};
  return {match[1], std::stoi(match[2]), 0};
}

// "try: ..." in an autograd::Error.
std::string line_after(const std::string& message, const std::string& label) {
  const std::size_t at = message.find("\n  " + label + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + label.size() + 5;
  return message.substr(begin, message.find('\n', begin) - begin);
}

// Sentences for what the standard library throws.
std::string plain_exception(const std::string& message) {
  // Integers of 0xFE bytes: -ftrivial-auto-var-init=pattern (builder.cpp).
  for (const char* const never_written : {"-72340172838076674", "-16843010"}) {
    if (message.find(never_written) != std::string::npos) {
      return message + " (" + never_written + " is what stands in an integer that nothing was ever written to)";
    }
  }
  static const std::regex range(
      R"(.*_M_range_check: __n \(which is (\d+)\) >= (?:this->size\(\)|size\(\)) \(which is (\d+)\))");
  std::smatch match;
  if (std::regex_match(message, match, range)) {
    return fmt::format("index {} in something that has {} elements", match[1].str(), match[2].str());
  }
  if (message.find("larger than max_size()") != std::string::npos || message == "vector::reserve" ||
      message.find("_M_default_append") != std::string::npos) {
    return "a vector with an absurd size: can it have become negative?";
  }
  if (message == "std::bad_alloc") return "there is not enough memory for what your code asks for";
  if (message == "map::at") return "map::at() for a key that is not in the map";
  if (message == "bad optional access") return "the value of a std::optional that has none";
  if (message == "bad_function_call") return "a std::function is called that has no function";
  return message;
}

}  // namespace

std::string headline(const Style& style, const Exercise& exercise, const Report& report) {
  std::string outcome;
  switch (report.outcome) {
    case Outcome::passed: outcome = style.green("✓ passed"); break;
    case Outcome::unwritten: outcome = style.yellow("○ not written yet"); break;
    case Outcome::wrong: outcome = style.red("✗ not right yet"); break;
    case Outcome::does_not_compile: outcome = style.red("✗ does not compile"); break;
    case Outcome::crashed: outcome = style.red("✗ stopped by an error"); break;
    case Outcome::out_of_time: outcome = style.red("✗ does not come to an end"); break;
    case Outcome::broken: outcome = style.red("✗ could not be checked"); break;
  }
  return fmt::format("{}  {}\n", outcome, style.bold(exercise.number() + " " + exercise.title()));
}

std::string show_problem(const Style& style, const Problem& problem, std::string_view kind, const std::string& file) {
  std::string text;
  if (problem.place.known()) {
    std::string place = fmt::format("{}:{}:", problem.place.file, problem.place.line);
    if (problem.place.column > 0) place += fmt::format("{}:", problem.place.column);
    text += fmt::format("{} {} {}\n", style.bold(place), style.red(fmt::format("{}:", kind)), problem.sentence);
    if (problem.place.file == file_name(file)) text += excerpt(style, lines_of(file), problem.place);
  } else {
    text += wrapped(problem.sentence, style.width, "  ");
  }
  if (!problem.advice.empty()) text += wrapped(problem.advice, style.width, "  ");
  return text;
}

std::string show_thrown(const Style& style, const Report& report, const std::string& file) {
  const std::string& message = report.verdict->message;
  if (message.empty()) return "";
  Place place = place_in_message(message, file_name(file));
  if (!place.known()) place = report.thrown_at;
  std::string text =
      show_problem(style, {plain_exception(message.substr(0, message.find('\n'))), "", place}, "error", file);
  for (const auto& [label, word] : {std::pair{"try", "Try: "}, std::pair{"more", "More: "}}) {
    const std::string line = line_after(message, label);
    if (!line.empty()) text += wrapped(word + line, style.width, "  ");
  }
  const std::string& next = report.verdict->stopped_before;
  if (!next.empty())
    text +=
        wrapped("It happened on the way to '" + next + "', and what comes after was not looked at.", style.width, "  ");
  return text;
}

std::string show_right(const Style& style, std::string_view label, const std::vector<std::string>& names, bool all) {
  constexpr std::size_t most = 12;
  if (names.empty()) return "";
  const std::size_t shown = all ? names.size() : std::min(most, names.size());
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), " · "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return wrapped(text, style.width, fmt::format("  {} {}: ", style.green("✓"), label));
}

std::string show_difference(const Style& style, const Difference& difference, bool with_clues) {
  // A long name would leave a narrow column for the rest.
  const std::string head = fmt::format("  {} {}", style.red("✗"), style.bold(difference.name));
  std::string text = difference.name.size() <= 24 ? wrapped(difference.summary, style.width, head + "  ")
                                                  : head + "\n" + wrapped(difference.summary, style.width, "      ");
  text += show_entries(style, difference, "      ");
  if (!with_clues) return text;
  for (const std::string& clue : clues_of(difference)) text += wrapped(clue, style.width, "      • ");
  return text;
}

std::string show_entries(const Style& style, const Difference& difference, const std::string& indent) {
  if (difference.entries.empty()) return "";
  const int digits = digits_for(difference);
  const bool numeric = std::any_of(difference.entries.begin(), difference.entries.end(),
                                   [](const auto& entry) { return entry.numeric.has_value(); });
  std::vector<std::vector<std::string>> rows{{style.dim("at"), style.dim("yours"), style.dim("expected")}};
  if (numeric) rows[0].push_back(style.dim("numeric"));
  for (const auto& entry : difference.entries) {
    rows.push_back({index_text(entry.index), number(entry.yours, digits), number(entry.expected, digits)});
    if (numeric) rows.back().push_back(entry.numeric ? number(*entry.numeric, digits) : "");
  }
  return table(rows, indent);
}

std::string show_warnings(const Style& style, const Report& report, const std::string& file, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, report.warnings.size()); ++i) {
    text += show_problem(style, report.warnings[i], "warning", file);
  }
  return text;
}

std::string show_printed(const Style& style, const std::string& printed, bool all) {
  if (printed.empty()) return "";
  constexpr std::size_t most_lines = 20;
  std::string text = style.dim("  your code printed:") + "\n";
  std::size_t begin = 0;
  for (std::size_t lines = 0; begin < printed.size(); ++lines) {
    if (lines == most_lines && !all) return text + style.dim("  │ ... (--verbose shows all)") + "\n";
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    text += style.dim("  │ ") + printed.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return text;
}

std::vector<std::string> sentences_about_runs(const Verdict& verdict) {
  std::vector<std::string> sentences;
  if (has_unwritten_memory(verdict)) {
    sentences.push_back(
        "Numbers like -5.3e+303 are what memory holds here that was never written: something is read before it is "
        "set.");
  }
  if (!verdict.repeatable) {
    sentences.push_back(
        "Two runs on the same inputs gave different numbers: is something read that was never set, kept from the last "
        "call (static), or drawn at random?");
  }
  return sentences;
}

std::vector<std::string> sentences_about_probes(const Verdict& verdict) {
  if (!verdict.first_probe) return {};
  const std::string before = verdict.right_probes.empty() ? "" : verdict.right_probes.back() + " is right, ";
  return {fmt::format("{}{} is the first intermediate value that is not right.", before, verdict.first_probe->name)};
}

static bool is_explained(const Verdict& verdict, const std::string& difference) {
  return std::any_of(verdict.partly_named.begin(), verdict.partly_named.end(), [&](const PartlyNamed& part) {
    return std::count(part.explains.begin(), part.explains.end(), difference) > 0;
  });
}

std::vector<std::string> sentences_of_clues(const Verdict& verdict, std::size_t most_of_each) {
  std::vector<std::string> sentences;
  if (has_unwritten_memory(verdict)) return sentences;  // no clue follows from such numbers
  for (const Difference& difference : verdict.differences) {
    if (is_explained(verdict, difference.name)) continue;
    const std::vector<std::string> clues = clues_of(difference);
    for (std::size_t i = 0; i < std::min(most_of_each, clues.size()); ++i) {
      sentences.push_back(difference.name + ": " + ended(clues[i]));
    }
  }
  return sentences;
}

std::vector<std::string> sentences_about_sizes(const Verdict& verdict) {
  std::vector<std::string> sentences;
  for (const Shrunk& axis : verdict.shrunk) {
    if (!axis.right_at_one) continue;
    sentences.push_back(fmt::format(
        "Right when {0} has length 1, wrong from {1} on: look at what is summed over {0}, or handed on along it.",
        axis.axis, axis.wrong_from));
  }
  // Where every length of 1 makes it right, nothing is left to be wrong, and none of them tells anything.
  if (sentences.size() == verdict.shrunk.size() && sentences.size() > 1) return {};
  return sentences;
}

const MistakeText* find_mistake(const Exercise& exercise, const std::string& name) {
  for (const MistakeText& mistake : exercise.source.mistakes) {
    if (mistake.name == name) return &mistake;
  }
  return nullptr;
}

std::vector<std::string> questions(const Exercise& exercise, const Verdict& verdict) {
  std::vector<std::string> names;
  if (!verdict.named.empty()) names = verdict.named[0];
  for (const PartlyNamed& part : verdict.partly_named) names.push_back(part.mistake);
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (const MistakeText* const mistake = find_mistake(exercise, name)) {
      found.push_back(fill_in(mistake->question, verdict.axes));
    }
  }
  return found;
}

std::string sections(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

std::string bullets(const Style& style, const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += wrapped(sentence, style.width, "  • ");
  return text;
}

}  // namespace learn
