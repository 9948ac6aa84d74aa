// The program `learn`: what its command line can say.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "autograd/text/words.h"
#include "runner/author/dev.h"
#include "runner/commands/commands.h"
#include "runner/grading/gradescope.h"
#include "runner/lessons/course.h"
#include "runner/lessons/settings.h"
#include "runner/system/process.h"
#include "runner/text/style.h"
#include "runner/text/wrong_usage.h"

namespace {

using learn::Context;

constexpr const char* overview = R"(The course of Backstep: gradients, from their definition to Bahdanau attention.

  learn start DIR       puts all exercises into DIR, and shows the first
  learn                 what is next, and how it stands
  learn watch [ID]      checks each time you save, and offers the next when it is right
  learn --fast          the fast track from now on: 14 exercises to attention (--no-fast: all again)

  learn check [ID|FILE] checks once; --all: everything; --verbose: all there is to say
  learn hint ID         a hint; each time one more, up to the decisive line
  learn why ID          what the last check means, with all numbers
  learn step ID         what your code computes, step by step, beside what is expected
  learn gdb ID          your code in gdb, stopped where it begins
  learn read ID         the text
  learn list            all exercises, and how each stands
  learn reset ID        one from its beginning; what you have is kept aside, and --undo brings it back
  learn solution ID     how it can be written, once it is passed
  learn update          after `git pull`: brings what is new, keeps what you wrote
  learn mine            your own code at work: a network and a translator, made of what you passed

  learn grade DIR       for teachers: what a student or a class has, with points
  learn dev ...         for authors

ID is a number, a name or a part of one: 19, 19_linear_layer, linear. `learn help COMMAND` says more.
)";

// Each command, bound to what the command line says.
class CommandLine {
 public:
  CommandLine() : app_(overview, "learn") {
    context_.style = learn::terminal_style();
    app_.set_version_flag("--version", "learn, of Backstep " + learn::settings().version);
    app_.set_help_flag("-h,--help", "What it can do");
    app_.add_option("--dir", folder_, "Where the exercises are; otherwise the current folder, or one above it")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app_.add_flag("-v,--verbose", context_.verbose, "All there is to say, word for word");
    app_.add_flag_callback(
        "--fast", [this] { context_.fast_track = true; }, "The fast track, from now on: the shortest way to attention");
    app_.add_flag_callback(
        "--no-fast", [this] { context_.fast_track = false; }, "All exercises again");
    app_.fallthrough();
    app_.require_subcommand(0, 1);
    add_daily();
    add_about_one();
    add_others();
    add_dev();
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForVersion&) {
      fmt::print("{}\n", app_.version());
      return 0;
    } catch (const CLI::CallForHelp&) {
      return help(command_on_the_line());
    } catch (const CLI::ExtrasError&) {
      return wrong_usage(app_.get_subcommands().empty() ? no_such_command(app_.remaining()) : "");
    } catch (const CLI::ParseError& error) {
      return wrong_usage(error.what());
    }
    if (!folder_.empty()) context_.folder = folder_;
    return chosen_ ? chosen_() : learn::next(context_);
  }

 private:
  CLI::App* command(CLI::App& under, const std::string& name, const std::string& what, std::function<int()> run) {
    CLI::App* const sub = under.add_subcommand(name, what);
    sub->callback([this, run = std::move(run)] { chosen_ = run; });
    return sub;
  }

  void add_daily() {
    CLI::App* const start = command(app_, "start", "Puts all exercises into a folder, and shows the first",
                                    [this] { return learn::start(context_, where_); });
    start->add_option("DIR", where_, "The folder; it is made if it is not there")->required();
    command(app_, "next", "What is next, and how it stands (also without a command)",
            [this] { return learn::next(context_); });
    CLI::App* const watch = command(app_, "watch", "Checks each time you save, and offers the next when it is right",
                                    [this] { return learn::watch(context_, {.exercise = exercise_, .poll = poll_}); });
    watch->add_option("ID", exercise_, "Number, name or part of it; otherwise the first that is not passed");
    watch->add_flag("--poll", poll_,
                    "Look twice a second instead of being told (network folders do this by themselves)");
    CLI::App* const check =
        command(app_, "check", "Checks once", [this] { return learn::check(context_, exercises_, all_); });
    check->add_option("ID", exercises_, "Exercises, or files; otherwise the first that is not passed");
    check->add_flag("--all", all_, "Everything there is an answer to");
  }

  CLI::App* about_one(const std::string& name, const std::string& what, std::function<int()> run) {
    CLI::App* const sub = command(app_, name, what, std::move(run));
    sub->add_option("ID", exercise_, "Number, name or part of it; otherwise the first that is not passed");
    return sub;
  }

  void add_about_one() {
    about_one("hint", "A hint; each time one more", [this] {
      return learn::hint(context_, exercise_, level_);
    })->add_option("LEVEL", level_, "1 question, 2 concept, 3 formula, 4 line; otherwise the next one");
    about_one("why", "What the last check means", [this] { return learn::why(context_, exercise_); });
    about_one("step", "What your code computes, value by value, beside what is expected", [this] {
      return learn::step(context_, {.exercise = exercise_, .engine = engine_});
    })->add_flag("--engine", engine_, "Our debugger of backward(), where your code calls it");
    about_one("gdb", "Your code in gdb, stopped where it begins", [this] {
      return learn::gdb(context_, exercise_, more_);
    })->add_option("--gdb", more_, "What to hand to gdb, such as --batch");
    about_one("read", "The text", [this] { return learn::read(context_, exercise_); });
    about_one("reset", "One from its beginning; what you have is kept aside", [this] {
      return learn::reset(context_, exercise_, undo_);
    })->add_flag("--undo", undo_, "Bring back what was kept aside last");
    about_one("solution", "How it can be written, once it is passed", [this] {
      return learn::solution(context_, exercise_, give_up_);
    })->add_flag("--give-up", give_up_, "Before it is passed; that is noted");
  }

  void add_others() {
    command(app_, "list", "All exercises, and how each stands", [this] { return learn::list(context_); });
    command(app_, "update", "After `git pull`: brings what is new, keeps what you wrote",
            [this] { return learn::update(context_); });
    CLI::App* const mine = command(app_, "mine", "Your own code at work: a network and a translator",
                                   [this] { return learn::mine(context_, mine_); });
    mine->add_option("--with", mine_.with, "An exercise that is not passed, to be tried all the same");
    mine->add_flag("--quick", mine_.quick, "A short training, on a few sentences");
    CLI::App* const grade = command(app_, "grade", "For teachers: the answers of a student or a class, with points",
                                    [this] { return learn::grade(context_, grade_); });
    grade->add_option("DIR", grade_.folder, "A folder with answers, NN_name.cpp, or with a folder for each student")
        ->required();
    add_grading_rules(*grade);
    grade->add_flag("--again", grade_.again, "Of a class: also what was graded before and has not changed");
    grade->add_option("--jobs", grade_.jobs, "How many at a time; otherwise as many as there are processors");
    grade->add_option("--json", grade_.json, "Write the result into this file");
    grade->add_option("--gradescope", grade_.gradescope, "The same as Gradescope's results.json");
    grade->add_flag("--github", grade_.github, "The same for GitHub Classroom's autograding");
    CLI::App* const help_command =
        command(app_, "help", "This, or more about one command", [this] { return help(exercise_); });
    help_command->add_option("COMMAND", exercise_);
  }

  // What an answer is worth.
  void add_grading_rules(CLI::App& command) {
    command.add_option("ID", grade_.exercises, "Exercises, each with its points if you like: 19=4; otherwise all");
    command.add_option("--points", grade_.points, "For each exercise that says nothing else")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--seconds", grade_.seconds, "How long each answer may run; otherwise as the exercise says");
    command.add_option("--seed", grade_.seed, "Other numbers than the learners have seen; the same for the same seed")
        ->check(CLI::NonNegativeNumber);
    command.add_flag("--by-parts", grade_.by_parts, "A share of the points for what is right; otherwise all or none");
  }

  int make_zip() const {
    learn::make_gradescope_zip({.zip = where_,
                                .exercises = grade_.exercises,
                                .points = grade_.points,
                                .seconds = grade_.seconds,
                                .seed = grade_.seed,
                                .by_parts = grade_.by_parts});
    learn::show(context_.style, where_ + ": upload it to Gradescope as the assignment's autograder.\n");
    return 0;
  }

  void add_dev() {
    CLI::App* const dev = app_.add_subcommand("dev", "For authors of exercises");
    dev->require_subcommand(1);
    CLI::App* const dev_check = command(*dev, "check", "Whether exercises hold together",
                                        [this] { return learn::dev_check(ids(), slow_, jobs_); });
    dev_check->add_option("ID", exercises_, "Otherwise all");
    dev_check->add_flag("--slow", slow_, "What takes seconds, too: training, and mistakes in pairs");
    dev_check->add_option("--jobs", jobs_, "How many at a time; otherwise as many as there are processors");
    CLI::App* const dev_mutants = command(*dev, "mutants", "Whether every small change of a solution fails",
                                          [this] { return learn::dev_mutants(ids(), slow_, jobs_); });
    dev_mutants->add_option("ID", exercises_, "Otherwise all");
    dev_mutants->add_flag("--slow", slow_, "What lives is trained, too");
    dev_mutants->add_option("--jobs", jobs_, "How many at a time; otherwise as many as there are processors");
    CLI::App* const dev_new = command(*dev, "new", "The files of a new exercise",
                                      [this] { return learn::dev_new(exercise_, title_, part_); });
    dev_new->add_option("NAME", exercise_, "54_my_subject")->required();
    dev_new->add_option("TITLE", title_, "\"My subject\"")->required();
    dev_new->add_option("--part", part_, "A letter, A to I");
    CLI::App* const dev_time = command(*dev, "time", "From saving to the verdict, on one processor",
                                       [this] { return learn::dev_time(ids(), repeat_, grade_.json); });
    dev_time->add_option("ID", exercises_, "Otherwise all");
    dev_time->add_option("--repeat", repeat_, "The fastest of so many")->check(CLI::PositiveNumber);
    dev_time->add_option("--json", grade_.json, "Write the times into this file");
    CLI::App* const gradescope =
        command(*dev, "gradescope", "The zip that Gradescope makes an autograder from", [this] { return make_zip(); });
    gradescope->add_option("ZIP", where_, "The file to write")->required();
    add_grading_rules(*gradescope);
    CLI::App* const dev_try = command(*dev, "try", "What a learner sees who makes a known mistake",
                                      [this] { return learn::dev_try(context_, exercise_, exercises_, explain_); });
    dev_try->add_option("ID", exercise_)->required();
    dev_try->add_option("MISTAKE", exercises_, "One, or two that are made at once; none: the stub");
    dev_try->add_flag("--why", explain_, "What `learn why` says, too");
  }

  std::vector<std::string> ids() const {
    std::vector<std::string> found;
    for (const std::string& exercise : exercises_) found.push_back(learn::find_exercise(exercise));
    return found.empty() ? learn::exercise_ids() : found;
  }

  int wrong_usage(const std::string& what) const {
    const std::string about = command_on_the_line();
    const std::string sentence = what.empty() ? "this command takes fewer arguments" : what;
    const std::string help_of =
        about.empty() ? "`learn help` shows all commands." : fmt::format("`learn help {}` says how.", about);
    learn::complain(fmt::format("{}\n{}", sentence, help_of));
    return 2;
  }

  std::string no_such_command(const std::vector<std::string>& words) {
    if (words.empty()) return "";
    std::string sentence = fmt::format("there is no command '{}'.", words[0]);
    try {
      return sentence + fmt::format(" Is it `learn check {}`?", learn::find_exercise(words[0]));
    } catch (const std::exception&) {
      // Not an exercise either.
    }
    return sentence + did_you_mean(words[0]);
  }

  std::string did_you_mean(const std::string& word) {
    std::vector<std::string> commands;
    for (const CLI::App* const sub : app_.get_subcommands([](const CLI::App*) { return true; })) {
      commands.push_back(sub->get_name());
    }
    const std::vector<std::string> nearest = autograd::nearest_words(word, commands, 1);
    return nearest.empty() ? "" : fmt::format(" Did you mean `learn {}`?", nearest[0]);
  }

  // About a command, or all of them.
  int help(const std::string& about) {
    if (about.empty()) {
      learn::show(context_.style, overview);
      return 0;
    }
    for (CLI::App* const sub : app_.get_subcommands([](const CLI::App*) { return true; })) {
      if (sub->get_name() != about) continue;
      learn::show(context_.style, sub->help("learn"));
      return 0;
    }
    return wrong_usage(fmt::format("there is no command '{}'.{}", about, did_you_mean(about)));
  }

  // The command that --help is about.
  std::string command_on_the_line() const {
    for (const CLI::App* const sub : app_.get_subcommands([](const CLI::App* each) { return each->parsed(); })) {
      return sub->get_name();
    }
    return "";
  }

  CLI::App app_;
  Context context_;
  std::function<int()> chosen_;
  std::string folder_;
  std::string where_;
  std::string exercise_;
  std::vector<std::string> exercises_;
  int level_ = 0;
  bool poll_ = false;
  bool all_ = false;
  bool give_up_ = false;
  bool undo_ = false;
  bool slow_ = false;
  bool engine_ = false;
  bool explain_ = false;
  int jobs_ = 0;
  int repeat_ = 3;
  std::string title_;
  std::string part_ = "H";
  std::vector<std::string> more_;
  learn::GradeOptions grade_;
  learn::MineOptions mine_;
};

}  // namespace

int main(int argc, char** argv) {
  learn::catch_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow (ulimit -f) is an error of write(), which says so
  try {
    return CommandLine().run(argc, argv);
  } catch (const learn::Interrupted&) {
    fmt::print("\n");
    return 130;
  } catch (const learn::WrongUsage& error) {
    learn::complain(error.what());
    return 2;
  } catch (const std::exception& error) {
    learn::complain(error.what());
    return 1;
  }
}
