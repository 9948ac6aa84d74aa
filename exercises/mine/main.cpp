// "All of this is yours": a small network and a translator, made of the answers to the exercises. `learn mine` compiles
// the answers and starts this program.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nn/attention/heatmap.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "judge/learner.h"
#include "mine/network.h"
#include "mine/plugs.h"
#include "mine/training.h"
#include "mine/whole.h"

// What answers call besides the engine: here nobody looks at probes.
void todo(const std::string& what) {
  throw judge::NotWritten("this is still to be written: " + what);
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
  std::size_t widest = 0;
  for (const Plug& plug : plugs) widest = std::max(widest, plug.part.size());
  for (const Plug& plug : plugs) {
    const std::string remark = plug.why.empty() ? "" : "  (" + plug.why + ")";
    fmt::print("  {} {:02}  {:<{}}  {}{}\n", plug.plug_in ? "●" : "○", plug.exercise, plug.part, widest, plug.title,
               remark);
  }
  fmt::print("\n  ● yours   ○ the library's\n");
  std::fflush(stdout);
}

// Where two exercises write the same part, the later one is used.
void show_called(const std::vector<Plug>& plugs) {
  std::size_t called = 0;
  std::vector<std::string> idle;
  for (const Plug& plug : plugs) {
    if (!plug.plug_in) continue;
    if (was_called[static_cast<std::size_t>(plug.exercise)]) {
      ++called;
    } else {
      idle.push_back(fmt::format("{:02}", plug.exercise));
    }
  }
  fmt::print("\nYours, of what ran: {} of {} parts.\n", called, plugs.size() - idle.size());
  if (!idle.empty()) fmt::print("Not called this time, since other parts do their work: {}.\n", fmt::join(idle, ", "));
}

// As the learner calls it.
std::string learn_name() {
  const char* const name = std::getenv("LEARN_NAME");
  return name ? name : "learn";
}

// ---- is it right ---------------------------------------------------------------------------------------------------

void show_mistakes(const Verdict& verdict) {
  fmt::print("\n  Something is wrong in the whole. These differ from the library's:\n");
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, verdict.wrong.size()); ++i) fmt::print("    ✗ {}\n", verdict.wrong[i]);
  if (verdict.wrong.size() > most) fmt::print("    ✗ and {} more\n", verdict.wrong.size() - most);
  if (!verdict.error.empty()) {
    fmt::print("    ✗ an error ends it, from exercise {:02}: {}\n", verdict.thrown_in, verdict.error);
  }
  for (const Plug* const plug : verdict.culprits) {
    fmt::print("  It is wrong, too, where only your {} ({}) is in it.\n", name_of(*plug), plug->part);
    fmt::print("  `{} check {:02}` looks at it closely.\n", learn_name(), plug->exercise);
  }
  if (verdict.culprits.empty()) fmt::print("  No part alone makes it wrong: two of yours do not fit together.\n");
  fmt::print("\n");
}

void show_verdict(const Verdict& verdict, std::size_t gradients) {
  if (verdict.is_right()) {
    // What is closer is rounding, which differs from one processor to another.
    const double difference = std::max(verdict.difference, 1e-12);
    fmt::print("  the loss and its {} gradients agree with the library's, to 1 part in 10^{:.0f}\n", gradients,
               std::floor(-std::log10(difference)));
  } else {
    show_mistakes(verdict);
  }
  std::fflush(stdout);
}

Outcome outcome_of(const Translator& translator, const Batch& batch) {
  for (const Tensor& parameter : translator.parameters()) parameter.zero_grad();
  const Tensor loss = translator.loss(batch);
  loss.backward();
  Outcome outcome;
  outcome.all.push_back({"the loss", {loss.item()}});
  Tensors before;
  for (std::size_t i = 0; i < translator.parameters().size(); ++i) {
    const Tensor& parameter = translator.parameters()[i];
    const Tensor gradient = parameter.grad();
    outcome.all.push_back({"the gradient of " + translator.names()[i],
                           gradient.defined() ? gradient.to_vector() : std::vector<double>()});
    before.push_back(parameter.detach().clone());
  }
  outcome.all.push_back({"the losses of four steps of training", few_steps(translator, batch), tolerance_of_steps});
  const autograd::NoGradGuard no_grad;
  for (std::size_t i = 0; i < before.size(); ++i) Tensor(translator.parameters()[i]).copy_(before[i]);
  return outcome;
}

// ---- what it has learned -------------------------------------------------------------------------------------------

// Without eos and what comes after it.
Sentence sentence_of(const Tensor& words) {
  Sentence sentence = words.to_vector<std::int64_t>();
  sentence.erase(std::find(sentence.begin(), sentence.end(), eos), sentence.end());
  return sentence;
}

void draw_attention(const Pair& pair, const Sentence& said, const Tensor& weights, const std::string& folder) {
  if (said.empty()) return;
  const Tensor matrix = weights.narrow(0, 0, std::ssize(said)).narrow(1, 0, std::ssize(pair.source));
  nn::HeatmapOptions options;
  options.row_axis = "written";
  options.column_axis = "read";
  options.style = nn::heatmap_style_for(stdout);
  fmt::print("\n{}", nn::heatmap_text(matrix, target_words(said), source_words(pair.source), options));
  options.title = "What it looks at while it writes";
  nn::write_heatmap_svg(folder + "/my_translator.svg", matrix, target_words(said), source_words(pair.source), options);
  fmt::print("  in my_translator.svg\n");
}

// By `accuracy`, which may go through a batch sentence by sentence. But a stepper looks at the sources of all sentences
// that it was made for: so each sentence has a stepper of its own.
double share_of_words(const Translator& translator, const std::vector<Pair>& pairs) {
  double right = 0.0;
  double all = 0.0;
  for (const Pair& pair : pairs) {
    const Batch one = batch_of({pair});
    const auto [stepper, state] = translator.begin(one);
    const auto words = static_cast<double>(pair.target.size() + 1);  // and eos
    right += words * parts.accuracy(stepper, state, one.targets.out);
    all += words;
  }
  return right / all;
}

void show_translations(const Translator& translator, const std::vector<Pair>& pairs, const std::string& which,
                       const std::string& folder) {
  const autograd::NoGradGuard no_grad;
  const Batch batch = batch_of(pairs);
  const auto [stepper, state] = translator.begin(batch);
  const Tensor logits = parts.teacher_forced(stepper, state, batch.targets.in);
  fmt::print("  on {} {}: loss {:.4f}, and {:.1f} % of the words are right\n\n", pairs.size(), which,
             parts.sentence_loss(logits, batch.targets.out).item(), 100.0 * share_of_words(translator, pairs));
  const Said said = say(stepper, state, batch.targets.out.size(1));
  for (std::int64_t i = 0; i < 6; ++i) {
    const Pair& pair = pairs[static_cast<std::size_t>(i)];
    const Sentence written = sentence_of(said.words[i]);
    fmt::print("    {:<50}  ->  {}{}\n", fmt::format("{}", fmt::join(source_words(pair.source), " ")),
               fmt::join(target_words(written), " "), written == pair.target ? "" : "   (wrong)");
  }
  draw_attention(pairs[3], sentence_of(said.words[3]), said.weights[3], folder);
}

// ---- the two parts of the program ----------------------------------------------------------------------------------

// Are all of them right?
bool run_network(const std::vector<Plug>& plugs, bool quick) {
  fmt::print("\nA network of numbers\n");
  Network network;
  const Verdict verdict = judged(plugs, [&] { return network.outcome(); });
  show_verdict(verdict, network.size());
  if (!verdict.error.empty()) return false;
  const std::vector<double> losses = network.train(quick ? 20 : 150);
  fmt::print("  loss {:.4f} -> {:.4f}, and {:.0f} % of the points are on their side:\n\n{}\n", losses.front(),
             losses.back(), 100.0 * network.share_right(), network.picture());
  const Chain chain = parts.tanh_chain(100000, 1.0);
  fmt::print("  100000 tanh in a row: {} nodes, derivative {:.3e}, and all are freed.\n", chain.nodes,
             chain.derivative);
  std::fflush(stdout);
  return verdict.is_right();
}

bool run_translator(const std::vector<Plug>& plugs, bool quick, const std::string& folder) {
  fmt::print("\nA translator: of one artificial language -> another, with adjectives and verb in other places\n");
  std::fflush(stdout);  // a crash would lose it
  const Translator translator;
  const Batch batch = batch_of({held_out().begin(), held_out().begin() + 4});
  const Verdict verdict = judged(plugs, [&] { return outcome_of(translator, batch); });
  std::size_t gradients = 0;
  for (const Tensor& parameter : translator.parameters()) gradients += static_cast<std::size_t>(parameter.numel());
  show_verdict(verdict, gradients);
  if (!verdict.error.empty()) return false;
  const std::vector<Pair> by_heart(held_out().begin(), held_out().begin() + 8);
  const std::vector<double> losses = train(translator, quick ? 150 : 600, quick ? by_heart : std::vector<Pair>());
  if (losses.empty()) return verdict.is_right();
  fmt::print("  {} steps of training: loss {:.4f} -> {:.4f}\n", losses.size(), losses.front(), losses.back());
  if (losses.back() > 0.8 * losses.front()) fmt::print("  The loss does not fall.\n");
  if (quick) {
    show_translations(translator, by_heart, "sentences that it was trained on, and no others", folder);
  } else {
    show_translations(translator, held_out(), "held-out sentences", folder);
  }
  std::fflush(stdout);
  return verdict.is_right();
}

// ---- errors --------------------------------------------------------------------------------------------------------

// Outlives main()'s try block: what is caught there asks for names.
std::vector<Plug> all_plugs;

std::string blame() {
  for (const Plug& plug : all_plugs) {
    if (plug.exercise == running_exercise) return " in your " + name_of(plug);
  }
  return "";
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
  const bool network_is_right = run_network(plugs, quick);
  autograd::manual_seed(1);
  const bool right = run_translator(plugs, quick, folder) && network_is_right;
  if (stop_wanted()) return right ? 0 : 1;
  show_called(plugs);
  const bool all_yours = std::all_of(plugs.begin(), plugs.end(), [](const Plug& plug) { return plug.plug_in; });
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
