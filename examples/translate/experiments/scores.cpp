#include "examples/translate/experiments/scores.h"

#include <fmt/format.h>
#include <nn/pictures/line_chart.h>

#include <cmath>
#include <map>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"
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
    table.columns.push_back(kind + ", ms per source");
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

std::string finding_cost(const Costs& costs, const std::string& size_name) {
  if (costs.size() < 2) return "";
  const auto& additive = costs.at(kinds()[0]);
  const auto& dot = costs.at(kinds()[1]);
  const auto ratio = [&](std::int64_t size) {
    const auto found = dot.find(size);
    return found == dot.end() ? not_measured : additive.at(size).step_seconds / found->second.step_seconds;
  };
  const std::int64_t smallest = additive.begin()->first;
  const std::int64_t largest = additive.rbegin()->first;
  const double last = ratio(largest);
  const std::string verdict = last > 1.3    ? "additive attention takes longer"
                              : last < 0.77 ? "scaled dot-product attention takes longer"
                                            : "the two take about the same time";
  return fmt::format(
      "Against {}: at {} a step of additive attention takes {:.1f} times that of scaled dot-product attention, at {} "
      "{:.1f} "
      "times: {} where the sizes are large. The time grows about with the power {:.1f} of the size (additive) and "
      "{:.1f} "
      "(scaled dot).",
      size_name, smallest, ratio(smallest), largest, last, verdict, power_of(additive), power_of(dot));
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
  ReportTable table{
      .caption = "Trained alike",
      .columns = {"attention and units", "exact %", "BLEU", "AER %", "AER must look %", "entropy", "parameters"}};
  for (const CandidateResult& result : results) {
    const auto cell = [&](double Measures::*measure, int digits) {
      return measured(result, LengthGroup::all, measure).text(digits);
    };
    table.rows.push_back({result.candidate.label, cell(&Measures::exact_match, 1), cell(&Measures::bleu, 1),
                          cell(&Measures::alignment_error_rate, 1), cell(&Measures::alignment_error_rate_must_look, 1),
                          cell(&Measures::entropy, 2),
                          fmt::format("{}", result.trained.front().model.model->num_parameters())});
  }
  return table;
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
      "multiplies it "
      "with v. A dot product needs as many multiplications and nothing else; it is one matrix product.");
  out.report.heading("What was found");
  for (const std::string& text : {finding_cost(by_source, "the length of the source"),
                                  finding_cost(by_dim, "the size of the vectors"), finding_quality(setting, done)}) {
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
  if (!done.empty()) out.report.table(quality_table(done));
  out.setting("cost", "processor time of a step alone, forward and backward, the least of several measurements");
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
