#include "runner/show/show_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runner/report/verdict_sentences.h"
#include "runner/show/show_numbers.h"
#include "runner/show/show_problem.h"

namespace learn {
namespace {

using Outcome = Report::Outcome;

constexpr std::size_t any_number = 1000000;
constexpr std::size_t most_differences = 3;
constexpr std::size_t most_sentences = 4;

// "✗ not right yet  25 Linear layer"
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
  if (style.in_page) return outcome + "\n";
  return fmt::format("{}  {}\n", outcome, style.bold(exercise.number() + " " + exercise.title()));
}

std::string show_printed(const Style& style, const std::string& printed, bool all) {
  if (printed.empty()) return "";
  constexpr std::size_t most_lines = 20;
  std::string text = style.dim("  your code printed:") + "\n";
  std::size_t begin = 0;
  for (std::size_t lines = 0; begin < printed.size(); ++lines) {
    if (lines == most_lines && !all && !style.in_page) {
      return text + style.dim(style.has_commands ? "  │ ... (--verbose shows all)" : "  │ ...") + "\n";
    }
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    text += style.dim("  │ ") + printed.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string show_differences(const Style& style, const Exercise& exercise, const Verdict& verdict, bool all) {
  const std::size_t shown = all ? verdict.differences.size() : std::min(most_differences, verdict.differences.size());
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += show_difference(style, verdict.differences[i], all);
  if (shown < verdict.differences.size()) {
    const std::string why = style.in_page ? "\"Why?\"" : fmt::format("`learn why {}`", exercise.number());
    text += fmt::format("  and {} more{}\n", verdict.differences.size() - shown,
                        style.has_commands ? fmt::format(": {} shows them", why) : "");
  }
  return text;
}

// A question first: to find the answer teaches more than to be told.
std::string show_named(const Style& style, const Exercise& exercise, const Verdict& verdict) {
  std::string text = wrapped(sentence_about_named(verdict), style.width, "  ");
  for (const std::string& question : questions(exercise, verdict)) {
    text += wrapped(question, style.width, "  " + style.yellow("? "));
  }
  return text;
}

// Known mistakes that explain some of the differences.
std::string show_partly_named(const Style& style, const Exercise& exercise, const Verdict& verdict) {
  std::string text;
  for (const PartlyNamed& part : verdict.partly_named) {
    text += wrapped(sentence_about_part(part), style.width, "  ");
    for (const std::string& name : part.mistakes) {
      if (const MistakeText* const mistake = find_mistake(exercise, name)) {
        text += wrapped(question_of(*mistake, verdict), style.width, "  " + style.yellow("? "));
      }
    }
  }
  return text;
}

std::string show_diagnosis(const Style& style, const Exercise& exercise, const Verdict& verdict, bool all) {
  if (!verdict.named.empty()) return show_named(style, exercise, verdict);
  std::vector<std::string> sentences;
  for (const auto& some : {sentences_about_runs(verdict), sentences_about_probes(verdict),
                           sentences_of_clues(verdict, all ? any_number : 2), sentences_about_sizes(verdict)}) {
    sentences.insert(sentences.end(), some.begin(), some.end());
  }
  if (!all && sentences.size() > most_sentences) sentences.resize(most_sentences);
  return show_partly_named(style, exercise, verdict) + bullets(style, sentences);
}

std::string show_elsewhere(const Style& style, const Verdict& verdict) {
  const std::string sentence = sentence_about_elsewhere(verdict);
  return sentence.empty() ? "" : wrapped(sentence, style.width, "  ");
}

std::string show_wrong(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                       bool all) {
  const Verdict& verdict = *report.verdict;
  const std::string elsewhere = show_elsewhere(style, verdict);
  const std::string found = show_right(style, "right", verdict.right, all) + show_thrown(style, report, file);
  const std::string numbers = show_differences(style, exercise, verdict, all);
  const std::string problem = report.problem ? show_problem(style, *report.problem, "wrong", file) : "";
  // Where the mistake is known, the question comes before the numbers that it is about.
  const std::string diagnosis = show_diagnosis(style, exercise, verdict, all);
  if (!verdict.named.empty()) return sections({elsewhere, found, diagnosis, numbers, problem});
  const std::string on_the_way =
      verdict.first_probe ? "" : show_right(style, "right on the way", verdict.right_probes, all);
  return sections({elsewhere, found + on_the_way + numbers, problem, diagnosis});
}

std::string show_passed(const Style& style, const Verdict& verdict, bool all) {
  constexpr std::size_t most_names = 8;
  const bool many = !all && verdict.right.size() > most_names;
  std::vector<std::string> parts{
      many ? fmt::format("  {} right: all {} that were looked at\n", style.green("✓"), verdict.right.size())
           : show_right(style, "right", verdict.right, all)};
  parts.insert(parts.end(), verdict.shown.begin(), verdict.shown.end());
  return sections(parts);
}

std::string show_unwritten(const Style& style, const Exercise& exercise, const Verdict& verdict, bool all) {
  return show_elsewhere(style, verdict) + show_right(style, "right so far", verdict.right, false) +
         show_differences(style, exercise, verdict, all) + show_partly_named(style, exercise, verdict) +
         wrapped(verdict.message, style.width, "  to be written: ");
}

std::string show_broken(const Style& style, const Report& report) {
  return wrapped("The check itself did not work. This is not your answer's fault:", style.width, "  ") +
         report.problem->sentence + "\n";
}

std::string show_body(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                      bool all) {
  switch (report.outcome) {
    case Outcome::passed: return show_passed(style, *report.verdict, all);
    case Outcome::unwritten: return show_unwritten(style, exercise, *report.verdict, all);
    case Outcome::wrong: return show_wrong(style, exercise, report, file, all);
    case Outcome::broken: return show_broken(style, report);
    default: break;
  }
  const std::string right = report.verdict ? show_right(style, "right", report.verdict->right, all) : "";
  return right + show_problem(style, *report.problem, "error", file);
}

std::string what_helps(const Style& style, const Exercise& exercise, const Report& report) {
  if (style.in_page || !style.has_commands) return "";
  const std::string n = exercise.number();
  std::string text;
  switch (report.outcome) {
    case Outcome::wrong:
      text = fmt::format("learn why {0} explains · learn hint {0} helps", n);
      if (exercise.source.has_steps) text += fmt::format(" · learn step {} shows each value", n);
      break;
    case Outcome::does_not_compile:
    case Outcome::crashed:
    case Outcome::out_of_time:
      text = fmt::format("learn check {0} --verbose shows it word for word · learn hint {0} helps", n);
      break;
    case Outcome::unwritten: text = fmt::format("learn read {0} is the text · learn hint {0} helps", n); break;
    case Outcome::passed: text = fmt::format("learn solution {0} shows another way to write it", n); break;
    case Outcome::broken: return "";
  }
  return wrapped(style.dim(text), style.width, "  ");
}

std::string show_raw(const Style& style, const Report& report) {
  return report.raw.empty() ? "" : style.dim("word for word:") + "\n" + report.raw;
}

// ---- why ------------------------------------------------------------------------------------------------------------

std::string explain_mistake(const Style& style, const MistakeText& mistake, const Verdict& verdict) {
  return fmt::format("  {}\n", style.bold(mistake.name)) +
         wrapped(question_of(mistake, verdict), style.width, "    " + style.yellow("? ")) +
         wrapped(fill_in(mistake.because, verdict.setting.sizes), style.width, "    because ");
}

std::string explain_named(const Style& style, const Exercise& exercise, const Verdict& verdict) {
  std::vector<std::string> parts;
  for (const std::vector<std::string>& names : verdict.named) {
    parts.push_back(wrapped(sentence_before_named(verdict, parts.empty()), style.width, "  "));
    for (const std::string& name : names) {
      if (const MistakeText* const mistake = find_mistake(exercise, name)) {
        parts.push_back(explain_mistake(style, *mistake, verdict));
      }
    }
  }
  for (const PartlyNamed& part : verdict.partly_named) {
    parts.push_back(wrapped(
        "For " + listed(part.explains) + ", your numbers are exactly those one gets when this is done:", style.width,
        "  "));
    for (const std::string& name : part.mistakes) {
      if (const MistakeText* const mistake = find_mistake(exercise, name)) {
        parts.push_back(explain_mistake(style, *mistake, verdict));
      }
    }
  }
  if (parts.empty()) return "";
  parts.push_back(wrapped("That is no proof: other code can give the same numbers. But it is a good place to look.",
                          style.width, "  "));
  return sections(parts);
}

std::string explain_numbers(const Style& style, const Report& report, const std::string& file) {
  const Verdict& verdict = *report.verdict;
  std::string text = show_right(style, "right", verdict.right, true) +
                     show_right(style, "right on the way", right_on_the_way(verdict), true) +
                     show_thrown(style, report, file);
  for (const Difference& difference : verdict.differences) text += show_difference(style, difference, true);
  return text;
}

std::string explain_first_probe(const Style& style, const Verdict& verdict) {
  if (!verdict.first_probe) return "";
  return fmt::format("  {}:\n", about_first_wrong(*verdict.first_probe)) +
         show_difference(style, verdict.first_probe->difference, true);
}

// The smallest case that is still wrong: numbers that can be done by hand.
std::string explain_smallest(const Style& style, const Verdict& verdict) {
  if (!verdict.smallest || verdict.smallest->differences.empty()) return "";
  std::vector<std::string> sizes;
  for (const auto& [axis, size] : verdict.smallest->sizes) sizes.push_back(fmt::format("{} = {}", axis, size));
  std::string text = wrapped("The smallest case that is still wrong: " + listed(sizes), style.width, "  ");
  // A few are enough to do by hand, and the others follow.
  const auto& differences = verdict.smallest->differences;
  for (std::size_t i = 0; i < std::min(most_differences, differences.size()); ++i) {
    text += show_difference(style, differences[i], false);
  }
  return text;
}

std::vector<std::string> sentences_about_check(const Verdict& verdict) {
  std::vector<std::string> sentences = sentences_about_runs(verdict);
  const std::vector<std::string> sizes = sentences_about_sizes(verdict);
  sentences.insert(sentences.end(), sizes.begin(), sizes.end());
  std::string lengths;
  for (const auto& [axis, size] : verdict.setting.sizes)
    lengths += fmt::format("{}{} = {}", lengths.empty() ? "" : ", ", axis, size);
  if (!lengths.empty()) sentences.push_back("The sizes in this check: " + lengths + ".");
  return sentences;
}

}  // namespace

std::string show_report(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                        const ShowOptions& options) {
  const bool all = options.verbose;
  return headline(style, exercise, report) +
         sections({show_body(style, exercise, report, file, all),
                   show_warnings(style, report, file, all ? any_number : 2), show_printed(style, report.printed, all),
                   options.raw ? show_raw(style, report) : "", what_helps(style, exercise, report)});
}

std::string explain_report(const Style& style, const Exercise& exercise, const Report& report,
                           const std::string& file) {
  if (report.outcome != Outcome::wrong) return show_report(style, exercise, report, file, {.verbose = true});
  const Verdict& verdict = *report.verdict;
  const std::string problem = report.problem ? show_problem(style, *report.problem, "wrong", file) : "";
  return headline(style, exercise, report) +
         sections({show_elsewhere(style, verdict), explain_named(style, exercise, verdict),
                   explain_numbers(style, report, file), explain_first_probe(style, verdict), problem,
                   bullets(style, sentences_about_check(verdict)), explain_smallest(style, verdict),
                   show_warnings(style, report, file, any_number), show_printed(style, report.printed, true)});
}

}  // namespace learn
