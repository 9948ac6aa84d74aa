// The program `learn`: what its command line can say.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "runner/commands.h"
#include "runner/course.h"
#include "runner/dev_check.h"
#include "runner/process.h"
#include "runner/settings.h"
#include "runner/style.h"

namespace {

using learn::Context;

constexpr const char* overview = R"(The course of Backstep: gradients, from their definition to Bahdanau attention.

  learn start DIR       puts all exercises into DIR, and shows the first
  learn                 what is next, and how it stands
  learn watch [ID]      checks each time you save, and goes on when it is right

  learn check [ID|FILE] checks once; --all: everything
  learn hint ID         a hint; each time one more, up to the decisive line
  learn why ID          what the last check means, with all numbers
  learn step ID         what your code computes, step by step, beside what is expected
  learn gdb ID          your code in gdb, stopped where it begins
  learn read ID         the text
  learn list            all exercises, and how each stands
  learn reset ID        one from its beginning; what you have is kept aside
  learn solution ID     how it can be written, once it is passed
  learn update          after `git pull`: brings what is new, keeps what you wrote

  learn grade DIR       for teachers: all answers in a folder, with points
  learn dev ...         for authors

ID is a number, a name or a part of one: 25, 25_linear_layer, linear. `learn help COMMAND` says more.
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
    app_.add_flag("--fast", fast_, "The fast track only");
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
      return help("");
    } catch (const CLI::CallForAllHelp&) {
      return help("");
    } catch (const CLI::ParseError& error) {
      fmt::print(stderr, "learn: {}\n`learn help` shows all commands.\n", error.what());
      return 2;
    }
    if (!folder_.empty()) context_.folder = folder_;
    return chosen_ ? chosen_() : learn::next(context_, fast_);
  }

 private:
  CLI::App* command(CLI::App& under, const std::string& name, const std::string& what, std::function<int()> run) {
    CLI::App* const sub = under.add_subcommand(name, what);
    sub->callback([this, run = std::move(run)] { chosen_ = run; });
    return sub;
  }

  void add_daily() {
    CLI::App* const start = command(app_, "start", "Puts all exercises into a folder, and shows the first",
                                    [this] { return learn::start(context_, where_, fast_); });
    start->add_option("DIR", where_, "The folder; it is made if it is not there")->required();
    command(app_, "next", "What is next, and how it stands (also without a command)",
            [this] { return learn::next(context_, fast_); });
    CLI::App* const watch = command(app_, "watch", "Checks each time you save, and goes on when it is right", [this] {
      return learn::watch(context_, {.exercise = exercise_, .fast_track = fast_, .poll = poll_});
    });
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
    about_one("read", "The text", [this] { return learn::read(context_, exercise_); });
    about_one("reset", "One from its beginning; what you have is kept aside",
              [this] { return learn::reset(context_, exercise_); });
    about_one("solution", "How it can be written, once it is passed", [this] {
      return learn::solution(context_, exercise_, give_up_);
    })->add_flag("--give-up", give_up_, "Before it is passed; that is noted");
  }

  void add_others() {
    command(app_, "list", "All exercises, and how each stands", [this] { return learn::list(context_, fast_); });
    CLI::App* const help_command =
        command(app_, "help", "This, or more about one command", [this] { return help(exercise_); });
    help_command->add_option("COMMAND", exercise_);
  }

  void add_dev() {
    CLI::App* const dev = app_.add_subcommand("dev", "For authors of exercises");
    dev->require_subcommand(1);
    CLI::App* const dev_check =
        command(*dev, "check", "Whether exercises hold together", [this] { return learn::dev_check(ids(), slow_); });
    dev_check->add_option("ID", exercises_, "Otherwise all");
    dev_check->add_flag("--slow", slow_, "What takes seconds, too: training");
  }

  std::vector<std::string> ids() const {
    std::vector<std::string> found;
    for (const std::string& exercise : exercises_) found.push_back(learn::find_exercise(exercise));
    return found.empty() ? learn::exercise_ids() : found;
  }

  int help(const std::string& about) {
    const CLI::App* sub = nullptr;
    for (const CLI::App* const candidate : app_.get_subcommands([](const CLI::App*) { return true; })) {
      if (candidate->get_name() == about || candidate->parsed()) sub = candidate;
    }
    if (!about.empty() && (!sub || sub->get_name() != about)) {
      fmt::print(stderr, "learn: there is no command '{}'\n", about);
      return 2;
    }
    const bool general = !sub || sub->get_name() == "help";
    learn::show(context_.style,
                general || about.empty()
                    ? (sub && about.empty() && sub->get_name() != "help" ? sub->help() : std::string(overview))
                    : sub->help());
    return 0;
  }

  CLI::App app_;
  Context context_;
  std::function<int()> chosen_;
  std::string folder_;
  std::string where_;
  std::string exercise_;
  std::vector<std::string> exercises_;
  int level_ = 0;
  bool fast_ = false;
  bool poll_ = false;
  bool all_ = false;
  bool give_up_ = false;
  bool slow_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  learn::catch_interrupts();
  try {
    return CommandLine().run(argc, argv);
  } catch (const learn::Interrupted&) {
    fmt::print("\n");
    return 130;
  } catch (const std::exception& error) {
    fmt::print(stderr, "learn: {}\n", error.what());
    return 1;
  }
}
