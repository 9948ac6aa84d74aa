#include "runner/report/verdict_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

namespace learn {
namespace {

// Memory that was never written holds 0xFE bytes here (checker.cpp, builder.cpp).
bool is_never_written(double value) {
  return std::isfinite(value) && std::abs(value) > 1e300;
}

// "0, 2, 3", and of many the first few.
std::string some_of(const std::vector<std::int64_t>& positions) {
  constexpr std::ptrdiff_t most = 6;
  const std::ptrdiff_t count = std::ssize(positions);
  if (count <= most) return fmt::format("{}", fmt::join(positions, ", "));
  const auto first = positions.begin();
  return fmt::format("{} and {} more", fmt::join(first, first + most - 1, ", "), count - (most - 1));
}

// "[4, 2] (batch, out)".
std::string shape_text(const judge::NamedShape& shape) {
  const std::string sizes = fmt::format("[{}]", fmt::join(shape.sizes, ", "));
  return shape.axes.empty() ? sizes : fmt::format("{} ({})", sizes, fmt::join(shape.axes, ", "));
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// What stands from a little before that word on, and so that it shows where there was more: "7 6 | 5 ...".
std::string excerpt_of(const std::vector<std::string>& words, std::size_t word) {
  constexpr std::size_t before = 3;
  constexpr std::size_t after = 8;
  const std::size_t first = word - std::min(word, before);
  const std::size_t last = std::min(words.size(), word + after);
  std::string text = first == 0 ? "" : "... ";
  for (std::size_t i = first; i < last; ++i) text += (i == first ? "" : " ") + words[i];
  return text + (last == words.size() ? "" : " ...");
}

// Of long texts only where they part. A picture, which has lines, is looked at as a whole.
std::string text_difference(const std::string& yours, const std::string& expected) {
  constexpr std::size_t long_text = 80;
  const std::vector<std::string> a = words_of(yours);
  const std::vector<std::string> b = words_of(expected);
  const auto word = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const bool is_short = std::max(yours.size(), expected.size()) <= long_text;
  const bool has_lines = (yours + expected).find('\n') != std::string::npos;
  if (is_short || has_lines || (word == a.size() && word == b.size())) {
    return fmt::format("yours is \"{}\", but should be \"{}\"", yours, expected);
  }
  const bool is_picture = (yours + expected).find("↵") != std::string::npos;  // of which a blank ends the lines
  return fmt::format("differs first {} {}: yours is \"{}\", but should be \"{}\"", is_picture ? "in line" : "at word",
                     word + 1, excerpt_of(a, word), excerpt_of(b, word));
}

std::string words_for(const judge::FactorSource& source, bool too_large) {
  const Axis& first = source.axes.front();
  const Axis& last = source.axes.back();
  if (source.axes.size() == 1) return fmt::format("{} has length {}", first.name, first.size);
  if (source.is_quotient) return fmt::format("that is {} / {}, {} / {}", first.name, last.name, first.size, last.size);
  const std::string product = fmt::format("{} times {} is {}", first.name, last.name, first.size * last.size);
  if (first.name != last.name) return product;
  return product + (too_large ? ", as if you multiplied by it where you should divide"
                              : ", as if you divided by it where you should multiply");
}

std::string words_for_factor(const Clue& clue) {
  const double size = std::abs(clue.number);
  if (std::abs(clue.number + 1.0) <= 1e-6) return "yours is exactly -1 times the expected value: a sign";
  std::string text =
      fmt::format("yours is everywhere exactly {} times the expected value",
                  size < 1.0 ? fmt::format("1/{:.6g}", 1.0 / clue.number) : fmt::format("{:.6g}", clue.number));
  for (const judge::FactorSource& source : clue.sources) text += "; " + words_for(source, size > 1.0);
  return text;
}

// "numbers 1, 2 and 4 are"; they count from 1.
std::string counted(const std::vector<std::int64_t>& entries) {
  if (entries.size() == 1) return fmt::format("number {} is", entries[0] + 1);
  std::string text = "numbers ";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool last = i + 1 == entries.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", entries[i] + 1);
  }
  return text + " are";
}

// That a factor or a term is missing would be too much of what is expected elsewhere: it need not be part of this.
std::string words_for_relation(const Clue& clue, std::string_view form, std::string_view meaning) {
  const std::string name = fmt::format("{}'{}'", clue.is_expected ? "the expected " : "", clue.name);
  return fmt::format(fmt::runtime(form), name) + std::string(clue.is_expected ? "" : meaning);
}

std::string words_for(const Clue& clue) {
  using Kind = Clue::Kind;
  const std::string_view everywhere = clue.everywhere ? " everywhere" : "";
  const std::string end = fmt::format("the {} {}", clue.at_the_beginning ? "first" : "last", clue.number);
  switch (clue.kind) {
    case Kind::nan:
      return fmt::format(
          "yours has NaN{}: 0/0, infinity/infinity, 0 times infinity, infinity minus infinity, the log or root of a "
          "negative number, a NaN that came in, or a value that was never set",
          everywhere);
    case Kind::infinity:
      return fmt::format("yours has infinity{}: log(0), a division by 0, or exp of something large", everywhere);
    case Kind::nearly_right:
      return fmt::format(
          "yours agrees with the expected value to {} digits: a float where double belongs, a rounded constant, a "
          "small number that was added for safety, or a different step size?",
          clue.number);
    case Kind::zero:
      return "yours is zero everywhere: does anything arrive there? A path may be dropped, an order wrong, a result "
             "cleared or written to a copy, or two integers may be divided";
    case Kind::zero_up_to_rounding: return "yours is zero everywhere, up to rounding: terms that cancel";
    case Kind::not_zero: return "the expected value is zero everywhere, and yours is not";
    case Kind::factor: return words_for_factor(clue);
    case Kind::transposed: return "yours is the expected value transposed";
    case Kind::wrong_only_in: return fmt::format("yours is wrong only at {}", clue.name);
    case Kind::right_in: return fmt::format("yours is right at {}, and wrong only elsewhere", clue.name);
    case Kind::another: return words_for_relation(clue, "yours is {} itself", "");
    case Kind::factor_missing:
      return words_for_relation(clue, "yours times {} would be right", ": a factor is missing");
    case Kind::factor_too_many:
      return words_for_relation(clue, "yours is the expected value times {}", ": a factor too many");
    case Kind::term_missing: return words_for_relation(clue, "yours plus {} would be right", ": a term is missing");
    case Kind::term_too_many:
      return words_for_relation(clue, "yours minus {} would be right", ": a term too many, or a wrong sign");
    case Kind::at_wrong_places: return "yours has the right numbers at the wrong places";
    case Kind::one_number: return "all entries of yours are the same number, and the expected ones are not";
    case Kind::same_along:
      return fmt::format("yours is the same at every position along {}, and the expected value is not", clue.name);
    case Kind::right_and_wrong_along:
      return fmt::format("along {}: right at {}, wrong at {}", clue.name, some_of(clue.right_positions),
                         some_of(clue.positions));
    case Kind::sum_is_right: return fmt::format("summed over {} it would be right", clue.name);
    case Kind::mean_is_right: return fmt::format("averaged over {} it would be right", clue.name);
    case Kind::too_many_along: return fmt::format("without {} along {} it would be right", end, clue.name);
    case Kind::too_few_along:
      return fmt::format("only {} along {} {} missing", end, clue.name, clue.number == 1.0 ? "is" : "are");
    case Kind::only_shape: return "the numbers are right; only the shape is not";
    case Kind::transposed_is_right: return "transposed it would be right";
    case Kind::exchanged_is_right:
      return fmt::format("with dims {} exchanged it would be right", fmt::join(clue.positions, " and "));
    case Kind::two_decimals: return counted(clue.positions) + " right to two decimals, and three are asked for";
    case Kind::cut_off:
      return counted(clue.positions) + " right to two decimals, but cut off and not rounded, and three are asked for";
    case Kind::third_decimal:
      return counted(clue.positions) + " off by one in the third decimal: was it cut off, or rounded too early?";
    case Kind::not_right: return counted(clue.positions) + " not right yet";
  }
  return "";
}

// What is peculiar about them; "" if nothing.
std::string_view words_for(judge::Numbers numbers) {
  using judge::Numbers;
  switch (numbers) {
    case Numbers::usual: break;
    case Numbers::zeros_and_ties: return "some numbers are zero and some are equal";
    case Numbers::positive: return "all numbers are positive";
    case Numbers::negative: return "all numbers are negative";
    case Numbers::far_apart: return "some numbers are hundreds of times larger than others";
  }
  return "";
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

bool is_explained(const Verdict& verdict, const std::string& difference) {
  return std::any_of(verdict.partly_named.begin(), verdict.partly_named.end(), [&](const PartlyNamed& part) {
    return std::count(part.explains.begin(), part.explains.end(), difference) > 0;
  });
}

}  // namespace

std::string fill_in(const std::string& text, const Axes& axes) {
  std::string filled;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    const auto axis =
        end == std::string::npos ? axes.end() : std::find_if(axes.begin(), axes.end(), [&](const Axis& one) {
          return one.name == text.substr(i + 1, end - i - 1);
        });
    if (axis == axes.end()) {
      filled += text[i++];
    } else {
      filled += std::to_string(axis->size);
      i = end + 1;
    }
  }
  return filled;
}

std::string summary_of(const Difference& difference) {
  using Kind = Difference::Kind;
  const auto& [wrong, total] = std::pair(difference.wrong, difference.total);
  switch (difference.kind) {
    case Kind::numbers: return total == 1 ? "differs" : fmt::format("{} of {} entries differ", wrong, total);
    case Kind::hidden_numbers: return fmt::format("{} of {} numbers are not right yet", wrong, total);
    case Kind::undefined: return "is an undefined tensor: it was never given a value";
    case Kind::defined: return "has a value, but should be an undefined tensor";
    case Kind::shape:
      return fmt::format("has shape {}, but should have {}", shape_text(difference.your_shape),
                         shape_text(difference.expected_shape));
    case Kind::dtype: return fmt::format("is {}, but should be {}", difference.yours, difference.expected);
    case Kind::text: return text_difference(difference.yours, difference.expected);
    case Kind::property:
    case Kind::bound: return difference.said;
    case Kind::changed_input:
      return fmt::format(
          "your code changes '{}' in place, but the caller still needs it (a Tensor that is copied with = is the same "
          "memory; clone() makes another)",
          difference.said);
    case Kind::forbidden_call:
      return fmt::format("your code calls the engine's own {}, which is what this exercise is about", difference.said);
    case Kind::something_else: return "is not what was expected";
    case Kind::missing: return "was never looked at";
  }
  return "";
}

// Beside a NaN or an infinity, what else the numbers suggest is misleading.
std::vector<std::string> clues_of(const Difference& difference) {
  std::vector<std::string> sentences;
  for (const Clue& clue : difference.clues) {
    sentences.push_back(words_for(clue));
    if (clue.kind == Clue::Kind::nan || clue.kind == Clue::Kind::infinity) break;
  }
  return sentences;
}

std::string sentence_about_elsewhere(const Verdict& verdict) {
  if (verdict.setting == verdict.usual) return "";
  if (verdict.right_when_first) {
    return "Right for the usual inputs, and for these too if this is the first call; wrong after other calls: "
           "what does your code keep from one call to the next?";
  }
  std::vector<std::string> usual;
  std::vector<std::string> here;
  bool one_of_each = true;
  for (std::size_t i = 0; i < verdict.setting.sizes.size(); ++i) {
    const auto& [axis, size] = verdict.setting.sizes[i];
    const std::int64_t before = verdict.usual.sizes.at(i).size;
    if (before == size) continue;
    usual.push_back(fmt::format("{} is {}", axis, before));
    here.push_back(fmt::format("{} is {}", axis, size));
    one_of_each = one_of_each && size == 1;
  }
  const std::string_view numbers = words_for(verdict.setting.numbers);
  if (here.empty() && !numbers.empty()) {
    return fmt::format("Right for the usual inputs, wrong where {}: does your code assume that this never happens?",
                       numbers);
  }
  if (here.empty()) {
    return "Right for the usual inputs, wrong for others of the same sizes: does your code count on certain numbers, "
           "or keep something from one call to the next?";
  }
  if (verdict.depends_on_numbers) {
    return fmt::format(
        "Right for the usual inputs, wrong for others. Here {}, but with other numbers of these sizes it "
        "is right: does your code count on certain numbers?",
        fmt::join(here, " and "));
  }
  return fmt::format("Right at the usual sizes, where {}; wrong where {}{}. {}", fmt::join(usual, " and "),
                     fmt::join(here, " and "), numbers.empty() ? "" : fmt::format(" and {}", numbers),
                     one_of_each
                         ? "What does your code do where there is only one?"
                         : "What in your code depends on that: a number that stands for a size, an even length, "
                           "two sizes that are equal, the numbers themselves?");
}

std::vector<std::string> sentences_about_runs(const Verdict& verdict) {
  std::vector<std::string> sentences;
  if (has_unwritten_memory(verdict)) {
    sentences.push_back(
        "Numbers like -5.3e+303 are what unwritten memory holds here: something is read before it is set.");
  }
  const auto& differences = verdict.differences;
  if (differences.size() > 1 && differences[0].kind == Difference::Kind::changed_input) {
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
    return fmt::format("{} just this effect. Others may, too.", verdict.named.size() > 1 ? "Several known mistakes have"
                                                                : verdict.named[0].size() > 1
                                                                    ? "Two known mistakes together have"
                                                                    : "A known mistake has");
  }
  return fmt::format("{} when {}.",
                     verdict.threw() ? "Your code ends exactly as it does" : "Your numbers are exactly what you get",
                     made(verdict));
}

std::string sentence_about_part(const PartlyNamed& part) {
  return fmt::format("For {}, your numbers are exactly what you get when {}.", fmt::join(part.explains, ", "),
                     made(part.mistakes));
}

std::string sentence_before_named(const Verdict& verdict, bool first) {
  if (!verdict.named_by_numbers) return first ? "This has just this effect:" : "This, too, has just this effect:";
  const std::string_view same = verdict.threw()
                                    ? (first ? "Your code ends exactly as it does" : "It also ends as it does")
                                    : (first ? "Your numbers are exactly what you get" : "They are also what you get");
  return fmt::format("{} when this is done:", same);
}

std::string about_first_wrong(const FirstProbe& probe) {
  const std::string& name = probe.difference.name;
  if (probe.times_right == 0) return "The first intermediate value that is not right";
  return probe.times_right == 1
             ? fmt::format("{} is right the first time, and wrong the second", name)
             : fmt::format("{} is right the first {} times, and wrong the next", name, probe.times_right);
}

std::vector<std::string> sentences_about_probes(const Verdict& verdict) {
  if (!verdict.first_probe) return {};
  const FirstProbe& probe = *verdict.first_probe;
  const std::string& name = probe.difference.name;
  const bool has_other_before = !probe.after.empty() && probe.after != name;
  if (probe.times_right > 0) {
    const std::string before = has_other_before ? fmt::format("; {}, before that, is right", probe.after) : "";
    return {about_first_wrong(probe) + before + "."};
  }
  const std::string before = has_other_before ? probe.after + " is right, " : "";
  return {fmt::format("{}{} is the first intermediate value that is not right.", before, name)};
}

std::vector<std::string> right_on_the_way(const Verdict& verdict) {
  std::vector<std::string> names = verdict.right_probes;
  if (verdict.first_probe) std::erase(names, verdict.first_probe->difference.name);
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
  const bool made_alone = !verdict.named.empty() && verdict.named[0].size() == 1;
  const std::string premise = made_alone && !mistake.premise.empty() ? mistake.premise + " " : "";
  return fill_in(premise + mistake.question, verdict.setting.sizes);
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
