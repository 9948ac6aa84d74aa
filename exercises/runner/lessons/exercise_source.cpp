#include "runner/lessons/exercise_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "autograd/text/words.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

// "name: value" -> value, if it begins with that name.
std::optional<std::string> value_of(const std::string& text, std::string_view name) {
  if (text.substr(0, name.size() + 1) != std::string(name) + ":") return std::nullopt;
  return autograd::trim(std::string_view(text).substr(name.size() + 1));
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(autograd::trim(part));
  return parts;
}

std::string without_empty_lines_at_the_top(std::string text) {
  text.erase(0, text.find_first_not_of('\n'));
  return text;
}

// "filled.with_zero" is a variant of "filled": another way to make the same mistake.
std::string family_of(const std::string& edit) {
  return edit.substr(0, edit.find('.'));
}

bool is_include(const std::string& line) {
  return line.rfind("#include", 0) == 0;
}

}  // namespace

// Reads line by line.
class ExerciseSource::Parser {
 public:
  Parser(ExerciseSource& source, std::string path) : source_(source), path_(std::move(path)) {}

  void parse(const std::string& text) {
    for (const std::string& line : lines_in(text)) {
      ++number_;
      parse_line(line);
    }
    if (in_solution_) fail("//[ without its //]");
    check_complete();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", path_, number_, what));
  }

  void parse_line(const std::string& line) {
    const std::string text = autograd::trim(line);
    const std::string mark = text.substr(0, 3);
    if (mark != "//~") editing_.clear();
    if (mark == "//=") {
      parse_about(text.substr(3));
    } else if (mark == "//[") {
      if (in_solution_) fail("//[ inside //[");
      in_solution_ = true;
    } else if (mark == "//]") {
      if (!in_solution_) fail("//] without its //[");
      in_solution_ = false;
    } else if (mark == "//-") {
      const std::string indent = line.substr(0, line.find("//-"));
      const std::string rest = text.substr(3);
      source_.lines_.push_back(
          {rest.empty() ? "" : indent + (rest[0] == ' ' ? rest.substr(1) : rest), true, false, number_});
    } else if (mark == "//~") {
      parse_edit(line, text.substr(3));
    } else {
      source_.lines_.push_back({line, !in_solution_, true, number_});
    }
  }

  void parse_about(const std::string& line) {
    const std::string text = autograd::trim(line);
    if (text.empty()) return;
    if (const auto given_title = value_of(text, "title")) {
      source_.title = *given_title;
    } else if (const auto given_part = value_of(text, "part")) {
      source_.part = *given_part;
    } else if (text == "fast track") {
      source_.fast_track = true;
    } else if (const auto given_difficulty = value_of(text, "difficulty")) {
      source_.difficulty = number_in("difficulty", *given_difficulty, 3);
    } else if (const auto given_minutes = value_of(text, "minutes")) {
      source_.minutes = number_in("minutes", *given_minutes, 600);
    } else if (const auto given_after = value_of(text, "after")) {
      source_.after = split_at(*given_after, ',');
    } else if (const auto given_answer = value_of(text, "answer")) {
      source_.answer = split_at(*given_answer, ',');
    } else if (const auto ops = value_of(text, "not")) {
      source_.not_to_call = split_at(*ops, ',');
    } else if (const auto given_seconds = value_of(text, "seconds")) {
      source_.seconds = number_in("seconds", *given_seconds, 3600);
    } else if (text == "no steps") {
      source_.has_steps = false;
    } else if (text == "pairs: none") {
      source_.combine = false;
    } else if (const auto code = value_of(text, "equal mutant")) {
      std::vector<EqualMutants>& groups = source_.equal_mutants;
      if (groups.empty() || !groups.back().because.empty()) groups.emplace_back();
      groups.back().codes.push_back(*code);
      about_mutants_ = true;
    } else if (text.rfind("mistake ", 0) == 0) {
      about_mutants_ = false;
      source_.mistakes.push_back({autograd::trim(text.substr(8))});
      continued_ = nullptr;
    } else if (about_mutants_) {
      parse_reason(text);
    } else {
      parse_mistake_text(text);
    }
  }

  // Why the mutants named before it make no difference.
  void parse_reason(const std::string& text) {
    std::string& reason = source_.equal_mutants.back().because;
    if (const auto because = value_of(text, "because")) {
      reason = *because;
    } else if (!reason.empty()) {
      reason += " " + text;
    } else {
      fail("not understood: //= " + text);
    }
  }

  int number_in(const std::string& mark, const std::string& text, int most) const {
    const std::optional<std::int64_t> given = autograd::number_in<std::int64_t>(text);
    if (!given || *given < 1 || *given > most) {
      fail(fmt::format("//= {}: '{}' is not a whole number from 1 to {}", mark, text, most));
    }
    return static_cast<int>(*given);
  }

  void parse_mistake_text(const std::string& text) {
    if (source_.mistakes.empty()) fail("not understood: //= " + text);
    MistakeText& mistake = source_.mistakes.back();
    if (const auto premise = value_of(text, "premise")) {
      continued_ = &mistake.premise;
      mistake.premise = *premise;
    } else if (const auto question = value_of(text, "question")) {
      continued_ = &mistake.question;
      mistake.question = *question;
    } else if (const auto because = value_of(text, "because")) {
      continued_ = &mistake.because;
      mistake.because = *because;
    } else if (continued_) {
      *continued_ += " " + text;
    } else {
      fail("not understood: //= " + text);
    }
  }

  void parse_edit(const std::string& line, const std::string& rest) {
    const std::size_t bar = rest.find('|');
    if (bar == std::string::npos) fail("//~ needs a |");
    std::istringstream head(rest.substr(0, bar));
    std::string name;
    std::size_t count = 1;
    if (!(head >> name)) fail("//~ needs a mistake's name");
    if (std::size_t given = 0; head >> given) count = given;
    if (count == 0) fail("//~ " + name + " 0 changes no line");
    std::string code = rest.substr(bar + 1);
    if (!code.empty() && code[0] == ' ') code.erase(0, 1);
    const std::string indented = line.substr(0, line.find("//~")) + code;
    std::vector<Edit>& edits = source_.edits_[name];
    if (name == editing_) {
      edits.back().replacement.push_back(indented);
      return;
    }
    editing_ = name;
    const std::size_t end = source_.lines_.size();
    std::size_t first = end;
    for (std::size_t lines = 0; lines < count; ++lines) {
      do {
        if (first == 0) fail("//~ has no line above it");
        --first;
      } while (!source_.lines_[first].in_solution);
    }
    edits.push_back({first, end, {}});
    if (!autograd::trim(code).empty()) edits.back().replacement.push_back(indented);
  }

  void check_complete() {
    if (source_.title.empty()) fail("no //= title");
    if (source_.answer.empty()) fail("no //= answer");
    std::set<std::string> described;
    for (const MistakeText& mistake : source_.mistakes) {
      described.insert(mistake.name);
      if (mistake.question.empty() || mistake.because.empty()) fail(mistake.name + " needs a question and a because");
      if (!source_.edits_.count(mistake.name)) fail(mistake.name + " changes no line: there is no //~ of that name");
    }
    for (const EqualMutants& equal : source_.equal_mutants) {
      if (equal.because.empty()) fail("equal mutant: " + equal.codes[0] + " needs a because");
    }
    for (const auto& [name, edits] : source_.edits_) {
      const std::string family = family_of(name);
      if (!described.count(family)) fail("//~ " + name + " has no //= mistake " + family);
      if (!source_.with_mistakes({name})) fail(name + " changes a line twice");
    }
  }

  ExerciseSource& source_;
  std::string path_;
  std::size_t number_ = 0;
  bool in_solution_ = false;
  bool about_mutants_ = false;        // what follows is about a mutant, not about a mistake
  std::string editing_;               // the mistake whose //~ lines are being read
  std::string* continued_ = nullptr;  // the text that a line without a name goes on
};

ExerciseSource ExerciseSource::parse(const std::string& text, const std::string& path) {
  ExerciseSource source;
  Parser(source, path).parse(text);
  return source;
}

ExerciseSource ExerciseSource::read(const std::string& path) {
  return parse(read_file(path), path);
}

std::string ExerciseSource::stub() const {
  std::string text;
  for (const Line& line : lines_) {
    if (line.in_stub) text += line.text + "\n";
  }
  return without_empty_lines_at_the_top(std::move(text));
}

std::string ExerciseSource::solution() const {
  return without_empty_lines_at_the_top(*with_mistakes({}));
}

std::vector<SolutionLine> ExerciseSource::solution_lines() const {
  std::vector<SolutionLine> lines;
  for (const Line& line : lines_) {
    if (line.in_solution) lines.push_back({line.text, line.number, !line.in_stub});
  }
  return lines;
}

std::optional<std::string> ExerciseSource::with_mistakes(const std::vector<std::string>& names) const {
  std::vector<const Edit*> at(lines_.size(), nullptr);
  for (const std::string& name : names) {
    for (const Edit& edit : edits_.at(name)) {
      for (std::size_t i = edit.first; i < edit.last; ++i) {
        if (at[i] && lines_[i].in_solution) return std::nullopt;
        at[i] = &edit;
      }
    }
  }
  std::string text;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (at[i]) {
      if (i == at[i]->first) {
        for (const std::string& line : at[i]->replacement) text += line + "\n";
      }
    } else if (lines_[i].in_solution) {
      text += lines_[i].text + "\n";
    }
  }
  return text;
}

std::vector<std::vector<std::string>> ExerciseSource::mistake_sets(Mistakes which) const {
  std::vector<std::vector<std::string>> sets;
  for (const MistakeText& mistake : mistakes) sets.push_back({mistake.name});
  for (const auto& [name, edits] : edits_) {
    if (name != family_of(name)) sets.push_back({name});
  }
  if (!combine || which == Mistakes::single) return sets;
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    for (std::size_t j = i + 1; j < mistakes.size(); ++j) {
      const std::vector<std::string> names{mistakes[i].name, mistakes[j].name};
      if (with_mistakes(names)) sets.push_back(names);
    }
  }
  return sets;
}

std::string ExerciseSource::includes() const {
  std::string text = "// Generated from exercise.cpp.\n";
  for (const Line& line : lines_) {
    if (line.in_solution && is_include(line.text)) text += line.text + "\n";
  }
  return text + "#include <judge/exercise.h>\n\nvoid check(const Answer& answer, judge::Check& check);\n\n";
}

// A function that runs the check on the answer in namespace `of`.
std::string ExerciseSource::call_of_check(const char* name, const std::string& of) const {
  std::string members;
  for (const std::string& function : answer) members += fmt::format(".{0} = &{1}::{0}, ", function, of);
  return fmt::format("static void {}(judge::Check& check) {{ ::check(Answer{{{}}}, check); }}\n", name, members);
}

std::string ExerciseSource::exercise_of(const std::string& id, const char* runs, const std::string& mistakes) const {
  return fmt::format("const judge::Exercise judge::exercise = {{\n  \"{}\", {}, {{\n{}  }}, {{{}}}}};\n", id, runs,
                     mistakes, not_to_call.empty() ? "" : fmt::format("\"{}\"", fmt::join(not_to_call, "\", \"")));
}

std::string ExerciseSource::learner_file(const std::string& id) const {
  return includes() + call_of_check("run_learner", "") + exercise_of(id, "run_learner, nullptr", "");
}

std::string ExerciseSource::answers_file(const std::string& id, Mistakes which) const {
  std::string body;
  std::string table;
  const auto add = [&](const std::string& name, const std::string& text) {
    body += "namespace " + name + " {\n";
    for (const std::string& line : lines_in(text)) {
      if (!is_include(line) && line.rfind("#pragma once", 0) != 0) body += line + "\n";
    }
    body += call_of_check("run_check", name);
    body += "}  // namespace " + name + "\n";
  };
  add("solution", *with_mistakes({}));
  std::size_t count = 0;
  for (const std::vector<std::string>& names : mistake_sets(which)) {
    const std::string space = fmt::format("mistake_{}", count++);
    add(space, *with_mistakes(names));
    std::string families;
    for (const std::string& name : names) families += fmt::format("\"{}\", ", family_of(name));
    table += fmt::format("    {{{{{}}}, {}::run_check}},\n", families, space);
  }
  return includes() + body + exercise_of(id, "nullptr, solution::run_check", table);
}

}  // namespace learn
