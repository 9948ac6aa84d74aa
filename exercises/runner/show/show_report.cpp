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

Block sentence(const std::string& text, const std::string& name = "") {
  return {Block::Kind::sentence, text, name};
}

Blocks show_printed(const Style& style, const std::string& printed, bool all) {
  if (printed.empty()) return {};
  constexpr std::size_t most_lines = 20;
  std::string text;
  std::size_t begin = 0;
  for (std::size_t lines = 0; begin < printed.size(); ++lines) {
    if (lines == most_lines && !all && !style.in_page) {
      text += style.dim(style.has_commands ? "  │ ... (--verbose shows all)" : "  │ ...") + "\n";
      break;
    }
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    text += style.dim("  │ ") + printed.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return {sentence(style.dim("your code printed:")), {Block::Kind::numbers, text}};
}

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

Blocks clues_block(const std::vector<std::string>& sentences) {
  Blocks blocks;
  for (const std::string& one : sentences) blocks.push_back({Block::Kind::clue, one});
  return blocks;
}

Blocks show_differences(const Style& style, const Exercise& exercise, const Verdict& verdict, bool all) {
  const std::size_t shown = all ? verdict.differences.size() : std::min(most_differences, verdict.differences.size());
  Blocks blocks;
  for (std::size_t i = 0; i < shown; ++i) blocks += show_difference(style, verdict.differences[i], all);
  if (shown < verdict.differences.size()) {
    const std::string why = style.in_page ? "\"Why?\"" : fmt::format("`learn why {}`", exercise.number());
    blocks.push_back(sentence(fmt::format("and {} more{}", verdict.differences.size() - shown,
                                          style.has_commands ? fmt::format(": {} shows them", why) : "")));
  }
  return blocks;
}

// A question first: to find the answer teaches more than to be told. Of known mistakes that explain all, or some of it.
Blocks show_questions(const Exercise& exercise, const Verdict& verdict) {
  Blocks blocks;
  if (!verdict.named.empty()) {
    blocks.push_back(sentence(sentence_about_named(verdict)));
    for (const std::string& question : questions(exercise, verdict))
      blocks.push_back({Block::Kind::question, question});
  }
  for (const PartlyNamed& part : verdict.partly_named) {
    blocks.push_back(sentence(sentence_about_part(part)));
    for (const std::string& name : part.mistakes) {
      if (const MistakeText* const mistake = find_mistake(exercise, name)) {
        blocks.push_back({Block::Kind::question, question_of(*mistake, verdict)});
      }
    }
  }
  return blocks;
}

// What the numbers suggest, where no known mistake explains all of them.
Blocks show_clues(const Verdict& verdict, bool all) {
  if (!verdict.named.empty()) return {};
  std::vector<std::string> sentences;
  for (const auto& some : {sentences_about_runs(verdict), sentences_about_probes(verdict),
                           sentences_of_clues(verdict, all ? any_number : 2), sentences_about_sizes(verdict)}) {
    sentences.insert(sentences.end(), some.begin(), some.end());
  }
  if (!all && sentences.size() > most_sentences) sentences.resize(most_sentences);
  return clues_block(sentences);
}

Blocks show_elsewhere(const Verdict& verdict) {
  const std::string text = sentence_about_elsewhere(verdict);
  return text.empty() ? Blocks{} : Blocks{sentence(text)};
}

Blocks show_wrong(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                  bool all) {
  const Verdict& verdict = *report.verdict;
  Blocks found = show_right("right", verdict.right, all);
  if (verdict.named.empty() && !verdict.first_probe) found += show_right("right on the way", verdict.right_probes, all);
  found += show_thrown(style, report, file);
  found += show_differences(style, exercise, verdict, all);
  const Blocks problem = report.problem ? show_problem(style, *report.problem, "wrong", file) : Blocks{};
  return sections(
      {show_elsewhere(verdict), show_questions(exercise, verdict), found, problem, show_clues(verdict, all)});
}

Blocks show_passed(const Verdict& verdict, bool all) {
  std::vector<Blocks> parts{show_right("right", verdict.right, all)};
  for (const std::string& picture : verdict.shown) parts.push_back(lines_block(picture));
  return sections(parts);
}

Blocks show_unwritten(const Style& style, const Exercise& exercise, const Verdict& verdict, bool all) {
  Blocks found = show_right("right so far", verdict.right, false);
  found += show_differences(style, exercise, verdict, all);
  found.push_back(sentence(verdict.message, "to be written"));
  return sections({show_elsewhere(verdict), show_questions(exercise, verdict), found});
}

Blocks show_body(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                 bool all) {
  switch (report.outcome) {
    case Outcome::passed: return show_passed(*report.verdict, all);
    case Outcome::unwritten: return show_unwritten(style, exercise, *report.verdict, all);
    case Outcome::wrong: return show_wrong(style, exercise, report, file, all);
    case Outcome::broken:
      return {sentence("The check itself did not work. This is not your answer's fault:"),
              {Block::Kind::numbers, report.problem->sentence + "\n"}};
    default: break;
  }
  Blocks blocks = report.verdict ? show_right("right", report.verdict->right, all) : Blocks{};
  return blocks += show_problem(style, *report.problem, "error", file);
}

Blocks what_helps(const Style& style, const Exercise& exercise, const Report& report) {
  if (style.in_page || !style.has_commands) return {};
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
    case Outcome::broken: return {};
  }
  return {sentence(style.dim(text))};
}

Blocks show_raw(const Style& style, const Report& report) {
  return lines_block(report.raw.empty() ? "" : style.dim("word for word:") + "\n" + report.raw);
}

// ---- why ------------------------------------------------------------------------------------------------------------

void explain_mistakes(const Exercise& exercise, const std::vector<std::string>& names, const Verdict& verdict,
                      std::vector<Blocks>& parts) {
  for (const std::string& name : names) {
    const MistakeText* const mistake = find_mistake(exercise, name);
    if (!mistake) continue;
    parts.push_back({{Block::Kind::mistake, mistake->name},
                     {.kind = Block::Kind::question, .text = question_of(*mistake, verdict), .inside = true},
                     {Block::Kind::because, fill_in(mistake->because, verdict.setting.sizes)}});
  }
}

Blocks explain_named(const Exercise& exercise, const Verdict& verdict) {
  std::vector<Blocks> parts;
  for (const std::vector<std::string>& names : verdict.named) {
    parts.push_back({sentence(sentence_before_named(verdict, parts.empty()))});
    explain_mistakes(exercise, names, verdict, parts);
  }
  for (const PartlyNamed& part : verdict.partly_named) {
    parts.push_back(
        {sentence("For " + listed(part.explains) + ", your numbers are exactly what you get when this is done:")});
    explain_mistakes(exercise, part.mistakes, verdict, parts);
  }
  if (parts.empty()) return {};
  parts.push_back(
      {sentence("That is not a proof: other code can give the same numbers. But it is a good place to look.")});
  return sections(parts);
}

Blocks explain_numbers(const Style& style, const Report& report, const std::string& file) {
  const Verdict& verdict = *report.verdict;
  Blocks blocks = show_right("right", verdict.right, true);
  blocks += show_right("right on the way", right_on_the_way(verdict), true);
  blocks += show_thrown(style, report, file);
  for (const Difference& difference : verdict.differences) blocks += show_difference(style, difference, true);
  return blocks;
}

Blocks explain_first_probe(const Style& style, const Verdict& verdict) {
  if (!verdict.first_probe) return {};
  Blocks blocks{sentence(about_first_wrong(*verdict.first_probe) + ":")};
  return blocks += show_difference(style, verdict.first_probe->difference, true);
}

// The smallest case that is still wrong: numbers that can be done by hand.
Blocks explain_smallest(const Style& style, const Verdict& verdict) {
  if (!verdict.smallest || verdict.smallest->differences.empty()) return {};
  std::vector<std::string> sizes;
  for (const auto& [axis, size] : verdict.smallest->sizes) sizes.push_back(fmt::format("{} = {}", axis, size));
  Blocks blocks{sentence("The smallest case that is still wrong: " + listed(sizes))};
  // A few are enough to do by hand, and the others follow.
  const auto& differences = verdict.smallest->differences;
  for (std::size_t i = 0; i < std::min(most_differences, differences.size()); ++i) {
    blocks += show_difference(style, differences[i], false);
  }
  return blocks;
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
  if (style.in_page) return outcome;
  return fmt::format("{}  {}", outcome, style.bold(exercise.number() + " " + exercise.title()));
}

Blocks blocks_of(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                 const ShowOptions& options) {
  const bool all = options.verbose;
  return sections({show_body(style, exercise, report, file, all),
                   show_warnings(style, report, file, all ? any_number : 2), show_printed(style, report.printed, all),
                   options.raw ? show_raw(style, report) : Blocks{}, what_helps(style, exercise, report)});
}

Blocks explanation_of(const Style& style, const Exercise& exercise, const Report& report, const std::string& file) {
  if (report.outcome != Outcome::wrong) return blocks_of(style, exercise, report, file, {.verbose = true});
  const Verdict& verdict = *report.verdict;
  const Blocks problem = report.problem ? show_problem(style, *report.problem, "wrong", file) : Blocks{};
  return sections({show_elsewhere(verdict), explain_named(exercise, verdict), explain_numbers(style, report, file),
                   explain_first_probe(style, verdict), problem, clues_block(sentences_about_check(verdict)),
                   explain_smallest(style, verdict), show_warnings(style, report, file, any_number),
                   show_printed(style, report.printed, true)});
}

std::string show_report(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                        const ShowOptions& options) {
  return headline(style, exercise, report) + "\n" + text_of(style, blocks_of(style, exercise, report, file, options));
}

std::string explain_report(const Style& style, const Exercise& exercise, const Report& report,
                           const std::string& file) {
  return headline(style, exercise, report) + "\n" + text_of(style, explanation_of(style, exercise, report, file));
}

}  // namespace learn
