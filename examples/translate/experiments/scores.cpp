#include "examples/translate/experiments/scores.h"

#include <fmt/format.h>
#include <nn/pictures/bar_chart.h>
#include <nn/pictures/line_chart.h>

#include <cmath>
#include <map>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"
#include "examples/translate/experiments/side_by_side.h"
#include "examples/translate/experiments/step_cost.h"
#include "examples/translate/stop_signal.h"

namespace translate {

namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> both = {"additive", "scaled_dot"};
  return both;
}

// ---- cost --------------------------------------------------------------------------------------------------------

struct CostPlan {
  std::vector<std::int64_t> sources = {5, 10, 20, 40, 80, 160};
  std::vector<std::int64_t> dims = {32, 64, 128, 256, 512};
  StepSizes fixed = {};
  int repeats = 9;
};

using Costs = std::map<std::string, std::map<std::int64_t, StepCost>>;  // by kind, by size

Costs measure_costs(const std::vector<std::int64_t>& sizes, std::int64_t StepSizes::*size, const CostPlan& plan) {
  Costs costs;
  for (const std::int64_t one : sizes) {
    for (const std::string& kind : kinds()) {
      if (StopSignal::received() != 0) return costs;
      show_progress(fmt::format("cost of {} at size {}", kind, one));
      StepSizes step = plan.fixed;
      step.*size = one;
      costs[kind][one] = measure_step_cost(kind, step, plan.repeats);
    }
  }
  end_progress();
  return costs;
}

std::string cost_picture(const Costs& costs, const std::string& title, const std::string& axis) {
  std::vector<nn::ChartSeries> lines;
  for (const auto& [kind, by_size] : costs) {
    nn::ChartSeries line{.name = kind, .markers = true};
    for (const auto& [size, cost] : by_size) {
      line.x.push_back(static_cast<double>(size));
      line.y.push_back(1000.0 * cost.step_seconds);
    }
    lines.push_back(line);
  }
  return nn::line_chart_svg(lines, {.title = title,
                                    .x_axis = axis,
                                    .y_axis = "ms per step, forward and backward",
                                    .x_logarithmic = true,
                                    .y_logarithmic = true});
}

ReportTable cost_table(const Costs& costs, const std::string& caption, const std::string& size_name) {
  ReportTable table{.caption = caption, .columns = {size_name}};
  for (const std::string& kind : kinds()) {
    table.columns.push_back(kind + ", ms per step");
    table.columns.push_back(kind + ", ms per batch of sources");
  }
  table.columns.emplace_back("ratio of the steps");
  if (costs.size() < 2) return table;
  for (const auto& [size, additive] : costs.at(kinds()[0])) {
    const auto dot = costs.at(kinds()[1]).find(size);
    if (dot == costs.at(kinds()[1]).end()) continue;
    table.rows.push_back({fmt::format("{}", size), fmt::format("{:.3f}", 1000.0 * additive.step_seconds),
                          fmt::format("{:.3f}", 1000.0 * additive.source_seconds),
                          fmt::format("{:.3f}", 1000.0 * dot->second.step_seconds),
                          fmt::format("{:.3f}", 1000.0 * dot->second.source_seconds),
                          fmt::format("{:.1f}", additive.step_seconds / dot->second.step_seconds)});
  }
  return table;
}

// The power of the size that the time goes with, over its larger half, where fixed costs matter less.
double power_of(const std::map<std::int64_t, StepCost>& by_size) {
  std::vector<double> x, y;
  std::size_t number = 0;
  for (const auto& [size, cost] : by_size) {
    if (++number <= by_size.size() / 2 || !(cost.step_seconds > 0.0)) continue;
    x.push_back(std::log(static_cast<double>(size)));
    y.push_back(std::log(cost.step_seconds));
  }
  return slope(x, y);
}

// `what` is what there are so many of, `size` what the time is a power of.
std::string finding_cost(const Costs& costs, const std::string& what, const std::string& size) {
  if (costs.size() < 2) return "";
  const auto& additive = costs.at(kinds()[0]);
  const auto& dot = costs.at(kinds()[1]);
  const auto ratio = [&](std::int64_t number) {
    return additive.at(number).step_seconds / dot.at(number).step_seconds;
  };
  const std::int64_t smallest = dot.begin()->first;
  const std::int64_t largest = dot.rbegin()->first;  // additive was measured before it
  std::string text = fmt::format(
      "With {} {} a step of additive attention takes {:.1f} times as long as one of scaled dot-product attention, with "
      "{}, {:.1f} times.",
      smallest, what, ratio(smallest), largest, ratio(largest));
  const double power = power_of(additive);
  const double power_of_dot = power_of(dot);
  if (std::isnan(power) || std::isnan(power_of_dot)) return text;
  return text + fmt::format(
                    " Where it is large, the time grows with the {} to the power of {:.1f} (additive) and {:.1f} "
                    "(scaled dot-product).",
                    size, power, power_of_dot);
}

// ---- quality -----------------------------------------------------------------------------------------------------

std::vector<Candidate> sized_candidates(const Setting& setting, const std::vector<std::int64_t>& dims) {
  std::vector<Candidate> candidates;
  for (const std::int64_t dim : dims) {
    for (const std::string& kind : kinds()) {
      Candidate one = candidate(setting, fmt::format("{} {}", kind, dim), kind);
      one.model.dim = dim;
      candidates.push_back(one);
    }
  }
  return candidates;
}

std::vector<std::int64_t> trained_dims(const ExperimentOptions& options, const Setting& setting) {
  if (options.quick) return {8};
  if (!setting.is_artificial()) return {setting.model.dim};
  return {16, 32, 64};
}

std::string finding_quality(const Setting& setting, const std::vector<CandidateResult>& results) {
  const bool is_artificial = setting.is_artificial();
  double Measures::*const measure = is_artificial ? &Measures::exact_match : &Measures::bleu;
  const Differences differences = is_artificial
                                      ? Differences{.small = 1.0, .large = 4.0, .unit = "points of exact match"}
                                      : Differences{.small = 0.5, .large = 2.0, .unit = "BLEU"};
  std::string text;
  for (std::size_t i = 0; i + 1 < results.size(); i += 2) {
    text += fmt::format("{}With {} units, {}.", text.empty() ? "" : " ", results[i].candidate.model.dim,
                        compare("additive", measured(results[i], LengthGroup::all, measure), "scaled dot-product",
                                measured(results[i + 1], LengthGroup::all, measure), differences));
  }
  return text;
}

ReportTable quality_table(const std::vector<CandidateResult>& results) {
  ReportTable table = table_of_results("Trained alike", "attention and units", results,
                                       {{"exact %", &Measures::exact_match},
                                        {"BLEU", &Measures::bleu},
                                        {"AER %", &Measures::alignment_error_rate},
                                        {"AER must look %", &Measures::alignment_error_rate_must_look},
                                        {"entropy, nats", &Measures::entropy, 2}});
  std::vector<std::string> parameters;
  for (const CandidateResult& result : results) {
    parameters.push_back(fmt::format("{}", result.trained.front().model.model->num_parameters()));
  }
  add_column(table, "parameters", parameters);
  return table;
}

// Pairs of bars; the results come in pairs too.
std::string quality_picture(const Setting& setting, const std::vector<CandidateResult>& results) {
  double Measures::*const measure = setting.is_artificial() ? &Measures::exact_match : &Measures::bleu;
  std::vector<std::string> sizes;
  std::vector<nn::BarSeries> bars;
  for (const std::string& kind : kinds()) bars.push_back({.name = kind});
  for (std::size_t i = 0; i + 1 < results.size(); i += 2) {
    sizes.push_back(fmt::format("{} units", results[i].candidate.model.dim));
    for (std::size_t kind = 0; kind < kinds().size(); ++kind) {
      const Measured value = measured(results[i + kind], LengthGroup::all, measure);
      bars[kind].values.push_back(value.mean());
      add_error_bar(bars[kind], results[i + kind].trained, value);
    }
  }
  const bool is_artificial = setting.is_artificial();
  return nn::bar_chart_svg(
      sizes, bars,
      {.title = is_artificial ? "Sentences without a mistake" : "Quality", .value_axis = is_artificial ? "%" : "BLEU"});
}

}  // namespace

void run_scores(const ExperimentOptions& options) {
  CostPlan plan;
  if (options.quick) plan = {{2, 4}, {4, 8}, {.batch = 2, .source = 3, .dim = 4}, 1};
  const Costs by_source = measure_costs(plan.sources, &StepSizes::source, plan);
  const Costs by_dim = measure_costs(plan.dims, &StepSizes::dim, plan);
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done =
      with_models(train_and_test(options, setting, sized_candidates(setting, trained_dims(options, setting))));
  ExperimentReport out("scores", "Additive against scaled dot-product attention", options);
  out.note_if_stopped();
  out.report.paragraph(
      "Additive attention makes a vector of A numbers for each source word at each step, takes its tanh, and "
      "multiplies it with v. A dot product needs as many multiplications and nothing else; it is one matrix product. "
      "What additive attention makes of the source only once, W h, is measured apart.");
  out.report.heading("What was found");
  for (const std::string& text : {finding_cost(by_source, "source words", "length"),
                                  finding_cost(by_dim, "numbers per vector", "size"), finding_quality(setting, done)}) {
    if (!text.empty()) out.report.paragraph(text);
  }
  const StepSizes& fixed = plan.fixed;
  out.report.table(
      cost_table(by_source, fmt::format("One step, batch {}, vectors of {}", fixed.batch, fixed.dim), "source words"));
  out.report.table(
      cost_table(by_dim, fmt::format("One step, batch {}, {} source words", fixed.batch, fixed.source), "size"));
  out.picture("cost-by-length",
              cost_picture(by_source, "Time of one step against the length of the source", "source words"),
              "Both axes are logarithmic: a straight line is a power.");
  out.picture("cost-by-size", cost_picture(by_dim, "Time of one step against the size of the vectors", "size"),
              "Both axes are logarithmic.");
  if (!done.empty()) {
    out.report.table(quality_table(done));
    out.picture("quality", quality_picture(setting, done), "The two trained alike, on the test sentences.");
  }
  out.setting("cost", "processor time of a step alone, forward and backward, the least of several measurements");
  std::vector<std::string> units;
  for (const std::int64_t dim : trained_dims(options, setting)) units.push_back(fmt::format("{}", dim));
  out.setting("units", listed(units) + "; all else as below");
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
