#include "runner/report/verdict_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace learn {
namespace {

// Memory that was never written holds 0xFE bytes here (checker.cpp, builder.cpp).
bool is_never_written(double value) {
  return std::isfinite(value) && std::abs(value) > 1e300;
}

bool is_changed_input(const std::string& difference) {
  return difference.find("' left as it was") != std::string::npos;
}

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

std::string_view made(const std::vector<std::string>& mistakes) {
  return mistakes.size() > 1 ? "two known mistakes are made at once" : "a known mistake is made";
}

// Several that give the same here are a choice: nothing tells which of them it is.
std::string made(const Verdict& verdict) {
  const std::size_t choices = verdict.named.size();
  if (choices == 1) return std::string(made(verdict.named[0]));
  return fmt::format("one of {} known {} is made", choices == 2 ? "two" : fmt::format("{}", choices),
                     verdict.named[0].size() > 1 ? "pairs of mistakes" : "mistakes");
}

std::string where_only(const Verdict& verdict) {
  return verdict.only_in.empty() ? "" : fmt::format(" in {} alone", verdict.only_in);
}

// What an answer that threw has in common with a mistake is how it ends.
bool threw(const Verdict& verdict) {
  return verdict.outcome == "wrong" && !verdict.message.empty();
}

// "Your y is right, and your dx is not. What is ..?" without what is so only where the mistake is made alone, and as a
// whole.
std::string without_premise(std::string question) {
  for (std::size_t end = question.find(". "); end != std::string::npos; end = question.find(". ")) {
    if (question.substr(0, end).find(" right") == std::string::npos) break;
    question.erase(0, end + 2);
  }
  return question;
}

bool is_explained(const Verdict& verdict, const std::string& difference) {
  return std::any_of(verdict.partly_named.begin(), verdict.partly_named.end(), [&](const PartlyNamed& part) {
    return std::count(part.explains.begin(), part.explains.end(), difference) > 0;
  });
}

}  // namespace

// Beside a NaN or an infinity, what else the numbers suggest is misleading.
std::vector<std::string> clues_of(const Difference& difference) {
  if (difference.clues.empty()) return {};
  const std::string& first = difference.clues[0];
  const bool not_finite = first.rfind("yours has NaN", 0) == 0 || first.rfind("yours has infinity", 0) == 0;
  return not_finite ? std::vector<std::string>{first} : difference.clues;
}

std::string sentence_about_elsewhere(const Verdict& verdict) {
  if (!verdict.elsewhere) return "";
  if (verdict.right_when_first) {
    return "Right for the usual inputs and, when it is called with nothing else before, for these, too; wrong after "
           "other calls: what does your code keep from one call to the next?";
  }
  std::vector<std::string> usual;
  std::vector<std::string> here;
  bool one_of_each = true;
  for (const auto& [axis, size] : verdict.axes) {
    const auto before = verdict.elsewhere->usual.find(axis);
    if (before == verdict.elsewhere->usual.end() || before->second == size) continue;
    usual.push_back(fmt::format("{} is {}", axis, before->second));
    here.push_back(fmt::format("{} is {}", axis, size));
    one_of_each = one_of_each && size == 1;
  }
  const std::string& numbers = verdict.elsewhere->numbers;
  if (here.empty() && !numbers.empty()) {
    return fmt::format("Right for the usual inputs, wrong where {}: does your code count on that not happening?",
                       numbers);
  }
  if (here.empty()) {
    return "Right for the usual inputs, wrong for others of the same sizes: does your code count on certain numbers, "
           "or keep something from one call to the next?";
  }
  if (verdict.elsewhere->other_numbers) {
    return fmt::format(
        "Right for the usual inputs, wrong for others. Here {}, but with other numbers of these sizes it "
        "is right: does your code count on certain numbers?",
        fmt::join(here, " and "));
  }
  return fmt::format("Right at the usual sizes, where {}; wrong where {}{}. {}", fmt::join(usual, " and "),
                     fmt::join(here, " and "), numbers.empty() ? "" : " and " + numbers,
                     one_of_each
                         ? "What does your code do where there is only one?"
                         : "What in your code depends on that: a number that stands for a size, an even length, "
                           "two sizes that are equal, the numbers themselves?");
}

std::vector<std::string> sentences_about_runs(const Verdict& verdict) {
  std::vector<std::string> sentences;
  if (has_unwritten_memory(verdict)) {
    sentences.push_back(
        "Numbers like -5.3e+303 are what memory holds here that was never written: something is read before it is "
        "set.");
  }
  if (verdict.differences.size() > 1 && is_changed_input(verdict.differences.front().name)) {
    sentences.push_back("Later calls are given what your code has changed in place, so the rest may follow from that.");
  }
  if (!verdict.repeatable) {
    sentences.push_back(
        "Two runs on the same inputs gave different numbers: is something read that was never set, kept from the last "
        "call (static), or drawn at random?");
  }
  return sentences;
}

std::string sentence_about_named(const Verdict& verdict) {
  if (!verdict.named_by_numbers) {
    if (verdict.named.size() > 1)
      return fmt::format("Several known mistakes have just this effect{}. Others may, too.", where_only(verdict));
    return verdict.named[0].size() > 1
               ? fmt::format("Two known mistakes together have just this effect{}. Others may, too.",
                             where_only(verdict))
               : fmt::format("A known mistake has just this effect{}. Others may, too.", where_only(verdict));
  }
  return fmt::format("{} when {}{}.",
                     threw(verdict) ? "Your code ends exactly as it does" : "Your numbers are exactly those one gets",
                     made(verdict), where_only(verdict));
}

std::string sentence_about_part(const PartlyNamed& part) {
  return fmt::format("For {}, your numbers are exactly those one gets when {}.", fmt::join(part.explains, ", "),
                     made(part.mistakes));
}

std::string sentence_before_named(const Verdict& verdict, bool first) {
  if (!verdict.named_by_numbers) {
    return fmt::format("{} just this effect{}:", first ? "This has" : "This, too, has", where_only(verdict));
  }
  const std::string_view same =
      threw(verdict) ? (first ? "Your code ends exactly as it does" : "It also ends as it does")
                     : (first ? "Your numbers are exactly those one gets" : "They are also those one gets");
  return fmt::format("{} when this is done{}:", same, where_only(verdict));
}

std::string about_first_wrong(const FirstProbe& probe) {
  if (probe.times_right == 0) return "The first intermediate value that is not right";
  return probe.times_right == 1
             ? fmt::format("{} is right the first time, and wrong the second", probe.name)
             : fmt::format("{} is right the first {} times, and wrong the next", probe.name, probe.times_right);
}

std::vector<std::string> sentences_about_probes(const Verdict& verdict) {
  if (!verdict.first_probe) return {};
  const FirstProbe& probe = *verdict.first_probe;
  const bool has_other_before = !probe.after.empty() && probe.after != probe.name;
  if (probe.times_right > 0) {
    const std::string before = has_other_before ? fmt::format("; {}, before that, is right", probe.after) : "";
    return {about_first_wrong(probe) + before + "."};
  }
  const std::string before = has_other_before ? probe.after + " is right, " : "";
  return {fmt::format("{}{} is the first intermediate value that is not right.", before, probe.name)};
}

std::vector<std::string> right_on_the_way(const Verdict& verdict) {
  std::vector<std::string> names = verdict.right_probes;
  if (verdict.first_probe) std::erase(names, verdict.first_probe->name);
  return names;
}

std::vector<std::string> sentences_of_clues(const Verdict& verdict, std::size_t most_of_each) {
  if (has_unwritten_memory(verdict)) return {};                        // no clue follows from such numbers
  std::vector<std::pair<std::string, std::vector<std::string>>> said;  // a clue, and what it is about
  for (const Difference& difference : verdict.differences) {
    if (is_explained(verdict, difference.name)) continue;
    const std::vector<std::string> clues = clues_of(difference);
    for (std::size_t i = 0; i < std::min(most_of_each, clues.size()); ++i) {
      const auto before =
          std::find_if(said.begin(), said.end(), [&](const auto& one) { return one.first == clues[i]; });
      if (before == said.end()) {
        said.push_back({clues[i], {difference.name}});
      } else {
        before->second.push_back(difference.name);
      }
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [clue, names] : said) {
    sentences.push_back(fmt::format("{}: {}", fmt::join(names, ", "), ended(clue)));
  }
  return sentences;
}

std::vector<std::string> sentences_about_sizes(const Verdict& verdict) {
  std::vector<Shrunk> telling;
  std::copy_if(verdict.shrunk.begin(), verdict.shrunk.end(), std::back_inserter(telling),
               [](const Shrunk& axis) { return axis.right_at_one; });
  // Where every length of 1 makes it right, nothing is left to be wrong, and none of them tells anything.
  if (telling.size() == verdict.shrunk.size() && telling.size() > 1) return {};
  std::vector<std::string> sentences;
  for (const Shrunk& axis : telling) {
    // Of several one may be only in the way of the other, so that none is asked about.
    sentences.push_back(fmt::format(
        "Right when {} has length 1, wrong from {} on{}", axis.axis, axis.wrong_from,
        telling.size() == 1 ? fmt::format(": what does your code do along {}?", axis.axis) : std::string(".")));
  }
  return sentences;
}

const MistakeText* find_mistake(const Exercise& exercise, const std::string& name) {
  for (const MistakeText& mistake : exercise.source.mistakes) {
    if (mistake.name == name) return &mistake;
  }
  return nullptr;
}

std::string question_of(const MistakeText& mistake, const Verdict& verdict) {
  const bool made_alone = !verdict.named.empty() && verdict.named[0].size() == 1 && verdict.only_in.empty();
  const std::string question = fill_in(mistake.question, verdict.axes);
  return made_alone ? question : without_premise(question);
}

std::vector<std::string> questions(const Exercise& exercise, const Verdict& verdict) {
  std::vector<std::string> names;
  for (const std::vector<std::string>& some : verdict.named) {
    for (const std::string& name : some) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const PartlyNamed& part : verdict.partly_named) {
    names.insert(names.end(), part.mistakes.begin(), part.mistakes.end());
  }
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (const MistakeText* const mistake = find_mistake(exercise, name)) {
      found.push_back(question_of(*mistake, verdict));
    }
  }
  return found;
}

}  // namespace learn
