// "All of this is yours": a small network and two translators, made of the answers to the exercises. `learn mine`
// compiles the answers and starts this program.
//
//   numbers.cpp     a scalar engine: 06-10
//   ops.cpp         the derivatives of ops: 12-25
//   layers.cpp      recurrent layers and attention: 28-36
//   decoder.cpp     what writes: 38-40
//   dates.cpp       a translator of dates, from small ops
//   sentences.cpp   a translator of sentences, from whole layers
//   training.cpp    26 and 27
//   plugs/          how each answer is plugged in
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nn/pictures/heatmap.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "course/learner.h"
#include "mine/network.h"
#include "mine/plugs.h"
#include "mine/training.h"
#include "mine/whole.h"

// What answers call besides the engine: here nobody looks at probes.
void todo(const std::string& what) {
  throw course::NotWritten("this is still to be written: " + what);
}
const Tensor& probe(std::string_view, const Tensor& value) {
  return value;
}
double probe(std::string_view, double value) {
  return value;
}

namespace {

using namespace mine;

// ---- whose is what -------------------------------------------------------------------------------------------------

void show_table(const std::vector<Plug>& plugs) {
  std::size_t yours = 0;
  std::size_t widest = 0;
  for (const Plug& plug : plugs) {
    yours += plug.plug_in ? 1 : 0;
    widest = std::max(widest, plug.part.size());
  }
  for (const Plug& plug : plugs) {
    const std::string remark = plug.why.empty() ? "" : "  (" + plug.why + ")";
    fmt::print("  {} {:02}  {:<{}}  {}{}\n", plug.plug_in ? "●" : "○", plug.exercise, plug.part, widest, plug.title,
               remark);
  }
  fmt::print("\n  ● yours: {} of {}   ○ the library's\n", yours, plugs.size());
  std::fflush(stdout);
}

// Where two exercises write the same part, the later one is used.
void show_idle(const std::vector<Plug>& plugs) {
  std::vector<std::string> idle;
  for (const Plug& plug : plugs) {
    if (plug.plug_in && !was_called[static_cast<std::size_t>(plug.exercise)]) {
      idle.push_back(fmt::format("{:02}", plug.exercise));
    }
  }
  if (!idle.empty())
    fmt::print("\nNot called this time, since other parts do their work: {}.\n", fmt::join(idle, ", "));
}

// As the learner calls it.
std::string learn_name() {
  const char* const name = std::getenv("LEARN_NAME");
  return name ? name : "learn";
}

// ---- is it right ---------------------------------------------------------------------------------------------------

void show_verdict(const Verdict& verdict) {
  if (verdict.right) {
    // What is closer is rounding, which differs from one processor to another.
    const double difference = std::max(verdict.difference, 1e-12);
    fmt::print("  the loss and its {} gradients agree with the library's, to 1 part in 10^{:.0f}\n",
               verdict.numbers - 1, std::floor(-std::log10(difference)));
    fmt::print("  in a random direction the loss changes by {:+.6f}; your gradients say {:+.6f}\n",
               verdict.numeric_slope, verdict.slope);
    return;
  }
  fmt::print("\n  Something is wrong in the whole.\n");
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, verdict.wrong.size()); ++i) fmt::print("    ✗ {}\n", verdict.wrong[i]);
  if (verdict.wrong.size() > most) fmt::print("    ✗ and {} more\n", verdict.wrong.size() - most);
  if (!verdict.has_ended) {
    fmt::print("    in a random direction the loss changes by {:+.6f}; your gradients say {:+.6f}\n",
               verdict.numeric_slope, verdict.slope);
  }
  for (const Plug* const plug : verdict.culprits) {
    const std::string part = fmt::format("{} ({})", name_of(*plug), plug->part);
    fmt::print("  {}\n", verdict.each_alone ? "Wrong, too, if only this one is yours: " + part
                                            : "It is right with the library's part in place of your " + part + ".");
  }
  if (verdict.culprits.empty()) fmt::print("  No part alone makes it wrong: two of yours do not fit together.\n");
  for (const Plug* const plug : verdict.culprits) {
    fmt::print("  `{} check {:02}` looks at it closely.\n", learn_name(), plug->exercise);
  }
  fmt::print("\n");
}

Outcome outcome_of(const Task& task, const Batch& batch) {
  for (const Parameter& parameter : task.translator->parameters()) parameter.tensor.zero_grad();
  const Tensor loss = task.translator->loss(batch);
  loss.backward();
  Outcome outcome;
  outcome.loss = loss.item();
  for (const Parameter& parameter : task.translator->parameters()) {
    const Tensor gradient = parameter.tensor.grad();
    outcome.gradients.push_back({parameter.name, gradient.defined() ? gradient.to_vector() : std::vector<double>()});
  }
  std::vector<Tensor> before;
  for (const Tensor& tensor : task.translator->tensors()) before.push_back(tensor.detach().clone());
  outcome.others.push_back({"the losses of four steps of training", few_steps(task, batch, 4)});
  const autograd::NoGradGuard no_grad;
  for (std::size_t i = 0; i < before.size(); ++i) task.translator->tensors()[i].copy_(before[i]);
  return outcome;
}

Model model_of(const Task& task, const Batch& batch) {
  const auto move = [&task](double distance) {
    const autograd::NoGradGuard no_grad;
    std::size_t place = 0;
    for (const Tensor& tensor : task.translator->tensors()) {
      std::vector<double> numbers = tensor.to_vector();
      for (double& number : numbers) number += distance * direction(place++);
      tensor.copy_(autograd::from_vector(numbers, tensor.shape(), autograd::float64));
    }
  };
  return {[&task, batch] { return outcome_of(task, batch); }, move};
}

// ---- pictures ------------------------------------------------------------------------------------------------------

std::vector<std::string> visible(std::vector<std::string> words) {
  for (std::string& word : words) word = word == " " ? "␣" : word;
  return words;
}

void draw_attention(const Task& task, const Pair& pair, const std::string& file) {
  const Translation translation = translate(*task.translator, batch_of({pair}), task.most_words);
  const Sentence& said = translation.sentences[0];
  if (said.empty()) return;
  const Tensor matrix = translation.weights[0].narrow(0, 0, static_cast<std::int64_t>(said.size()));
  const std::vector<std::string> rows = visible(labels(task.target_words, said));
  const std::vector<std::string> columns = visible(labels(task.source_words, pair.source));
  nn::HeatmapOptions options;
  options.row_axis = "written";
  options.column_axis = "read";
  options.style = nn::heatmap_style_for(stdout);
  fmt::print("\n{}", nn::heatmap_text(matrix, rows, columns, options));
  options.title = "What it looks at while it writes";
  nn::write_heatmap_svg(file, matrix, rows, columns, options);
  fmt::print("  in {}\n", file);
}

void show_translations(const Task& task) {
  const std::vector<Pair> some(task.held_out.begin(), task.held_out.begin() + 6);
  const Translation translation = translate(*task.translator, batch_of(some), task.most_words);
  std::size_t widest = 0;
  for (const Pair& pair : some) widest = std::max(widest, text(task, task.source_words, pair.source).size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    const bool is_right = translation.sentences[i] == some[i].target;
    fmt::print("    {:<{}}  ->  {}{}\n", text(task, task.source_words, some[i].source), widest,
               text(task, task.target_words, translation.sentences[i]), is_right ? "" : "   (wrong)");
  }
}

// ---- the three parts of the program --------------------------------------------------------------------------------

// Are all of them right?
bool run_network(const std::vector<Plug>& plugs, bool quick) {
  fmt::print("\nA network of numbers\n");
  Network network;
  const Verdict verdict = judge(plugs, {[&] { return network.outcome(); }, [&](double far) { network.move(far); }});
  show_verdict(verdict);
  if (verdict.has_ended) return false;
  const std::vector<double> losses = network.train(quick ? 20 : 150);
  fmt::print("  loss {:.4f} -> {:.4f}, and {:.0f} % of the points are on their side:\n\n{}\n", losses.front(),
             losses.back(), 100.0 * network.share_right(), network.picture());
  const Chain chain = numbers::tanh_chain(100000, 1.0);
  fmt::print("  100000 tanh in a row: {} nodes, derivative {:.3e}, and all are freed.\n", chain.nodes, chain.gradient);
  std::fflush(stdout);
  return verdict.right;
}

bool run_translator(const std::vector<Plug>& plugs, const Task& task, bool quick, const std::string& folder) {
  fmt::print("\nA translator of {}: {}\n", task.what, task.about);
  autograd::Generator random(7);
  std::vector<Pair> few;
  for (int i = 0; i < 4; ++i) few.push_back(task.draw(random));
  const Verdict verdict = judge(plugs, model_of(task, batch_of(few)));
  show_verdict(verdict);
  std::fflush(stdout);
  if (verdict.has_ended) return false;
  const Trained trained = train(task, quick ? task.steps / 10 : task.steps);
  const auto steps = trained.losses.size();
  if (steps == 0) return verdict.right;
  fmt::print("  {} steps in {:.0f} s: loss {:.4f} -> {:.4f}, {:.4f} on {} held-out {}\n", steps, trained.seconds,
             trained.losses.front(), trained.losses.back(), held_out_loss(task), task.held_out.size(), task.what);
  if (trained.losses.back() > 0.8 * trained.losses.front()) fmt::print("  The loss does not fall.\n");
  if (quick) fmt::print("  This was a tenth of the training: too little for it to translate well.\n");
  fmt::print("  {:.1f} % of them are translated without a mistake; {:.1f} % of all {}.\n\n", 100.0 * share_exact(task),
             100.0 * share_of_words(task), task.separator.empty() ? "letters are right" : "words are right");
  show_translations(task);
  draw_attention(task, task.held_out[1], fmt::format("{}/my_{}.svg", folder, task.what));
  std::fflush(stdout);
  return verdict.right;
}

// ---- errors --------------------------------------------------------------------------------------------------------

// Outlives main()'s try block: what is caught there asks for names.
std::vector<Plug> all_plugs;

std::string blame() {
  return running_exercise == 0 ? std::string() : " in your " + name_of(all_plugs, running_exercise);
}

// Says whose crash it is, as far as that can be done from here.
void crashed(int signal) {
  fmt::print(stderr, "\nThe program crashed{}.\n", blame());
  _exit(128 + signal);
}

// On a stack of its own: the other one may be full.
void catch_crashes() {
  static std::array<char, 64 * 1024> stack;
  stack_t other = {};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  ::sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGILL, SIGBUS}) ::sigaction(signal, &action, nullptr);
}

int run(const std::vector<Plug>& plugs, const std::string& folder, bool quick) {
  show_table(plugs);
  parts = parts_from(plugs, [](const Plug&) { return true; });
  bool right = run_network(plugs, quick);
  autograd::manual_seed(1);
  right = run_translator(plugs, dates(), quick, folder) && right;
  if (!stop_wanted()) right = run_translator(plugs, sentences(), quick, folder) && right;
  const bool all_yours = std::all_of(plugs.begin(), plugs.end(), [](const Plug& plug) { return plug.plug_in; });
  if (stop_wanted()) return right ? 0 : 1;
  show_idle(plugs);
  if (all_yours && right) fmt::print("\nAll of this is yours.\n");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "mine PLUGS FOLDER [--quick]; `learn mine` starts it\n");
    return 2;
  }
  try {
    all_plugs = read_plugs(argv[1]);
    catch_crashes();
    catch_interrupts();
    return run(all_plugs, argv[2], argc > 3 && std::strcmp(argv[3], "--quick") == 0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "\nThe program ended{}: {}\n", blame(), error.what());
    return 1;
  }
}
