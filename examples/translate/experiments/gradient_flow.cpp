#include <fmt/format.h>

#include <cmath>

#include "examples/translate/experiments/figures.h"
#include "examples/translate/experiments/first_word_model.h"
#include "examples/translate/messages.h"
#include "examples/translate/training/progress.h"
#include "examples/translate/training/stop_signal.h"

namespace translate {
namespace {

constexpr std::int64_t words = 16;
constexpr std::int64_t sentences_per_batch = 32;
constexpr double learning_rate = 5e-3;
constexpr double largest_gradient = 1.0;

using Lengths = std::vector<std::int64_t>;

struct Plan {
  Lengths lengths = {1, 2, 4, 8, 12, 16, 20, 30, 40, 60};  // measured
  std::int64_t longest_trained = 20;                       // in the mixed training; longer ones are new to the model
  Lengths single_lengths = {5, 10, 20, 30, 40};            // trained on one length only
  std::int64_t steps = 400;
  std::int64_t tested = 200;  // sentences
};

Plan plan_of(const ExperimentOptions& options) {
  Plan plan;
  if (options.quick) plan = {{1, 2, 4, 6}, 4, {3, 5}, 5, 20};
  plan.steps = options.steps.value_or(plan.steps);
  return plan;
}

// The results of one kind of context: each line has a value per seed, by length.
struct Curves {
  Line norm_before;         // |dL/dh_1| at initialisation
  Line norm_after;          // the same after training on mixed lengths
  Line transmitted_before;  // norm_before divided by |dL/dlogits|
  Line transmitted_after;
  Line accuracy;  // after training on mixed lengths, percent
  Line learnt;    // after training on this length alone, percent
};

void train_first_word(FirstWordModel& model, std::int64_t shortest, std::int64_t longest, std::int64_t steps,
                      const std::string& what, autograd::Generator& random) {
  nn::Adam optimizer(model.parameters(), {.lr = learning_rate});
  for (std::int64_t step = 1; step <= steps && !stop_wanted(); ++step) {
    const Tensor src = random_words(sentences_per_batch, random.integer(shortest, longest + 1), words, random);
    optimizer.zero_grad();
    const Tensor loss = autograd::cross_entropy(model(src).logits, src.select(1, 0));
    loss.backward({.release_graph = true});
    nn::clip_grad_norm_(model.parameters(), largest_gradient);
    optimizer.step();
    if (step % 100 == 0) show_progress(fmt::format("{}: step {}/{}, loss {:.3f}", what, step, steps, loss.item()));
  }
}

void add_value(Line& line, std::int64_t length, double value) {
  line.points[static_cast<double>(length)].values.push_back(value);
}

void measure_norms(const FirstWordModel& model, const Plan& plan, autograd::Generator& random, Line& norm,
                   Line& transmitted) {
  for (const std::int64_t length : plan.lengths) {
    const GradientNorms norms = gradient_norms(model, random_words(sentences_per_batch, length, words, random));
    add_value(norm, length, norms.at_first_state);
    add_value(transmitted, length, norms.transmitted());
  }
}

void measure_accuracy(const FirstWordModel& model, const Plan& plan, std::int64_t length, autograd::Generator& random,
                      Line& accuracy) {
  const Tensor src = random_words(plan.tested, length, words, random);
  add_value(accuracy, length, 100.0 * first_word_accuracy(model, src));
}

// Trains one model on all lengths up to longest_trained, and measures it before and after.
void run_mixed(Context context, std::uint64_t seed, const Plan& plan, Curves& curves) {
  autograd::manual_seed(seed);
  autograd::Generator random(seed);
  FirstWordModel model({.context = context, .words = words});
  measure_norms(model, plan, random, curves.norm_before, curves.transmitted_before);
  const std::string what = fmt::format("{}, seed {}, all lengths", name(context), seed);
  train_first_word(model, 2, plan.longest_trained, plan.steps, what, random);
  if (stop_wanted()) return;
  measure_norms(model, plan, random, curves.norm_after, curves.transmitted_after);
  for (const std::int64_t length : plan.lengths) measure_accuracy(model, plan, length, random, curves.accuracy);
}

// Trains a new model for each length, on this length alone.
void run_single_lengths(Context context, std::uint64_t seed, const Plan& plan, Curves& curves) {
  for (const std::int64_t length : plan.single_lengths) {
    autograd::manual_seed(seed);
    autograd::Generator random(seed);
    FirstWordModel model({.context = context, .words = words});
    const std::string what = fmt::format("{}, seed {}, length {}", name(context), seed, length);
    train_first_word(model, length, length, plan.steps, what, random);
    if (stop_wanted()) return;
    measure_accuracy(model, plan, length, random, curves.learnt);
  }
}

// ---- what was found ----------------------------------------------------------------------------------------------

using AllCurves = std::map<Context, Curves>;

// Returns the slope of ln norm against length, or against its logarithm. Starts at length 4, where the way is long
// enough to count.
double norm_slope(const Line& line, bool against_logarithm) {
  std::vector<double> x, y;
  for (const auto& [length, norm] : line.points) {
    if (length < 4.0 || !(norm.mean() > 0.0)) continue;
    x.push_back(against_logarithm ? std::log(length) : length);
    y.push_back(std::log(norm.mean()));
  }
  return slope(x, y);
}

std::string finding_norms(const AllCurves& all) {
  std::vector<std::string> parts;
  for (const auto& [context, curves] : all) {
    const bool is_attention = context == Context::attention;
    const double number = norm_slope(curves.norm_before, is_attention);
    if (std::isnan(number)) continue;
    parts.push_back(is_attention
                        ? fmt::format("with {} it goes with the length to the power of {:.2f}", name(context), number)
                        : fmt::format("{}: a factor of {:.2f} per word", name(context), std::exp(number)));
  }
  return parts.empty() ? "" : fmt::format("Before training, |dL/dh_1| falls with the length: {}.", listed(parts));
}

// Says which lengths can be learnt from sentences of that length alone.
std::string finding_learnt(const AllCurves& all, const Plan& plan) {
  constexpr double enough = 90.0;
  std::vector<std::string> parts;
  for (const auto& [context, curves] : all) {
    std::vector<std::string> failed;
    for (const auto& [length, right] : curves.learnt.points) {
      if (right.mean() < enough) failed.push_back(fmt::format("{} ({:.0f} %)", length, right.mean()));
    }
    if (curves.learnt.points.empty()) continue;
    parts.push_back(failed.empty() ? fmt::format("{} learns all lengths", name(context))
                                   : fmt::format("{} stays below {:g} % at {}", name(context), enough, listed(failed)));
  }
  if (parts.empty()) return "";
  return fmt::format("Trained for {} updates on sentences of one length only: {}. A guess is right in {:.0f} %.",
                     plan.steps, fmt::join(parts, "; "), 100.0 / static_cast<double>(words));
}

// ---- the report --------------------------------------------------------------------------------------------------

std::string in_powers(const Measured& number) {
  return number.values.empty() ? "–" : fmt::format("{:.1e}", number.mean());
}

std::string in_percents(const Measured& number) {
  return number.text();
}

using Quantity = Line Curves::*;

// Returns some quantities of all contexts, each with an addition to its name.
std::vector<Line> lines_of(const AllCurves& all, const std::vector<std::pair<Quantity, std::string>>& quantities) {
  std::vector<Line> lines;
  for (const auto& [context, curves] : all) {
    for (const auto& [quantity, addition] : quantities) {
      lines.push_back({std::string(name(context)) + addition, (curves.*quantity).points});
    }
  }
  return lines;
}

void add_to(Report& report, const AllCurves& all, const Plan& plan) {
  report.picture("norm",
                 line_chart(lines_of(all, {{&Curves::norm_before, ""}}),
                            {.title = "The gradient at the first word, before training",
                             .x_axis = "length of the sentence",
                             .y_axis = "|dL/dh_1|",
                             .y_logarithmic = true}),
                 "The norm of the gradient of the last step's loss with regard to the encoder's first state, at "
                 "initialisation.");
  report.picture("transmitted",
                 line_chart(lines_of(all, {{&Curves::transmitted_after, ""}}),
                            {.title = "What arrives at the first word, after training",
                             .x_axis = "length of the sentence",
                             .y_axis = "|dL/dh_1| / |dL/dlogits|",
                             .y_logarithmic = true}),
                 "The same after training, divided by the error at the output: a trained model has a small loss, and "
                 "with it a small gradient whatever the way is like.");
  report.picture(
      "learnt",
      line_chart(lines_of(all, {{&Curves::learnt, ""}}), {.title = "Learning the first word of sentences of one length",
                                                          .x_axis = "length of the sentences in training and test",
                                                          .y_axis = "right answers, %",
                                                          .y_from_zero = true}),
      "Accuracy after training on one length only.");
  report.table(table_of("|dL/dh_1| by length, before training and after it", "length",
                        lines_of(all, {{&Curves::norm_before, ", before"}, {&Curves::norm_after, ", after"}}),
                        in_powers));
  report.table(table_of(
      "|dL/dh_1| / |dL/dlogits|, before training and after it", "length",
      lines_of(all, {{&Curves::transmitted_before, ", before"}, {&Curves::transmitted_after, ", after"}}), in_powers));
  report.table(table_of("Right answers, %, of models trained on one length only", "length",
                        lines_of(all, {{&Curves::learnt, ""}}), in_percents));
  report.table(
      table_of(fmt::format("Right answers, %, of models trained on lengths from 2 to {}", plan.longest_trained),
               "length", lines_of(all, {{&Curves::accuracy, ""}}), in_percents));
}

}  // namespace

Report run_gradient_flow(const ExperimentOptions& options) {
  const Plan plan = plan_of(options);
  AllCurves all;
  for (const std::uint64_t seed : seeds_of(options)) {
    for (const Context context : all_contexts) {
      if (!stop_wanted()) run_mixed(context, seed, plan, all[context]);
      if (!stop_wanted()) run_single_lengths(context, seed, plan, all[context]);
    }
  }
  Report report("Gradient flow: how far the error of the last word reaches back");
  report.paragraph(
      "A model reads S words, makes S steps of a decoder, and has to name the first word. The loss of the last step is "
      "differentiated with regard to h_1, the encoder's state after the first word. Without attention the gradient has "
      "to come back through all states of the decoder (state only), or through those of the encoder (fixed context, "
      "handed to every step). With attention the last step looks at h_1 itself.");
  report.findings({finding_norms(all), finding_learnt(all, plan)});
  add_to(report, all, plan);
  report.settings = {
      {"model", fmt::format("GRU encoder and decoder, 32 units, {} words, float64; first_word_model.h", words)},
      {"training", fmt::format("{} updates, batch {}, Adam {}, gradient clipped to {}", plan.steps, sentences_per_batch,
                               learning_rate, largest_gradient)},
      {"data", "random words, with and without --data"},
      {"seeds", fmt::format("{}", fmt::join(seeds_of(options), ", "))}};
  return report;
}

}  // namespace translate
