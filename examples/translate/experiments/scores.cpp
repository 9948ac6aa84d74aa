#include <fmt/ranges.h>
#include <nn/attention/attention_kinds.h>

#include <algorithm>
#include <cmath>

#include "examples/translate/experiments/figures.h"
#include "examples/translate/training/progress.h"
#include "examples/translate/training/stop_signal.h"

namespace translate {
namespace {

const std::vector<std::string> compared_kinds = {"additive", "scaled_dot"};

// ---- the time of one step ----------------------------------------------------------------------------------------

struct StepSizes {
  std::int64_t batch = 32;
  std::int64_t source = 20;
  std::int64_t dim = 128;  // of state, encoder outputs and attention alike
};

struct CostPlan {
  std::vector<std::int64_t> sources = {5, 10, 20, 40, 80, 160};
  std::vector<std::int64_t> dims = {32, 64, 128, 256, 512};
  StepSizes fixed = {};
  int repeats = 9;
};

// Returns the processor time of reading a source and making some steps over it, with all gradients.
double seconds_of_steps(const nn::AttentionMechanism& attention, const Tensor& encoder_outputs, const Tensor& query,
                        int steps) {
  const double start = processor_seconds();
  const nn::AttentionSource source = attention.read_source(encoder_outputs);
  nn::AttentionMemory memory;
  Tensor sum = autograd::zeros({});
  for (int step = 0; step < steps; ++step) sum = sum + attention(query, source, memory).context.sum();
  sum.backward({.release_graph = true});
  return processor_seconds() - start;
}

// In milliseconds, the least of several measurements.
struct StepCost {
  double step = 0.0;    // scores, weights, context and their derivatives
  double source = 0.0;  // what is computed from the source once per batch, and its derivatives
};

// Measures two numbers of steps: the slope is the cost of a step, the rest that of the source.
StepCost measure_step_cost(const std::string& kind, const StepSizes& sizes, int repeats) {
  constexpr int few_steps = 2;
  constexpr int many_steps = 10;
  autograd::manual_seed(1);
  const auto attention = nn::make_attention(kind, {.decoder_dim = sizes.dim, .encoder_dim = sizes.dim});
  const Tensor encoder_outputs = autograd::randn({sizes.batch, sizes.source, sizes.dim}).requires_grad_();
  const Tensor query = autograd::randn({sizes.batch, sizes.dim}).requires_grad_();
  double few = seconds_of_steps(*attention, encoder_outputs, query, few_steps);  // warms up memory and caches too
  double many = seconds_of_steps(*attention, encoder_outputs, query, many_steps);
  for (int i = 0; i < repeats; ++i) {
    few = std::min(few, seconds_of_steps(*attention, encoder_outputs, query, few_steps));
    many = std::min(many, seconds_of_steps(*attention, encoder_outputs, query, many_steps));
  }
  const double step = std::max(0.0, many - few) / (many_steps - few_steps);
  return {.step = 1000.0 * step, .source = 1000.0 * std::max(0.0, few - few_steps * step)};
}

// The costs of both kinds, by size.
struct Costs {
  std::vector<Line> steps = {{"additive"}, {"scaled_dot"}};
  std::vector<Line> sources = steps;
};

Costs measure_costs(const std::vector<std::int64_t>& sizes, std::int64_t StepSizes::*size, const CostPlan& plan) {
  Costs costs;
  for (const std::int64_t one : sizes) {
    for (std::size_t kind = 0; kind < compared_kinds.size(); ++kind) {
      if (stop_wanted()) return costs;
      show_progress(fmt::format("cost of {} at size {}", compared_kinds[kind], one));
      StepSizes step = plan.fixed;
      step.*size = one;
      const StepCost cost = measure_step_cost(compared_kinds[kind], step, plan.repeats);
      costs.steps[kind].points[static_cast<double>(one)] = {{cost.step}};
      costs.sources[kind].points[static_cast<double>(one)] = {{cost.source}};
    }
  }
  return costs;
}

std::string in_milliseconds(const Measured& number) {
  return number.text(3);
}

ReportTable cost_table(const Costs& costs, const std::string& caption, const std::string& size) {
  std::vector<Line> lines;
  for (std::size_t kind = 0; kind < compared_kinds.size(); ++kind) {
    lines.push_back({compared_kinds[kind] + ", ms per step", costs.steps[kind].points});
    lines.push_back({compared_kinds[kind] + ", ms per batch of sources", costs.sources[kind].points});
  }
  lines.push_back({"ratio of the steps"});
  for (const auto& [place, dot] : costs.steps[1].points) {
    lines.back().points[place] = {{costs.steps[0].points.at(place).mean() / dot.mean()}};
  }
  return table_of(caption, size, lines, in_milliseconds);
}

std::string cost_picture(const Costs& costs, const std::string& title, const std::string& axis) {
  return line_chart(costs.steps, {.title = title,
                                  .x_axis = axis,
                                  .y_axis = "ms per step, forward and backward",
                                  .x_logarithmic = true,
                                  .y_logarithmic = true});
}

// Compares the costs at the smallest and the largest size. `what` names the things that the size counts.
std::string finding_cost(const Costs& costs, const std::string& what) {
  const auto& dot = costs.steps[1].points;
  if (dot.empty()) return "";
  const auto ratio = [&](double size) {
    return number_text(costs.steps[0].points.at(size).mean() / dot.at(size).mean(), 1);
  };
  return fmt::format(
      "With {} {} a step of additive attention takes {} times as long as one of scaled dot-product attention, with "
      "{}, {} times.",
      dot.begin()->first, what, ratio(dot.begin()->first), dot.rbegin()->first, ratio(dot.rbegin()->first));
}

// ---- quality -----------------------------------------------------------------------------------------------------

std::vector<std::int64_t> trained_dims(const ExperimentOptions& options, const Setting& setting) {
  if (options.quick) return {8};
  if (!setting.is_artificial()) return {setting.model.dim};
  return {16, 32, 64};
}

// Returns both kinds at each size, one after the other.
std::vector<Candidate> sized_candidates(const Setting& setting, const std::vector<std::int64_t>& dims) {
  std::vector<Candidate> candidates;
  for (const std::int64_t dim : dims) {
    for (const std::string& kind : compared_kinds) {
      candidates.push_back(candidate(setting, fmt::format("{} {}", kind, dim), kind));
      candidates.back().model.dim = dim;
    }
  }
  return candidates;
}

std::string finding_sizes(const Setting& setting, const std::vector<CandidateResult>& results) {
  const Column& quality = quality_column(setting);
  const Differences differences =
      setting.is_artificial() ? Differences{.large = 4.0, .unit = "points of exact match"} : differences_in_bleu;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i + 1 < results.size(); i += 2) {
    parts.push_back(fmt::format("With {} units, {}.", results[i].candidate.model.dim,
                                compare("additive", quality.number(results[i]), "scaled dot-product",
                                        quality.number(results[i + 1]), differences)));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace

Report run_scores(const ExperimentOptions& options) {
  CostPlan plan;
  if (options.quick) plan = {{2, 4}, {4, 8}, {.batch = 2, .source = 3, .dim = 4}, 1};
  const Costs by_source = measure_costs(plan.sources, &StepSizes::source, plan);
  const Costs by_dim = measure_costs(plan.dims, &StepSizes::dim, plan);
  const Setting setting = setting_of(options);
  const std::vector<std::int64_t> dims = trained_dims(options, setting);
  const std::vector<CandidateResult> done = train_and_test(options, setting, sized_candidates(setting, dims));
  Report report("Additive against scaled dot-product attention");
  report.settings = settings_of(setting, done);
  report.settings.emplace_back("units", fmt::format("{}", fmt::join(dims, ", ")));
  report.settings.emplace_back("cost", "processor time of a step, forward and backward, the least of several times");
  report.paragraph(
      "Additive attention makes a vector of A numbers for each source word at each step, takes its tanh, and "
      "multiplies it with v. A dot product needs as many multiplications and nothing else; it is one matrix product. "
      "What additive attention makes of the source only once, W h, is measured apart.");
  report.findings({finding_cost(by_source, "source words"), finding_cost(by_dim, "numbers per vector"),
                   finding_sizes(setting, done)});
  const StepSizes& fixed = plan.fixed;
  report.table(
      cost_table(by_source, fmt::format("One step, batch {}, vectors of {}", fixed.batch, fixed.dim), "source words"));
  report.table(
      cost_table(by_dim, fmt::format("One step, batch {}, {} source words", fixed.batch, fixed.source), "size"));
  report.picture("cost-by-length",
                 cost_picture(by_source, "Time of one step against the length of the source", "source words"),
                 "Both axes are logarithmic: a straight line is a power.");
  report.picture("cost-by-size", cost_picture(by_dim, "Time of one step against the size of the vectors", "size"),
                 "Both axes are logarithmic.");
  if (done.empty()) return report;
  report.table(table_of(
      "Trained alike", "attention and units", done,
      {columns::exact, columns::bleu, columns::error_rate, columns::must_look, columns::entropy, columns::parameters}));
  add_quality_picture(report, setting, done);
  return report;
}

}  // namespace translate
