#include "runner/show_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "runner/checker.h"
#include "runner/excerpt.h"
#include "runner/files.h"

namespace learn {
namespace {

using Outcome = Report::Outcome;

const MistakeText* find_mistake(const Exercise& exercise, const std::string& name) {
  for (const MistakeText& mistake : exercise.source.mistakes) {
    if (mistake.name == name) return &mistake;
  }
  return nullptr;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// ---- numbers
// ------------------------------------------------------------------------------------------------------------

// As many digits as it takes to see that they differ.
std::string number(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

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

// ---- the head
// -----------------------------------------------------------------------------------------------------------

std::string headline(const Style& style, const Exercise& exercise, const Report& report) {
  const std::string title = style.bold(exercise.number() + " " + exercise.title());
  switch (report.outcome) {
    case Outcome::passed: return style.green("✓ passed") + "  " + title + "\n";
    case Outcome::unwritten: return style.yellow("○ not written yet") + "  " + title + "\n";
    case Outcome::wrong: return style.red("✗ not right yet") + "  " + title + "\n";
    case Outcome::does_not_compile: return style.red("✗ does not compile") + "  " + title + "\n";
    case Outcome::crashed: return style.red("✗ stopped by an error") + "  " + title + "\n";
    case Outcome::out_of_time: return style.red("✗ does not come to an end") + "  " + title + "\n";
    case Outcome::broken: return style.red("✗ could not be checked") + "  " + title + "\n";
  }
  return "";
}

// "25_linear_layer.cpp:7:13: error: a ; is missing": the form that editors know.
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

// ---- what an answer threw
// ----------------------------------------------------------------------------------------------

// "at: 25_linear_layer.cpp:10" in an autograd::Error.
Place place_in_message(const std::string& message, const std::string& file) {
  static const std::regex at(R"(\s+at: (?:.*/)?([^/\s]+):(\d+))");
  std::smatch match;
  if (!std::regex_search(message, match, at) || match[1] != file) return {};
  return {match[1], std::stoi(match[2]), 0};
}

std::string line_after(const std::string& message, const std::string& label) {
  const std::size_t at = message.find("\n  " + label + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + label.size() + 5;
  return message.substr(begin, message.find('\n', begin) - begin);
}

// Sentences for what the standard library throws.
std::string plain_exception(const std::string& message) {
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

std::string show_thrown(const Style& style, const Verdict& verdict, const std::string& file) {
  const std::string first = plain_exception(verdict.message.substr(0, verdict.message.find('\n')));
  const Place place = place_in_message(verdict.message, file_name(file));
  std::string text = show_problem(style, {first, "", place}, "error", file);
  const std::string advice = line_after(verdict.message, "try");
  const std::string more = line_after(verdict.message, "more");
  if (!advice.empty()) text += wrapped("Try: " + advice, style.width, "  ");
  if (!more.empty()) text += wrapped("More: " + more, style.width, "  ");
  return text;
}

// ---- differences
// -------------------------------------------------------------------------------------------------------

std::string show_difference(const Style& style, const Difference& difference, bool verbose) {
  std::string text =
      wrapped(difference.summary, style.width, "  " + style.red("✗ ") + style.bold(difference.name) + "  ");
  text += show_entries(style, difference, "      ");
  const std::size_t most = verbose ? difference.clues.size() : 0;
  for (std::size_t i = 0; i < most; ++i) text += wrapped(difference.clues[i], style.width, "      • ");
  return text;
}

bool is_never_written(double value) {
  return std::isfinite(value) && std::abs(value) > 1e300;
}

// Numbers that memory holds before anything was written to it.
bool has_unwritten_memory(const Verdict& verdict) {
  for (const Difference& difference : verdict.differences) {
    for (const auto& entry : difference.entries) {
      if (is_never_written(entry.yours) && !is_never_written(entry.expected)) return true;
    }
  }
  return false;
}

std::string ended(const std::string& sentence) {
  return sentence.empty() || sentence.back() == '?' || sentence.back() == '.' ? sentence : sentence + ".";
}

// What can be said about it when no known mistake fits.
std::vector<std::string> observations(const Verdict& verdict, bool all) {
  std::vector<std::string> sentences;
  if (has_unwritten_memory(verdict)) {
    sentences.push_back(
        "Numbers like -5.3e+303 are what memory holds here that was never written: something is read before it is "
        "set.");
  }
  if (!verdict.repeatable) {
    sentences.push_back(
        "Two runs on the same inputs gave different numbers: is something read that was never set, "
        "kept from the last call (static), or drawn at random?");
  }
  if (verdict.first_probe) {
    std::string right = verdict.right_probes.empty() ? "" : verdict.right_probes.back() + " is right, ";
    sentences.push_back(
        fmt::format("{}{} is the first intermediate value that is not.", right, verdict.first_probe->name));
  }
  for (const Difference& difference : verdict.differences) {
    const std::size_t most = all ? difference.clues.size() : std::min<std::size_t>(difference.clues.size(), 2);
    for (std::size_t i = 0; i < most; ++i) sentences.push_back(difference.name + ": " + ended(difference.clues[i]));
    if (!all && sentences.size() >= 3) break;
  }
  for (const std::string& sentence : shrink_sentences(verdict)) {
    if (!all && sentences.size() >= 4) break;
    sentences.push_back(sentence);
  }
  return sentences;
}

std::string show_named(const Style& style, const Exercise& exercise, const Verdict& verdict) {
  std::string text;
  const bool two = verdict.named[0].size() > 1;
  text += wrapped(two ? "Your numbers are exactly those one gets from two known mistakes at once."
                      : "Your numbers are exactly those one gets from a mistake that is known here.",
                  style.width, "  ");
  for (const std::string& question : questions(exercise, verdict)) {
    text += wrapped(question, style.width, "  " + style.yellow("? "));
  }
  return text;
}

std::string show_wrong(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                       bool verbose) {
  const Verdict& verdict = *report.verdict;
  std::string text;
  if (!verdict.right.empty()) {
    text += wrapped(joined(verdict.right), style.width, "  " + style.green("✓ ") + "right: ");
  }
  if (!verdict.message.empty()) text += show_thrown(style, verdict, file);
  const std::size_t most = verbose ? verdict.differences.size() : 3;
  for (std::size_t i = 0; i < std::min(most, verdict.differences.size()); ++i) {
    text += show_difference(style, verdict.differences[i], verbose);
  }
  if (verdict.differences.size() > most) {
    text +=
        fmt::format("  and {} more: `learn why {}` shows them\n", verdict.differences.size() - most, exercise.number());
  }
  if (report.problem) text += "\n" + show_problem(style, *report.problem, "wrong", file);
  text += "\n";
  if (!verdict.named.empty()) return text + show_named(style, exercise, verdict);
  for (const std::string& sentence : observations(verdict, verbose)) text += wrapped(sentence, style.width, "  • ");
  return text;
}

// ---- what surrounds it
// -------------------------------------------------------------------------------------------------

std::string show_printed(const Style& style, const std::string& printed, bool verbose) {
  if (printed.empty()) return "";
  constexpr std::size_t most_lines = 20;
  std::string text = style.dim("  your code printed:") + "\n";
  std::size_t begin = 0;
  for (std::size_t lines = 0; begin < printed.size(); ++lines) {
    if (lines == most_lines && !verbose) return text + style.dim("  │ ... (--verbose shows all)") + "\n";
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    text += style.dim("  │ ") + printed.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return text;
}

std::string show_warnings(const Style& style, const Report& report, const std::string& file, bool verbose) {
  std::string text;
  const std::size_t most = verbose ? report.warnings.size() : 2;
  for (std::size_t i = 0; i < std::min(most, report.warnings.size()); ++i) {
    text += show_problem(style, report.warnings[i], "warning", file);
  }
  return text.empty() ? "" : "\n" + text;
}

std::string show_raw(const Style& style, const Report& report) {
  if (report.raw.empty()) return "";
  return "\n" + style.dim("word for word:") + "\n" + report.raw;
}

std::string what_helps(const Style& style, const Exercise& exercise, const Report& report) {
  const std::string n = exercise.number();
  std::string text;
  switch (report.outcome) {
    case Outcome::wrong:
      text = fmt::format("learn why {0} explains · learn hint {0} helps · learn step {0} shows each value", n);
      break;
    case Outcome::does_not_compile:
    case Outcome::crashed:
    case Outcome::out_of_time:
      text = fmt::format("learn check {0} --verbose shows it word for word · learn hint {0} helps", n);
      break;
    case Outcome::unwritten: text = fmt::format("learn read {0} is the text · learn hint {0} helps", n); break;
    case Outcome::passed:
      text = fmt::format("learn solution {0} shows another way to write it · learn goes on", n);
      break;
    case Outcome::broken: return "";
  }
  return "\n" + wrapped(style.dim(text), style.width, "  ");
}

std::string show_body(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                      bool verbose) {
  switch (report.outcome) {
    case Outcome::passed: return wrapped(joined(report.verdict->right), style.width, "  right: ");
    case Outcome::unwritten: {
      std::string text;
      if (!report.verdict->right.empty())
        text += wrapped(joined(report.verdict->right), style.width, "  right so far: ");
      return text + wrapped(report.verdict->message, style.width, "  to be written: ");
    }
    case Outcome::wrong: return show_wrong(style, exercise, report, file, verbose);
    case Outcome::broken:
      return wrapped("The check itself did not work. This is not your answer's fault:", style.width, "  ") +
             report.problem->sentence + "\n";
    default: break;
  }
  std::string text;
  if (report.verdict && !report.verdict->right.empty()) {
    text += wrapped(joined(report.verdict->right), style.width, "  " + style.green("✓ ") + "right: ");
  }
  return text + show_problem(style, *report.problem, "error", file);
}

}  // namespace

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

std::vector<std::string> shrink_sentences(const Verdict& verdict) {
  std::vector<std::string> right;
  std::vector<std::string> sentences;
  for (const Shrunk& axis : verdict.shrunk) {
    if (!axis.right) continue;
    sentences.push_back(fmt::format(
        "Right when {0} has length 1, wrong at {1}: look at what is summed over {0}, or handed on along it.", axis.axis,
        axis.size));
  }
  if (sentences.size() == verdict.shrunk.size() && sentences.size() > 1) {
    return {"Right as soon as any one axis has length 1."};
  }
  return sentences;
}

std::vector<std::string> questions(const Exercise& exercise, const Verdict& verdict) {
  std::vector<std::string> found;
  if (verdict.named.empty()) return found;
  for (const std::string& name : verdict.named[0]) {
    if (const MistakeText* const mistake = find_mistake(exercise, name)) {
      found.push_back(fill_in(mistake->question, verdict.axes));
    }
  }
  return found;
}

std::string show_report(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                        const ShowOptions& options) {
  std::string text = headline(style, exercise, report);
  text += show_body(style, exercise, report, file, options.verbose);
  text += show_warnings(style, report, file, options.verbose);
  text += show_printed(style, report.printed, options.verbose);
  if (options.verbose) text += show_raw(style, report);
  return text + what_helps(style, exercise, report);
}

std::string explain_report(const Style& style, const Exercise& exercise, const Report& report,
                           const std::string& file) {
  if (report.outcome != Outcome::wrong) return show_report(style, exercise, report, file, {.verbose = true});
  const Verdict& verdict = *report.verdict;
  std::string text = headline(style, exercise, report);
  for (std::size_t i = 0; i < verdict.named.size(); ++i) {
    text += i == 0 ? "\n  Your numbers are exactly those one gets from\n" : "\n  They are also those one gets from\n";
    for (const std::string& name : verdict.named[i]) {
      const MistakeText* const mistake = find_mistake(exercise, name);
      if (!mistake) continue;
      text += fmt::format("\n  {}\n", style.bold(name));
      text += wrapped(fill_in(mistake->question, verdict.axes), style.width, "    " + style.yellow("? "));
      text += wrapped("Because " + fill_in(mistake->because, verdict.axes), style.width, "    ");
    }
  }
  if (!verdict.named.empty()) {
    text +=
        "\n" + wrapped("That is no proof: another mistake could give the same numbers. But it is a good place to look.",
                       style.width, "  ");
  }
  text += "\n";
  if (!verdict.right.empty()) text += wrapped(joined(verdict.right), style.width, "  " + style.green("✓ ") + "right: ");
  if (!verdict.right_probes.empty()) {
    text += wrapped(joined(verdict.right_probes), style.width, "  " + style.green("✓ ") + "right on the way: ");
  }
  if (!verdict.message.empty()) text += show_thrown(style, verdict, file);
  for (const Difference& difference : verdict.differences) text += show_difference(style, difference, true);
  if (verdict.first_probe) {
    text +=
        "\n  The first intermediate value that is not right:\n" + show_difference(style, *verdict.first_probe, true);
  }
  if (report.problem) text += "\n" + show_problem(style, *report.problem, "wrong", file);
  std::string seen;
  for (const std::string& sentence : observations({.outcome = {},
                                     .message = {},
                                     .right = {},
                                     .right_probes = {},
                                     .differences = {},
                                     .first_probe = {},
                                     .named = {},
                                     .shrunk = verdict.shrunk,
                                     .repeatable = verdict.repeatable,
                                     .axes = {}},
                                                  true)) {
    seen += wrapped(sentence, style.width, "  • ");
  }
  if (has_unwritten_memory(verdict)) {
    seen += wrapped(
        "Numbers like -5.3e+303 are what memory holds here that was never written: something is read before it is set.",
        style.width, "  • ");
  }
  if (!verdict.shrunk.empty()) {
    std::vector<std::string> lengths;
    for (const auto& [axis, size] : verdict.axes) lengths.push_back(fmt::format("{} = {}", axis, size));
    seen += wrapped("The sizes of this check: " + joined(lengths) + ".", style.width, "  • ");
  }
  if (!seen.empty()) text += "\n" + seen;
  text += show_warnings(style, report, file, true);
  return text + show_printed(style, report.printed, true);
}

}  // namespace learn
