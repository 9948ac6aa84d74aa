#include <autograd/tensor/threads.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "examples/translate/commands/commands.h"
#include "examples/translate/experiments/experiments.h"
#include "examples/translate/messages.h"
#include "examples/translate/training/recipes.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/training_run.h"

namespace translate {
namespace {

constexpr int error_code = 1;
constexpr int usage_code = 2;

// What a subcommand does once its options are read; it returns the exit code.
using Work = std::function<int()>;

std::string line_of(const autograd::Error& error) {
  return in_one_line(fmt::format("{}; {}", error.found(), error.advice()));
}

// ---- options -------------------------------------------------------------------------------------------------

template <class Number>
CLI::Option* add_option(CLI::App& app, const std::string& name, Number& value, const char* help) {
  CLI::Option* option = app.add_option("--" + name, value, help)->capture_default_str();
  const auto complaint = [](const std::string& text) -> std::string {  // -1 would be read as a large number
    return text.starts_with('-') ? "it is a whole number from 0" : "";
  };
  if constexpr (std::is_unsigned_v<Number>) option->check(complaint, "");
  return option;
}

CLI::Option* add_option(CLI::App& app, const std::string& name, bool& value, const char* help) {
  return app.add_flag("--" + name, value, help);
}

// Refuses an empty text, which is most likely a shell variable that is not set.
template <class Text> CLI::Option* add_text(CLI::App& app, const std::string& name, Text& value, const char* help) {
  const auto complaint = [](const std::string& text) -> std::string {
    return text.empty() ? "it is empty; say what it is, or leave it out" : "";
  };
  return app.add_option("--" + name, value, help)->check(complaint, "")->capture_default_str();
}
CLI::Option* add_option(CLI::App& app, const std::string& name, std::string& value, const char* help) {
  return add_text(app, name, value, help);
}

// Adds all options of a struct (options.h).
template <class Options> void add_options(CLI::App& app, Options& options, const std::string& group) {
  Options::each(options, [&](const std::string& name, auto& value, const Allowed&, const char* help) {
    CLI::Option* option = add_option(app, name, value, help);
    if (!group.empty()) option->group(group);
  });
}

// Adds the names of the options that were given on the command line.
template <class Options> void add_given(const CLI::App& app, const Options& options, std::set<std::string>& given) {
  Options::each(options, [&](const std::string& name, const auto&, const Allowed&, const char*) {
    if (app.count("--" + name) > 0) given.insert(name);
  });
}

// ---- train ---------------------------------------------------------------------------------------------------

// The defaults suit Multi30k. A smaller model learns the artificial language, and in fewer epochs.
void suit_artificial_language(RunOptions& options) {
  const auto is_given = [&options](const char* name) { return options.given->count(name) > 0; };
  if (!is_given("dim")) options.model.dim = 64;
  if (!is_given("dropout")) options.model.dropout = 0.1;
  if (!is_given("lr")) options.training.lr = 3e-3;
  if (!is_given("epochs")) options.training.epochs = 6;
}

int train(const RunOptions& options) {
  const RunResult result = train_run(options);
  if (result.stopped_by == 0) {
    say(fmt::format("Trained: {}. The best model, of update {} with a validation perplexity of {:.3f}, is {}\n",
                    counted(result.position.step, "update"), result.best.step, result.best.perplexity,
                    in_one_line(RunFolder{options.folder}.best())));
    return 0;
  }
  say(fmt::format("Stopped after update {}. Go on with: translate train --resume --out {}\n", result.position.step,
                  options.folder.string()));
  return 128 + result.stopped_by;
}

Work add_train(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  options->folder = "run";
  add_text(app, "out", options->folder, "folder of the run: checkpoint, best model, curve");
  CLI::Option* resume = app.add_flag("--resume")->description("go on with the run in --out, with its options");
  CLI::Option* force =
      app.add_flag("--force")->description("begin anew where there is a run already")->excludes(resume);
  const auto recipe = std::make_shared<std::string>();
  app.add_option("--recipe", *recipe, fmt::format("what a paper set: {}", fmt::join(names_of_recipes(), ", ")))
      ->excludes(resume);
  add_option(app, "save-every", options->save_every, "updates from one checkpoint to the next");
  add_options(app, options->model, "Model");
  add_options(app, options->training, "Training");
  add_options(app, options->data, "Data");
  return [=, &app] {
    std::set<std::string>& given = options->given.emplace();
    add_given(app, options->model, given);
    add_given(app, options->training, given);
    add_given(app, options->data, given);
    if (!recipe->empty()) apply_recipe(*recipe, *options);
    if (resume->count() > 0) options->if_exists = IfRunExists::resume;
    if (force->count() > 0) options->if_exists = IfRunExists::replace;
    if (options->data.data.empty() && resume->count() == 0) suit_artificial_language(*options);
    return train(*options);
  };
}

// ---- using a model -------------------------------------------------------------------------------------------

// One run each time that the option is given, so that it can stand before a file.
void add_with(CLI::App& app, std::vector<std::filesystem::path>& runs) {
  add_text(app, "with", runs, "another run, whose model translates together with the first; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->default_str("");
}

Work add_translate(CLI::App& app) {
  const auto command = std::make_shared<TranslateCommand>();
  app.add_option("run", command->run, "folder of a training (its --out)")->required();
  app.add_option("file", command->file, "one sentence per line; - for standard input");
  add_with(app, command->with);
  add_options(app, command->search, "");
  return [command] { return run_translate(*command); };
}

Work add_eval(CLI::App& app) {
  const auto command = std::make_shared<EvalCommand>();
  app.add_option("run", command->run, "folder of a training (its --out)")->required();
  add_with(app, command->with);
  add_text(app, "data", command->data, "another folder than the run's");
  add_text(app, "out", command->out, "folder to keep the translations in");
  add_options(app, command->search, "");
  return [command] { return run_eval(*command); };
}

Work add_align(CLI::App& app) {
  const auto command = std::make_shared<AlignCommand>();
  app.add_option("run", command->run, "folder of a training (its --out)")->required();
  app.add_option("file", command->file,
                 "a sentence per line, or a sentence, a tab and its translation; - for standard input");
  add_option(app, "sentences", command->sentences, "of the run's test, when there is no file");
  add_text(app, "out", command->out, "folder for pictures (SVG)");
  return [command] { return run_align(*command); };
}

// ---- experiment ----------------------------------------------------------------------------------------------

int list_experiments() {
  for (const Experiment& experiment : experiments()) {
    fmt::print("  {:<16} {}\n", experiment.name, experiment.description);
  }
  return 0;
}

Work add_experiment(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  const auto options = std::make_shared<ExperimentOptions>();
  app.add_option("name", *name, "which one");
  add_text(app, "out", options->out, "folder for the reports and the models trained for them");
  add_text(app, "data", options->data, "folder with train, val and test files; none: the artificial language");
  add_option(app, "epochs", options->epochs, "of each training; otherwise 5 over --data, 8 for pairs, 14 without");
  add_option(app, "steps", options->steps, "updates after which each training stops");
  add_option(app, "seed", options->seed, "of the first model of each kind");
  add_option(app, "seeds", options->seeds, "models of each kind");
  app.add_flag("--quick", options->quick, "everything very small; nothing is learned");
  return [=] { return name->empty() ? list_experiments() : run_experiment(*name, *options); };
}

// ---- errors --------------------------------------------------------------------------------------------------

int fail_with(const std::string& line, int code) {
  std::fflush(stdout);
  say(fmt::format("translate: {}\n", line));
  return code;
}

int run_safely(const Work& work) {
  try {
    return work();
  } catch (const autograd::Error& error) {
    const bool is_usage = error.id() == autograd::ErrorId::bad_argument;
    return fail_with(line_of(error), is_usage ? usage_code : error_code);
  } catch (const std::bad_alloc&) {
    return fail_with("there is not enough memory", error_code);
  } catch (const std::exception& error) {
    return fail_with(in_one_line(error.what()), error_code);
  }
}

// Turns success into an error if standard output could not be written, for example because the disk is full.
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
  int threads = autograd::num_threads();
  Work chosen;
  const auto add = [&](const char* name, const char* help, Work (*add_command)(CLI::App&)) {
    CLI::App* app = program.add_subcommand(name, help);
    const Work work = add_command(*app);
    app->add_option("--threads", threads, "to compute with; no influence on the results")
        ->capture_default_str()
        ->check(CLI::Range(1, 256));
    app->callback([&chosen, work] { chosen = work; });
  };
  add("train", "Trains a model; without --data on an artificial language.", add_train);
  add("translate", "Translates a file, standard input, or what you type.", add_translate);
  add("eval", "Measures a model: perplexity, BLEU, alignment, by sentence length.", add_eval);
  add("align", "Shows what a model looks at, word by word.", add_align);
  add("experiment", "Runs an experiment and writes its report; without a name, lists them.", add_experiment);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return with_output_written(program.exit(help));
  } catch (const CLI::ParseError& error) {
    return fail_with(in_one_line(error.what()) + "; --help lists the options", usage_code);
  }
  if (!chosen) return fail_with("say what to do; --help lists the subcommands", usage_code);
  autograd::set_num_threads(threads);
  return with_output_written(run_safely(chosen));
}

}  // namespace translate
