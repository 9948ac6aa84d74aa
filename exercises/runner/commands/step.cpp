// `learn step`: the learner's own computation, value by value, beside what is expected.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "runner/check/engine.h"
#include "runner/check/loop_passes.h"
#include "runner/check/steps.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/explain/crash.h"
#include "runner/lessons/settings.h"
#include "runner/show/excerpt.h"
#include "runner/show/show_problem.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

constexpr std::size_t most_lines = 16;  // of one value

std::vector<std::string> lines_of_value(const std::string& value) {
  std::vector<std::string> lines = lines_in(value);
  if (lines.size() > most_lines) {
    lines.resize(most_lines);
    lines.push_back("...");
  }
  return lines;
}

// Of what has no line.
std::string kind_of(const Step& step) {
  return step.kind == Step::Kind::probe ? "probe" : step.kind == Step::Kind::threw ? "threw" : "result";
}

bool is_throw(const Step& step) {
  return step.kind == Step::Kind::threw;
}

// The first step from there on that differs; the number of steps if none does.
std::size_t first_difference(const std::vector<Step>& steps, std::size_t from = 0) {
  for (std::size_t i = from; i < steps.size(); ++i) {
    if (steps[i].differs) return i;
  }
  return steps.size();
}

// The ops of the learner's file, probes, results and what was thrown; not what the check computes around them.
std::vector<Step> of_interest(const std::vector<Step>& all, const std::string& file) {
  std::vector<Step> steps;
  std::copy_if(all.begin(), all.end(), std::back_inserter(steps),
               [&](const Step& step) { return step.kind != Step::Kind::op || file_name(step.file) == file; });
  for (Step& step : steps) {
    if (is_throw(step) && file_name(step.file) != file) step.line = 0;
  }
  return steps;
}

// The dialogue: it has a current step, and obeys commands.
class Stepper {
 public:
  Stepper(const Style& style, std::vector<Step> steps, std::string file)
      : style_(style),
        steps_(std::move(steps)),
        passes_(passes_of(steps_)),
        lines_(lines_of(file)),
        path_(file),
        file_(file_name(file)) {}

  int run() {
    if (steps_.empty()) {
      show(style_, wrapped("There is nothing to step through: the check looks at no numbers of yours here. "
                           "`probe(\"name\", value)` in your code would show one. `learn check` says how it stands.",
                           style_.width));
      return 0;
    }
    begin();
    std::string last = "n";
    for (std::string line; ask(line);) {
      if (line.empty()) line = last;
      last = line;
      if (!obey(line)) break;
    }
    return first_difference(steps_) < steps_.size() ? 1 : 0;
  }

 private:
  void begin() {
    const std::size_t found = first_difference(steps_);
    if (found < steps_.size()) {
      at_ = found;
      const bool threw = is_throw(steps_[at_]);
      if (threw || !begin_at_bad_pass()) {
        show(style_, fmt::format("stopping {}, step {} of {}\n",
                                 threw ? "where your code throws" : "at the first difference", at_ + 1, steps_.size()));
        show_suspect();
      }
    } else {
      show(style_, fmt::format("no difference in {} steps; from the beginning\n", steps_.size()));
    }
    show_step();
  }

  // Results come last, and a loop may have gone wrong long before them.
  bool begin_at_bad_pass() {
    const std::size_t bad = first_bad_pass(steps_, passes_);
    if (bad >= at_) return false;
    const Step& step = steps_[bad];
    show(style_,
         wrapped(fmt::format("Line {} computes what the solution has until pass {} of {}, and then something else: "
                             "stopping there. (The first difference that the check sees is step {}; `{}` goes "
                             "there.)",
                             step.line, passes_[bad].number - 1, passes_[bad].of, at_ + 1, at_ + 1),
                 style_.width));
    at_ = bad;
    return true;
  }

  // The learner's first op before it whose value the solution never computes.
  void show_suspect() {
    for (std::size_t i = 0; i < at_; ++i) {
      if (steps_[i].kind != Step::Kind::op || steps_[i].in_solution) continue;
      show(style_,
           wrapped(
               fmt::format("The first value on the way that the solution never has is step {}, line {}{}. (That may be "
                           "another way of writing it; `{}` goes there.)",
                           i + 1, steps_[i].line, pass_text(i, ", "), i + 1),
               style_.width));
      return;
    }
  }

  bool ask(std::string& line) {
    show(style_, style_.dim("(step) "));
    if (!std::getline(std::cin, line)) {
      show(style_, "\n");
      return false;
    }
    if (!::isatty(STDIN_FILENO)) show(style_, line + "\n");
    return !interrupted();
  }

  // False to end.
  bool obey(const std::string& line) {
    const std::string command = line.substr(0, line.find(' '));
    if (command == "q" || command == "quit") return false;
    if (command == "n" || command == "next") {
      go(at_ + 1);
    } else if (command == "p" || command == "previous" || command == "back") {
      at_ == 0 ? show(style_, "this is the first step\n") : go(at_ - 1);
    } else if (command == "c" || command == "continue") {
      const std::size_t found = first_difference(steps_, at_ + 1);
      found < steps_.size() ? go(found) : show(style_, "no further difference\n");
    } else if (command == "l" || command == "list") {
      show_list();
    } else if (!command.empty() && command.find_first_not_of("0123456789") == std::string::npos && command.size() < 7) {
      go(static_cast<std::size_t>(std::max(1, std::stoi(command))) - 1);
    } else {
      show(style_, "n next · p previous · c to the next difference · l list · a number: that step · q quit\n");
    }
    return true;
  }

  void go(std::size_t step) {
    if (step >= steps_.size()) {
      show(style_, "that was the last step\n");
      return;
    }
    at_ = step;
    show_step();
  }

  // ", pass 3 of 9" in a loop.
  std::string pass_text(std::size_t step, std::string_view before) const {
    const Pass& pass = passes_[step];
    return pass.of < 2 ? "" : fmt::format("{}pass {} of {}", before, pass.number, pass.of);
  }

  std::string mark(const Step& step) const {
    if (step.differs) return style_.red("✗");
    if (!step.expected.empty()) return style_.green("✓");
    return step.kind == Step::Kind::op && step.in_solution ? style_.green("·") : " ";
  }

  void show_list() {
    std::string text;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const std::string where = step.line > 0 ? fmt::format("line {}", step.line) : kind_of(step);
      text += fmt::format("{}{:>4}  {} {} {}  {}\n", i == at_ ? ">" : " ", i + 1, mark(step), padded(where, 9),
                          padded(step.name, 18), step.shape + pass_text(i, "  "));
    }
    show(style_, text + style_.dim("✓ as expected · ✗ different · a dot: the solution has this value there, too\n"));
  }

  void show_step() {
    const Step& step = steps_[at_];
    const std::string number = fmt::format("step {} of {}", at_ + 1, steps_.size());
    const bool is_op = step.kind == Step::Kind::op;
    if (is_throw(step)) {
      show(style_, fmt::format("\n{}  {}\n", style_.dim(number), style_.bold(step.name)));
      const Place place{step.line > 0 ? file_ : "", step.line, 0};
      show(style_, text_of(style_, show_exception(style_, step.thrown, place, path_)));
      return;
    }
    const std::string what = is_op ? fmt::format("{}:{}{}", file_, step.line, pass_text(at_, ", "))
                             : step.kind == Step::Kind::probe ? style_.dim("you showed it with probe()")
                                                              : style_.dim("what the check looks at");
    show(style_, fmt::format("\n{}  {} {}  {}\n", style_.dim(number), style_.bold(step.name), step.shape, what));
    if (is_op) show(style_, excerpt(style_, lines_, {file_, step.line, 0}, {.before = 2, .after = 2, .indent = ""}));
    show_value(step);
  }

  void show_value(const Step& step) {
    if (step.differs) {
      show_both(step);
      return;
    }
    for (const std::string& line : lines_of_value(step.value)) show(style_, "    " + line + "\n");
    if (!step.expected.empty()) {
      show(style_, style_.green("    as expected\n"));
    } else if (step.kind == Step::Kind::op) {
      show(style_, style_.dim(step.in_solution ? "    the solution has this value, too\n"
                                               : "    the solution has this value nowhere\n"));
    }
  }

  void show_both(const Step& step) {
    std::vector<std::string> yours = lines_of_value(step.value);
    std::vector<std::string> expected = lines_of_value(step.expected);
    yours.insert(yours.begin(), "yours " + step.shape);
    expected.insert(expected.begin(), "expected " + step.expected_shape);
    show(style_, side_by_side(style_, yours, expected, "    "));
  }

  const Style& style_;
  std::vector<Step> steps_;
  std::vector<Pass> passes_;
  std::vector<std::string> lines_;
  std::string path_;
  std::string file_;
  std::size_t at_ = 0;
};

// Our debugger of backward(), on the learner's answer alone.
int step_engine(const Context& context, const Situation& situation) {
  await_engine();  // its debugger
  const RunFolder folder(runs_folder());
  const std::string program = build_of(situation, {.folder = folder.path(), .debug = true, .run_once = true}).program;
  const std::string text = read_file(situation.file);
  if (text.find("backward()") == std::string::npos && text.find(".backward(") == std::string::npos &&
      text.find("grad(") == std::string::npos) {
    show(context.style,
         wrapped("Your file never calls the engine's backward(), so its debugger has nowhere to stop. `learn "
                 "step` without --engine goes through what it computes itself.",
                 context.style.width));
  }
  return run_in_terminal({program}, {.environment = {"BACKSTEP=step"}, .folder = situation.desk.path()});
}

}  // namespace

int step(const Context& context, const StepOptions& options) {
  const Situation situation = situation_of(context, options.exercise);
  if (options.engine) return step_engine(context, situation);
  const RunFolder folder(runs_folder());
  const std::vector<Step> steps =
      run_steps(build_of(situation, {.folder = folder.path()}), folder / "own", situation.exercise.source.seconds);
  return Stepper(context.style, of_interest(steps, file_name(situation.file)), situation.file).run();
}

}  // namespace learn
