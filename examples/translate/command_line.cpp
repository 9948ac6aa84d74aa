#include "examples/translate/command_line.h"

#include <autograd/tensor/error.h>
#include <autograd/tensor/threads.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <functional>
#include <limits>
#include <new>
#include <string>

#include "examples/translate/commands.h"
#include "examples/translate/experiments/experiments.h"
#include "examples/translate/messages.h"
#include "examples/translate/refuse.h"
#include "examples/translate/run_folder.h"
#include "examples/translate/trainer.h"
#include "examples/translate/training_run.h"

namespace translate {
namespace {

constexpr int error_code = 1;
constexpr int usage_code = 2;

// A subcommand of the program. What its options are bound to lives as long as it does.
struct Command {
  virtual ~Command() = default;
  virtual int run() = 0;
  CLI::App* app = nullptr;
  int threads = autograd::num_threads();
};

// "[bad-file] save: what was found\n  at: ..\n  try: what to do\n .."  ->  "what was found; what to do"
std::string line_of(const autograd::Error& error) {
  const std::string text = error.what();
  const std::string found = text.substr(0, text.find("\n  "));
  const std::size_t begin = text.find("\n  try: ");
  if (begin == std::string::npos) return in_one_line(found);
  const std::string advice = text.substr(begin + 8, text.find("\n  more: ", begin) - begin - 8);
  const std::size_t id_end = found.find("] ");
  const std::size_t asked_end = found.find(": ", id_end);
  return in_one_line(fmt::format("{}; {}", found.substr(asked_end + 2), advice));
}

// ---- options that are what they should be --------------------------------------------------------------------

// CLI11 reads "" as 0, and the largest number for one that is larger.
template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& value, const char* help) {
  const auto complaint = [name](const std::string& text) -> std::string {
    std::conditional_t<std::is_same_v<Number, std::optional<std::int64_t>>, std::int64_t, Number> ignored{};
    try {
      read_option(name, text, ignored);
    } catch (const autograd::Error& error) {
      return line_of(error).substr(name.size() + 4);  // CLI11 writes "--name: " itself
    }
    return "";
  };
  return app.add_option("--" + name, value, help)->check(complaint, "");
}

// An empty text is most likely a variable of the shell that is not set.
template <class Text> CLI::Option* add_text(CLI::App& app, const std::string& name, Text& value, const char* help) {
  const auto complaint = [](const std::string& text) -> std::string {
    return text.empty() ? "it is empty; say what it is, or leave it out" : "";
  };
  return app.add_option("--" + name, value, help)->check(complaint, "");
}

void add_threads(Command& command) {
  command.app->add_option("--threads", command.threads, "to compute with; no influence on the results")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
}

// ---- train ---------------------------------------------------------------------------------------------------

void add_option(CLI::App& app, const std::string& name, bool& value, const char* help, const char* group) {
  app.add_flag("--" + name, value, help)->group(group);
}

void add_option(CLI::App& app, const std::string& name, std::string& value, const char* help, const char* group) {
  add_text(app, name, value, help)->group(group)->capture_default_str();
}

template <class Number>
void add_option(CLI::App& app, const std::string& name, Number& value, const char* help, const char* group) {
  add_number(app, name, value, help)->group(group)->capture_default_str();
}

template <class Options> void add_options(CLI::App& app, Options& options, const char* group) {
  Options::each(options, [&app, group](const std::string& name, auto& value, const char* help) {
    add_option(app, name, value, help, group);
  });
}

template <class Options> void add_given(std::set<std::string>& given, const CLI::App& app, const Options& options) {
  Options::each(options, [&](const std::string& name, const auto&, const char*) {
    if (app.count("--" + name) > 0) given.insert(name);
  });
}

// The defaults suit Multi30k. The artificial language is learnt by a smaller model, sooner.
void suit_artificial_language(RunOptions& options) {
  const auto is_given = [&options](const char* name) { return options.given->count(name) > 0; };
  if (!is_given("dim")) options.model.dim = 64;
  if (!is_given("dropout")) options.model.dropout = 0.1;
  if (!is_given("lr")) options.training.lr = 3e-3;
  if (!is_given("epochs")) options.training.epochs = 6;
}

struct Train final : Command {
  RunOptions options;
  bool resume = false;
  bool force = false;

  explicit Train(CLI::App& program) {
    app = program.add_subcommand("train", "Trains a model; without --data on an artificial language.");
    options.folder = "run";
    add_text(*app, "out", options.folder, "folder of the run: checkpoint, best model, curve")->capture_default_str();
    CLI::Option* resumes = app->add_flag("--resume", resume, "go on with the run in --out, with its options");
    app->add_flag("--force", force, "begin anew where there is a run already")->excludes(resumes);
    add_number(*app, "save-every", options.save_every, "updates from one checkpoint to the next")
        ->capture_default_str();
    add_options(*app, options.model, "Model");
    add_options(*app, options.training, "Training");
    add_options(*app, options.data, "Data");
  }

  int run() override {
    options.given.emplace();
    add_given(*options.given, *app, options.model);
    add_given(*options.given, *app, options.training);
    add_given(*options.given, *app, options.data);
    if (options.data.data.empty() && !resume) suit_artificial_language(options);
    if (resume) options.if_exists = IfRunExists::resume;
    if (force) options.if_exists = IfRunExists::replace;
    return tell(train_run(options));
  }

  int tell(const RunResult& result) const {
    if (result.stopped_by != 0) {
      const bool is_between_epochs = result.position.batch == 0 && result.position.epoch > 0;
      const std::int64_t epoch = is_between_epochs ? result.position.epoch : result.position.epoch + 1;
      say(fmt::format("Stopped after update {}, epoch {}. Go on with: translate train --resume --out {}\n",
                      result.position.step, epoch, quoted(options.folder)));
      return 128 + result.stopped_by;
    }
    say(fmt::format("Trained: {}. The best model, of update {} with a validation perplexity of {:.3f}, is {}\n",
                    counted(result.position.step, "update"), result.best.step, result.best.perplexity,
                    in_one_line(RunFolder{options.folder}.best())));
    return 0;
  }
};

// ---- using a model -------------------------------------------------------------------------------------------

void add_run(CLI::App& app, std::filesystem::path& run) {
  app.add_option("run", run, "folder of a training (its --out)")->required();
}

void add_search(CLI::App& app, SearchSettings& search) {
  add_number(app, "beam", search.beam, "beginnings that are followed; 1: greedy")->capture_default_str();
  add_number(app, "length-penalty", search.length_penalty, "rank by log p / length^this")->capture_default_str();
  add_number(app, "max-length", search.max_length, "of a translation; 0: 60, or twice the source")
      ->capture_default_str();
  add_number(app, "batch", search.batch, "sentences at once")->capture_default_str();
}

struct Translate final : Command {
  TranslateCommand command;

  explicit Translate(CLI::App& program) {
    app = program.add_subcommand("translate", "Translates a file, standard input, or what you type.");
    add_run(*app, command.run);
    app->add_option("file", command.file, "one sentence per line; - for standard input");
    add_search(*app, command.search);
    add_number(*app, "n-best", command.search.n_best, "translations per sentence")->capture_default_str();
  }
  int run() override {
    run_translate(command);
    return 0;
  }
};

struct Eval final : Command {
  EvalCommand command;

  explicit Eval(CLI::App& program) {
    app = program.add_subcommand("eval", "Measures a model: perplexity, BLEU, alignment, by sentence length.");
    add_run(*app, command.run);
    add_text(*app, "data", command.data, "another folder than the run's");
    add_text(*app, "text", command.text, "one text of it, such as val; otherwise all tests");
    add_text(*app, "out", command.out, "folder to keep the translations in");
    add_search(*app, command.search);
  }
  int run() override {
    run_eval(command);
    return 0;
  }
};

struct Align final : Command {
  AlignCommand command;

  explicit Align(CLI::App& program) {
    app = program.add_subcommand("align", "Shows what a model looks at, word by word.");
    add_run(*app, command.run);
    app->add_option("file", command.file,
                    "a sentence per line, or a sentence, a tab and its translation; - for standard input");
    add_number(*app, "sentences", command.sentences, "of the run's test, when there is no file")->capture_default_str();
    add_text(*app, "out", command.out, "folder for pictures (SVG)");
    app->add_flag("--png", command.png, "PNG too");
    app->add_flag("--links", command.links_only, "links as 0-0 1-2 only");
  }
  int run() override {
    run_align(command);
    return 0;
  }
};

// ---- experiment ----------------------------------------------------------------------------------------------

struct Experimenting final : Command {
  std::string name;
  ExperimentOptions options;

  explicit Experimenting(CLI::App& program) {
    app = program.add_subcommand("experiment", "Runs an experiment and writes its report; without a name, lists them.");
    app->add_option("name", name, "which one");
    add_text(*app, "out", options.out, "folder for the reports and the models trained for them")->capture_default_str();
    add_text(*app, "data", options.data, "folder with train, val and test files; none: the artificial language");
    add_number(*app, "epochs", options.epochs, "of each training; otherwise 5 over --data, 14 without");
    add_number(*app, "steps", options.steps, "updates after which each training stops");
    add_number(*app, "seed", options.seed, "of the first model of each kind")->capture_default_str();
    add_number(*app, "seeds", options.seeds, "models of each kind")->capture_default_str();
    app->add_flag("--quick", options.quick, "everything very small; nothing is learnt");
  }
  int run() override {
    if (!name.empty()) return run_experiment(name, options);
    for (const Experiment& experiment : experiments()) {
      fmt::print("  {:<16} {}\n", experiment.name, experiment.description);
    }
    return 0;
  }
};

// ---- errors --------------------------------------------------------------------------------------------------

int fail_with(const std::string& line, int code) {
  std::fflush(stdout);
  say(fmt::format("translate: {}\n", line));
  return code;
}

int run_safely(const std::function<int()>& work) {
  try {
    return work();
  } catch (const NotFinite& error) {
    const int code = fail_with(in_one_line(error.what()), error_code);
    say(fmt::format("\nWhere it began:\n\n{}\n", error.origin));
    return code;
  } catch (const autograd::Error& error) {
    const bool is_usage = error.id() == autograd::ErrorId::bad_argument;
    return fail_with(line_of(error), is_usage ? usage_code : error_code);
  } catch (const std::bad_alloc&) {
    return fail_with("there is not enough memory", error_code);
  } catch (const std::exception& error) {
    return fail_with(in_one_line(error.what()), error_code);
  }
}

// A finished program whose results did not all reach their file has failed: a full disk.
int with_output_written(int code) {
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_written || code != 0) return code;
  return fail_with("standard output could not be written", error_code);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App program("Trains translators, translates with them, measures them, and shows what they look at.",
                   "translate");
  program.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // subcommands inherit it
  Train train(program);
  Translate translate(program);
  Eval eval(program);
  Align align(program);
  Experimenting experiment(program);
  const std::array<Command*, 5> commands{&train, &translate, &eval, &align, &experiment};
  for (Command* command : commands) add_threads(*command);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return with_output_written(program.exit(help));
  } catch (const CLI::ParseError& error) {
    return fail_with(in_one_line(error.what()) + "; --help lists the options", usage_code);
  }
  if (program.get_subcommands().empty()) return fail_with("say what to do; --help lists the subcommands", usage_code);
  for (Command* command : commands) {
    if (!command->app->parsed()) continue;
    autograd::set_num_threads(command->threads);
    return with_output_written(run_safely([command] { return command->run(); }));
  }
  return usage_code;
}

}  // namespace translate
