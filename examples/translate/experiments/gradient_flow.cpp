#include "examples/translate/experiments/gradient_flow.h"

#include <fmt/format.h>
#include <nn/pictures/line_chart.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/translate/experiments/experiment_report.h"
#include "examples/translate/experiments/first_word_model.h"
#include "examples/translate/experiments/measured.h"
#include "examples/translate/stop_signal.h"

namespace translate {

namespace {

constexpr std::int64_t words = 16;
constexpr std::int64_t sentences_per_batch = 32;
constexpr double learning_rate = 5e-3;
constexpr double largest_gradient = 1.0;

struct Plan {
  std::vector<std::int64_t> lengths = {1, 2, 4, 8, 12, 16, 20, 30, 40, 60};  // measured
  std::int64_t longest_trained = 20;  // of the mixed training; longer sentences are new to the model
  std::vector<std::int64_t> single_lengths = {5, 10, 20, 30, 40};  // trained on one length only
  std::int64_t steps = 400;
  std::int64_t tested = 200;  // sentences
};

Plan plan_of(const ExperimentOptions& options) {
  Plan plan;
  if (options.quick) plan = {{1, 2, 4, 6}, 4, {3, 5}, 5, 20};
  plan.steps = options.steps.value_or(plan.steps);
  return plan;
}

// Of one kind of context; a value for each seed, by length.
struct Curves {
  std::map<std::int64_t, Measured> norm_before;         // |dL/dh_1| at initialisation
  std::map<std::int64_t, Measured> norm_after;          // and after training
  std::map<std::int64_t, Measured> transmitted_before;  // divided by |dL/dlogits|
  std::map<std::int64_t, Measured> transmitted_after;
  std::map<std::int64_t, Measured> accuracy;          // after training on mixed lengths, percent
  std::map<std::int64_t, Measured> learnt_at_length;  // after training on this length alone, percent
};

void train(FirstWordModel& model, std::int64_t shortest, std::int64_t longest, std::int64_t steps,
           const std::string& what, autograd::Generator& random) {
  nn::Adam optimizer(model.parameters(), {.lr = learning_rate});
  for (std::int64_t step = 1; step <= steps && StopSignal::received() == 0; ++step) {
    const Tensor src = random_words(sentences_per_batch, random.integer(shortest, longest + 1), words, random);
    optimizer.zero_grad();
    const Tensor loss = autograd::cross_entropy(model(src).logits, src.select(1, 0));
    loss.backward({.release_graph = true});
    nn::clip_grad_norm_(model.parameters(), largest_gradient);
    optimizer.step();
    if (step % 100 == 0) show_progress(fmt::format("{}: step {}/{}, loss {:.3f}", what, step, steps, loss.item()));
  }
}

void measure_norms(const FirstWordModel& model, const Plan& plan, autograd::Generator& random,
                   std::map<std::int64_t, Measured>& norm, std::map<std::int64_t, Measured>& transmitted) {
  for (const std::int64_t length : plan.lengths) {
    const GradientNorms norms = gradient_norms(model, random_words(sentences_per_batch, length, words, random));
    norm[length].values.push_back(norms.at_first_state);
    transmitted[length].values.push_back(norms.transmitted());
  }
}

double accuracy_percent(const FirstWordModel& model, std::int64_t length, const Plan& plan,
                        autograd::Generator& random) {
  return 100.0 * first_word_accuracy(model, random_words(plan.tested, length, words, random));
}

// One model trained on all lengths up to longest_trained, measured before and after.
void run_mixed(Context context, std::uint64_t seed, const Plan& plan, Curves& curves) {
  autograd::manual_seed(seed);
  autograd::Generator random(seed);
  FirstWordModel model({.context = context, .words = words});
  measure_norms(model, plan, random, curves.norm_before, curves.transmitted_before);
  train(model, 2, plan.longest_trained, plan.steps, fmt::format("{}, seed {}, all lengths", name(context), seed),
        random);
  if (StopSignal::received() != 0) return;
  measure_norms(model, plan, random, curves.norm_after, curves.transmitted_after);
  for (const std::int64_t length : plan.lengths) {
    curves.accuracy[length].values.push_back(accuracy_percent(model, length, plan, random));
  }
}

// A new model for each length, which sees no other.
void run_single_lengths(Context context, std::uint64_t seed, const Plan& plan, Curves& curves) {
  for (const std::int64_t length : plan.single_lengths) {
    autograd::manual_seed(seed);
    autograd::Generator random(seed);
    FirstWordModel model({.context = context, .words = words});
    train(model, length, length, plan.steps, fmt::format("{}, seed {}, length {}", name(context), seed, length),
          random);
    if (StopSignal::received() != 0) return;
    curves.learnt_at_length[length].values.push_back(accuracy_percent(model, length, plan, random));
  }
}

nn::ChartSeries series(std::string_view label, const std::map<std::int64_t, Measured>& by_length) {
  nn::ChartSeries result{.name = std::string(label), .markers = true};
  for (const auto& [length, measured] : by_length) {
    result.x.push_back(static_cast<double>(length));
    result.y.push_back(measured.mean());
  }
  return result;
}

using AllCurves = std::map<Context, Curves>;
using Quantity = std::map<std::int64_t, Measured> Curves::*;

std::string chart(const AllCurves& all, Quantity quantity, const nn::LineChartOptions& options) {
  std::vector<nn::ChartSeries> lines;
  for (const auto& [context, curves] : all) lines.push_back(series(name(context), curves.*quantity));
  return nn::line_chart_svg(lines, options);
}

// By what factor the norm falls with every further word: exp of the slope of ln norm against length, over the lengths
// from 4 up, where the way is long enough to count.
double factor_per_word(const std::map<std::int64_t, Measured>& by_length) {
  std::vector<double> x, y;
  for (const auto& [length, measured] : by_length) {
    if (length < 4 || !(measured.mean() > 0.0)) continue;
    x.push_back(static_cast<double>(length));
    y.push_back(std::log(measured.mean()));
  }
  return std::exp(slope(x, y));
}

std::string at(const std::map<std::int64_t, Measured>& by_length, std::int64_t length, const char* form) {
  const auto place = by_length.find(length);
  if (place == by_length.end() || place->second.values.empty()) return "–";
  return fmt::format(fmt::runtime(form), place->second.mean());
}

// ---- what was found, in words ------------------------------------------------------------------------------------

std::string finding_before(const AllCurves& all, const Plan& plan) {
  std::vector<std::string> parts;
  for (const auto& [context, curves] : all) {
    parts.push_back(fmt::format("{}: {} at length {}, {} at length {}, a factor of {:.2f} per word", name(context),
                                at(curves.norm_before, plan.lengths.front(), "{:.1e}"), plan.lengths.front(),
                                at(curves.norm_before, plan.lengths.back(), "{:.1e}"), plan.lengths.back(),
                                factor_per_word(curves.norm_before)));
  }
  std::string text = "Before training, |dL/dh_1| is, ";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? "; " : "") + parts[i];
  return text + ".";
}

// Does the norm of attention fall like 1/S? It does if norm * S is about constant.
std::string finding_attention_share(const AllCurves& all, const Plan& plan) {
  const auto attention = all.find(Context::attention);
  if (attention == all.end()) return "";
  std::vector<double> x, y;
  for (const auto& [length, measured] : attention->second.norm_before) {
    if (length < 4) continue;
    x.push_back(std::log(static_cast<double>(length)));
    y.push_back(std::log(measured.mean()));
  }
  const double power = slope(x, y);
  if (std::isnan(power)) return "";
  const bool is_share = std::abs(power + 1.0) < 0.25;
  return fmt::format(
      " With attention it goes with length to the power of {:.2f}{}: a gradient that falls with a power of the length "
      "and "
      "not by a factor per word is still there at length {}.",
      power, is_share ? ", about as 1/S, the weight that an untrained attention has for each of S words" : "",
      plan.lengths.back());
}

std::string finding_after(const AllCurves& all, const Plan& plan) {
  std::vector<std::string> parts;
  for (const auto& [context, curves] : all) {
    const std::string before = at(curves.transmitted_before, plan.longest_trained, "{:.1e}");
    const std::string after = at(curves.transmitted_after, plan.longest_trained, "{:.2g}");
    if (after == "–") continue;
    parts.push_back(fmt::format("{} {} before and {} after", name(context), before, after));
  }
  if (parts.empty()) return "";
  return fmt::format(
      "A trained model has a small loss, and with it a small gradient whatever the way is like. So the second picture "
      "divides by |dL/dlogits|, the error at the output. At length {} the share of it that arrives at h_1 is: {}. "
      "Where it has grown, training has taught the GRU to hand on what it keeps (an update gate near 1 does that): the "
      "way is long only as long as that is still to be learnt.",
      plan.longest_trained, listed(parts));
}

std::string finding_learning(const AllCurves& all, const Plan& plan) {
  constexpr double learnt = 90.0;
  std::vector<std::string> parts;
  for (const auto& [context, curves] : all) {
    std::vector<std::string> lengths_failed;
    std::int64_t tried = 0;
    for (const auto& [length, measured] : curves.learnt_at_length) {
      ++tried;
      if (measured.mean() < learnt) lengths_failed.push_back(fmt::format("{} ({:.0f} %)", length, measured.mean()));
    }
    if (tried == 0) continue;
    parts.push_back(lengths_failed.empty() ? fmt::format("{} learns every length that was tried", name(context))
                                           : fmt::format("{} stays below {:.0f} % at length {}", name(context), learnt,
                                                         listed(lengths_failed)));
  }
  if (parts.empty()) return "";
  std::string text = fmt::format("Trained for {} updates on sentences of one length only, ", plan.steps);
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? "; " : "") + parts[i];
  return text + fmt::format(" (a guess is right in {:.0f} %).", 100.0 / static_cast<double>(words));
}

// Is there a model that learns sentences of longest_trained words together with shorter ones and not without?
bool has_help_from_short_ones(const AllCurves& all, const Plan& plan) {
  return std::any_of(all.begin(), all.end(), [&plan](const auto& entry) {
    const auto mixed = entry.second.accuracy.find(plan.longest_trained);
    const auto alone = entry.second.learnt_at_length.find(plan.longest_trained);
    if (mixed == entry.second.accuracy.end() || alone == entry.second.learnt_at_length.end()) return false;
    return mixed->second.mean() > alone->second.mean() + 30.0;
  });
}

std::string finding_mixed(const AllCurves& all, const Plan& plan) {
  std::vector<std::string> parts;
  for (const auto& [context, curves] : all) {
    const std::string trained = at(curves.accuracy, plan.longest_trained, "{:.0f}");
    const std::string longest = at(curves.accuracy, plan.lengths.back(), "{:.0f}");
    if (trained == "–") continue;
    parts.push_back(fmt::format("{} {} % at length {} and {} % at length {}", name(context), trained,
                                plan.longest_trained, longest, plan.lengths.back()));
  }
  if (parts.empty()) return "";
  std::string text = fmt::format("Trained on lengths from 2 to {} mixed, they get the first word right in: {}.",
                                 plan.longest_trained, listed(parts));
  if (has_help_from_short_ones(all, plan)) {
    text +=
        " What could not be learnt from long sentences alone was learnt with short ones among them, whose gradient "
        "arrives.";
  }
  return text;
}

// ---- the report ----------------------------------------------------------------------------------------------------

ReportTable norms_table(const AllCurves& all, const Plan& plan) {
  ReportTable table{.caption = "|dL/dh_1| by length, before training and after it", .columns = {"length"}};
  for (const auto& entry : all) {
    const std::string label(name(entry.first));
    table.columns.insert(table.columns.end(), {label + ", before", label + ", after"});
  }
  for (const std::int64_t length : plan.lengths) {
    std::vector<std::string> row{fmt::format("{}", length)};
    for (const auto& entry : all) {
      row.push_back(at(entry.second.norm_before, length, "{:.1e}"));
      row.push_back(at(entry.second.norm_after, length, "{:.1e}"));
    }
    table.rows.push_back(row);
  }
  return table;
}

ReportTable answers_table(const AllCurves& all, const std::vector<std::int64_t>& lengths, Quantity quantity,
                          const std::string& caption) {
  ReportTable table{.caption = caption, .columns = {"length"}};
  for (const auto& entry : all) table.columns.emplace_back(name(entry.first));
  for (const std::int64_t length : lengths) {
    std::vector<std::string> row{fmt::format("{}", length)};
    for (const auto& entry : all) {
      const std::map<std::int64_t, Measured>& by_length = entry.second.*quantity;
      const auto place = by_length.find(length);
      row.push_back(place == by_length.end() ? "–" : place->second.text());
    }
    table.rows.push_back(row);
  }
  return table;
}

void add_pictures(ExperimentReport& out, const AllCurves& all) {
  out.picture("norm",
              chart(all, &Curves::norm_before,
                    {.title = "The gradient at the first word, before training",
                     .x_axis = "length of the sentence",
                     .y_axis = "|dL/dh_1|",
                     .y_logarithmic = true}),
              "The norm of the gradient of the last step's loss with regard to the encoder's first state, at "
              "initialisation.");
  out.picture("transmitted",
              chart(all, &Curves::transmitted_after,
                    {.title = "What arrives at the first word, after training",
                     .x_axis = "length of the sentence",
                     .y_axis = "|dL/dh_1| / |dL/dlogits|",
                     .y_logarithmic = true}),
              "The same after training, divided by the error at the output.");
  out.picture("learnt",
              chart(all, &Curves::learnt_at_length,
                    {.title = "Learning the first word of sentences of one length",
                     .x_axis = "length of the sentences in training and test",
                     .y_axis = "right answers, %",
                     .y_from_zero = true}),
              "Accuracy after training on one length only.");
}

}  // namespace

void run_gradient_flow(const ExperimentOptions& options) {
  const Plan plan = plan_of(options);
  AllCurves all;
  for (const std::uint64_t seed : seeds_of(options)) {
    for (const Context context : all_contexts) {
      if (StopSignal::received() == 0) run_mixed(context, seed, plan, all[context]);
    }
    for (const Context context : all_contexts) {
      if (StopSignal::received() == 0) run_single_lengths(context, seed, plan, all[context]);
    }
  }
  end_progress();
  ExperimentReport out("gradient-flow", "Gradient flow: how far the error of the last word reaches back", options);
  out.note_if_stopped("The same command begins anew: these models are small, and none is kept.");
  out.report.paragraph(
      "A model reads S words, makes S steps of a decoder, and has to name the first word. The loss of the last step is "
      "differentiated with regard to h_1, the encoder's state after the first word. Without attention the gradient has "
      "to "
      "come back through all states of the decoder (state only), or through those of the encoder (fixed context, "
      "handed to "
      "every step). With attention the last step looks at h_1 itself.");
  out.report.heading("What was found");
  out.report.paragraph(finding_before(all, plan) + finding_attention_share(all, plan));
  for (const std::string& text : {finding_after(all, plan), finding_learning(all, plan), finding_mixed(all, plan)}) {
    if (!text.empty()) out.report.paragraph(text);
  }
  add_pictures(out, all);
  out.report.table(norms_table(all, plan));
  out.report.table(answers_table(all, plan.single_lengths, &Curves::learnt_at_length,
                                 "Right answers, %, of models trained on one length only"));
  out.report.table(
      answers_table(all, plan.lengths, &Curves::accuracy,
                    fmt::format("Right answers, %, of models trained on lengths from 2 to {}", plan.longest_trained)));
  out.setting("model", fmt::format("GRU encoder and decoder, 32 units, {} words, float64; first_word_model.h", words));
  out.setting("training", fmt::format("{} updates, batch {}, Adam {}, gradient clipped to {}", plan.steps,
                                      sentences_per_batch, learning_rate, largest_gradient));
  std::vector<std::string> seeds;
  for (const std::uint64_t seed : seeds_of(options)) seeds.push_back(fmt::format("{}", seed));
  out.setting("data", "random words, with and without --data");
  out.setting("seeds", listed(seeds));
  out.finish();
}

}  // namespace translate
