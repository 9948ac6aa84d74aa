#include "autograd/debug/nan/nan_origin.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "autograd/debug/finding.h"
#include "autograd/debug/instrument_settings.h"
#include "autograd/debug/recording.h"
#include "autograd/debug/unobserved.h"
#include "autograd/gradcheck/positions.h"
#include "autograd/gradcheck/report.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/node.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/storage.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

// ---- looking at numbers --------------------------------------------------------------------------------------------

template <class T> double largest_of(const T* x, std::int64_t count) {
  T largest = 0;
  bool has_nan = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const T size = std::abs(x[i]);
    has_nan |= size != size;
    largest = size > largest ? size : largest;
  }
  return has_nan ? std::nan("") : static_cast<double>(largest);
}

// The largest |x|; NaN if any element is NaN; 0 for a tensor without floating elements.
double largest_size(const Tensor& x) {
  if (!x.defined() || !is_floating(x.dtype())) return 0.0;
  const Tensor x_ = contiguous(x.detach());
  if (x.dtype() == float32) return largest_of(x_.data_ptr<float>(), x_.numel());
  return largest_of(x_.data_ptr<double>(), x_.numel());
}

struct Bad {
  std::size_t position = 0;  // of the first NaN; without any, of the first infinity
  double value = 0.0;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
};

Bad find_bad(const std::vector<double>& values) {
  Bad bad;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_first_nan = std::isnan(values[i]) && bad.nans++ == 0;
    const bool is_first_infinity = std::isinf(values[i]) && bad.infinities++ == 0 && bad.nans == 0;
    if (!is_first_nan && !is_first_infinity) continue;
    bad.position = i;
    bad.value = values[i];
  }
  return bad;
}

// The element of `operand` that an elementwise op combines into the element `index` of something of `shape`.
std::optional<std::size_t> position_beside(const Shape& operand, const std::vector<std::int64_t>& index,
                                           const Shape& shape) {
  const int added = shape.dim() - operand.dim();
  if (added < 0) return {};
  std::vector<std::int64_t> own;
  for (int dim = 0; dim < operand.dim(); ++dim) {
    if (operand[dim] != 1 && operand[dim] != shape[dim + added]) return {};
    own.push_back(operand[dim] == 1 ? 0 : index[static_cast<std::size_t>(dim + added)]);
  }
  return checker::position_of(own, operand);
}

OperandReport describe_operand(const std::string& name, const Tensor& operand, bool elementwise,
                               const std::vector<std::int64_t>& index, const Shape& shape) {
  OperandReport report;
  const std::string own_name = printable(operand.name());
  report.name = own_name.empty() ? name : name + " " + own_name;
  report.shape = operand.shape();
  const std::vector<double> values = operand.to_vector();
  report.numbers = statistics_of(values);
  if (!elementwise && !(operand.shape() == shape)) return report;
  const std::optional<std::size_t> position = position_beside(operand.shape(), index, shape);
  if (position) report.at_element = values[*position];
  return report;
}

// Are all elements along some dim through this one -inf?
bool is_in_slice_of_minus_infinity(const Tensor& x, const std::vector<std::int64_t>& index) {
  const std::vector<double> values = x.to_vector();
  for (int dim = 0; dim < x.dim(); ++dim) {
    std::vector<std::int64_t> at = index;
    bool all = x.shape()[dim] > 0;
    for (std::int64_t i = 0; all && i < x.shape()[dim]; ++i) {
      at[static_cast<std::size_t>(dim)] = i;
      const double value = values[checker::position_of(at, x.shape())];
      all = std::isinf(value) && value < 0.0;
    }
    if (all) return true;
  }
  return false;
}

// ---- growth --------------------------------------------------------------------------------------------------------

constexpr std::size_t longest_history = 8;

// The largest numbers from call to call, where they grew.
std::vector<double> growth(const std::deque<double>& history) {
  std::vector<double> finite;
  for (const double largest : history) {
    if (std::isfinite(largest)) finite.push_back(largest);
  }
  if (finite.size() < 3) return {};
  for (std::size_t i = finite.size() - 2; i < finite.size(); ++i) {
    if (!(finite[i] > 1.2 * finite[i - 1])) return {};
  }
  return finite;
}

// ---- the report ----------------------------------------------------------------------------------------------------

NanReport report_about(const Node& node, NanReport::Kind kind) {
  NanReport report;
  report.kind = kind;
  report.op = node.name();
  report.formula = node.op->text.formula;
  report.derivative = node.op->text.derivative;
  report.described = describe(node);
  report.where = node.called_at;
  report.module = module_of(node);
  report.called_from = scope_origin(node.scope);
  return report;
}

// Fills in what is bad about `bad`, and the numbers that it was computed from.
void fill(NanReport& report, const Node& node, const std::string& name, const Tensor& bad, const Inputs& inputs,
          const Tensor& dy) {
  const Bad first = find_bad(bad.to_vector());
  report.tensor = name;
  report.shape = bad.shape();
  report.index = checker::index_of(first.position, bad.shape());
  report.value = first.value;
  report.nans = first.nans;
  report.infinities = first.infinities;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined() || !is_floating(inputs[i].dtype())) continue;
    report.operands.push_back(
        describe_operand(fmt::format("input {}", i), inputs[i], node.op->broadcasts, report.index, report.shape));
  }
  if (dy.defined()) {
    report.operands.push_back(describe_operand("dy", dy, node.op->broadcasts, report.index, report.shape));
    report.operands.back().is_gradient = true;
  }
}

Explanation unknown_inputs() {
  return {
      "not known: the op ran before the instrument was attached, or in another thread, so that its inputs were not "
      "kept",
      "run its forward pass in the thread that calls backward()"};
}

NanCase case_of(const NanReport& report, const Node& node, const Inputs& inputs) {
  NanCase found{node.op, node.dtype, report.value, report.operands};
  if (!inputs.empty() && inputs[0].defined() && inputs[0].shape() == report.shape && is_floating(inputs[0].dtype())) {
    found.slice_is_all_minus_infinity = is_in_slice_of_minus_infinity(inputs[0], report.index);
  }
  return found;
}

// What the derivative makes of ones, at the bad element.
double slope_at(const Node& node, std::size_t input, std::size_t position) {
  const Grads slopes = const_cast<Node&>(node).backward(ones(node.shape, node.dtype));
  return slopes[input].to_vector().at(position);
}

// Some inputs are infinite on purpose. Is the output infinite where they are not?
bool has_new_infinity(const Node& node, const Inputs& inputs, const Tensor& output) {
  if (node.op->kind != OpKind::elementwise) return false;
  std::vector<std::vector<double>> numbers;
  for (const Tensor& input : inputs) numbers.push_back(input.to_vector());
  const std::vector<double> results = output.to_vector();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!std::isinf(results[i])) continue;
    const std::vector<std::int64_t> index = checker::index_of(i, output.shape());
    bool passed_on = false;
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      const auto position = position_beside(inputs[input].shape(), index, output.shape());
      passed_on |= !position || std::isinf(numbers[input][*position]);
    }
    if (!passed_on) return true;
  }
  return false;
}

std::string last_change(const Tensor& tensor) {
  const Storage::Write* change = tensor.impl()->storage->last_write.get();
  if (!change) return "";
  std::string text = fmt::format("; last changed by {} at {}", change->op, to_string(change->where));
  if (change->origin.line > 0) text += fmt::format(", called at {}", to_string(change->origin));
  return text;
}

}  // namespace

NanOptions nan_options(const std::string& text) {
  NanOptions options;
  options.ends_program = true;
  for (const Setting& setting : settings_of(text)) {
    expect_no_value(setting);
    if (setting.name == "strict") {
      options.strict = true;
    } else if (setting.name == "only-nan") {
      options.only_nan = true;
    } else {
      refuse(setting, "strict or only-nan");
    }
  }
  if (options.strict && options.only_nan) refuse({"only-nan", "", false}, "strict or only-nan, not both");
  return options;
}

// ---- watching ------------------------------------------------------------------------------------------------------

bool NanOrigin::is_bad(double largest) const {
  return std::isnan(largest) || (std::isinf(largest) && !options_.only_nan);
}

void NanOrigin::note(History& history, double largest) const {
  history.push_back(largest);
  if (history.size() > longest_history) history.pop_front();
}

// The forward pass. Ops recorded inside a derivative are not checked: run() checks what the derivative returns.
void NanOrigin::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  Observer::recorded(node, inputs, output);
  if (found_) return;
  const Unobserved unobserved;
  memory_.keep(node, inputs, output);
  if (running_node()) return;
  ++summary_.ops;
  const double largest = largest_size(output);
  note(forward_[place_of(node)], largest);
  if (is_bad(largest)) look_at_output(node, inputs, output, largest);
}

void NanOrigin::look_at_output(Node& node, const Inputs& inputs, const Tensor& output, double largest) {
  if (report_entered(node, inputs)) return;
  const bool has_infinite_input =
      std::any_of(inputs.begin(), inputs.end(), [](const Tensor& input) { return std::isinf(largest_size(input)); });
  if (!std::isnan(largest)) {
    const bool on_purpose = node.op->kind == OpKind::filling && !options_.strict;
    if (on_purpose) return;
    if (has_infinite_input && !has_new_infinity(node, inputs, output)) return;
  }
  NanReport report = report_about(node, NanReport::Kind::forward);
  fill(report, node, "the output", output, inputs, Tensor());
  report.explanation = explain_forward(case_of(report, node, inputs));
  report.growth = growth(forward_[place_of(node)]);
  found_one(std::move(report), node);
}

// Was the bad number there before any op on the tape?
bool NanOrigin::report_entered(const Node& node, const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& input = inputs[i];
    const double largest = largest_size(input);
    if (std::isfinite(largest)) continue;
    const bool is_parameter = input.requires_grad() && input.is_leaf();
    const bool is_constant = !input.requires_grad();
    const bool is_alarm =
        std::isnan(largest) || (!options_.only_nan && (is_parameter || (is_constant && options_.strict)));
    if (!is_alarm) continue;

    NanReport report = report_about(node, NanReport::Kind::entered);
    report.input = static_cast<int>(i);
    fill(report, node, fmt::format("input {}", i), input, inputs, Tensor());
    if (is_parameter) {
      report.explanation.cause = "a parameter, or an input with requires_grad, that holds it already" +
                                 last_change(input) + history_of_leaf(input);
      report.explanation.advice =
          "if an optimiser's step put it there: a smaller learning rate; otherwise look at the data that it was made "
          "of";
    } else if (is_constant) {
      report.explanation.cause =
          "no op on the tape made it: it is data, or was computed where nothing is recorded "
          "(NoGradGuard, or no input that needs a gradient)" +
          last_change(input);
      report.explanation.advice = "check all_finite() where the data is read or computed";
    } else {
      report.explanation.cause =
          "made by " + describe(*input.grad_fn()) + ", which nobody watched" + last_change(input);
      report.explanation.advice = "attach the instrument before the forward pass";
    }
    found_one(std::move(report), node);
    return true;
  }
  return false;
}

std::string NanOrigin::history_of_leaf(const Tensor& leaf) const {
  const auto known = leaf_gradients_.find(leaf.impl());
  if (known == leaf_gradients_.end()) return "";
  return fmt::format("; the largest element of its last gradient was {:.3g}", known->second);
}

// ---- backward ------------------------------------------------------------------------------------------------------

void NanOrigin::pass_begins(Pass& pass) {
  Observer::pass_begins(pass);
  if (found_) return;
  const Unobserved unobserved;
  passes_.look();
  pass_called_at_ = pass.called_at();
  backward_.clear();
  leaf_gradients_.clear();
  if (!pass.is_nested()) arrivals_.clear();
  for (const Ref<Node>& node : pass.nodes()) {
    if (!node->gradient.defined() || !is_bad(largest_size(node->gradient))) continue;
    NanReport report = report_about(*node, NanReport::Kind::started);
    fill(report, *node, "the gradient", node->gradient, {}, Tensor());
    report.explanation = {"backward() was given it",
                          "look at how the gradient that is passed to backward() is computed"};
    found_one(std::move(report), *node);
    return;
  }
}

Grads NanOrigin::run(Node& node, const Tensor& dy) {
  const Grads gradients = Observer::run(node, dy);
  if (!found_) {
    const Unobserved unobserved;
    look_at_gradients(node, dy, gradients);
  }
  return gradients;
}

void NanOrigin::look_at_gradients(const Node& node, const Tensor& dy, const Grads& gradients) {
  const double largest_dy = largest_size(dy);
  History& history = backward_[place_of(node)];
  note(history, largest_dy);
  if (node.is_leaf()) leaf_gradients_[static_cast<const Leaf&>(node).tensor.impl()] = largest_dy;
  const Arrivals arrivals = std::exchange(arrivals_[&node], {});
  arrivals_.erase(&node);
  if (is_bad(largest_dy)) return look_at_sum(node, dy, arrivals);
  if (node.is_leaf()) return;
  ++summary_.derivatives;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (i >= node.inputs.size() || !node.needs(i) || !is_bad(largest_size(gradients[i]))) continue;
    const std::shared_ptr<const KeptOp> kept = memory_.find(node);
    const Inputs inputs = kept ? kept->inputs : Inputs();
    NanReport report = report_about(node, NanReport::Kind::backward);
    report.input = static_cast<int>(i);
    fill(report, node, fmt::format("the gradient of input {}", i), gradients[i], inputs, dy);
    NanCase found = case_of(report, node, inputs);
    found.slope = slope_at(node, i, checker::position_of(report.index, report.shape));
    report.explanation = kept ? explain_backward(found) : unknown_inputs();
    report.growth = growth(history);
    return found_one(std::move(report), node);
  }
}

// No contribution had such a number. Finite ones whose sizes add up to less than the largest number do not overflow.
void NanOrigin::look_at_sum(const Node& node, const Tensor& dy, const Arrivals& arrivals) {
  NanReport report = report_about(node, NanReport::Kind::summed);
  fill(report, node, node.is_leaf() ? "its gradient" : "the gradient of its output", dy, {}, Tensor());
  report.contributions = arrivals.count;
  const std::size_t at = checker::position_of(report.index, report.shape);
  bool positive = false;
  bool negative = false;
  for (const auto& [from, contribution] : arrivals.infinite) {
    const double value = contribution.to_vector()[at];
    if (!std::isinf(value)) continue;
    report.infinite.push_back({from, value});
    (value > 0.0 ? positive : negative) = true;
  }
  const double most = node.dtype == float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  if (positive && negative) {
    report.explanation = {"infinity - infinity, in the sum of what several ops gave to this gradient",
                          "find where the infinities come from; BACKSTEP=nan without only-nan stops at the first"};
  } else if (arrivals.count > 1 && !(arrivals.sizes < most)) {
    report.explanation = {"each contribution was finite, and their sum overflowed", "make the loss smaller"};
  } else {
    report.kind = NanReport::Kind::hooked;
    report.explanation = {
        "the gradient was finite, or infinite, until a hook that is registered for this tensor returned this",
        "look at what that hook computes"};
  }
  report.growth = growth(backward_[place_of(node)]);
  found_one(std::move(report), node);
}

// Between the gradients that the derivative returned, which were finite, and this one there is only the sum over
// repeated dims.
void NanOrigin::accumulated(const Node& from, std::size_t input, const Tensor& contribution) {
  Observer::accumulated(from, input, contribution);
  if (found_) return;
  const Unobserved unobserved;
  const double largest = largest_size(contribution);
  Arrivals& arrivals = arrivals_[from.inputs[input].get()];
  ++arrivals.count;
  arrivals.sizes += std::isfinite(largest) ? largest : 0.0;
  if (std::isinf(largest)) arrivals.infinite.emplace_back(describe(from), contribution.detach().clone());
  if (!from.op->broadcasts || !is_bad(largest)) return;
  NanReport report = report_about(from, NanReport::Kind::summed);
  report.input = static_cast<int>(input);
  fill(report, from, fmt::format("the gradient of input {}", input), contribution, {}, Tensor());
  report.explanation = {"overflow in the sum over the elements to which this input was repeated",
                        "make the loss smaller"};
  found_one(std::move(report), from);
}

// ---- what was found ------------------------------------------------------------------------------------------------

NanSummary NanOrigin::summary() const {
  NanSummary summary = summary_;
  summary.passes = passes_.all();
  summary.passes_watched = passes_.seen();
  return summary;
}

void NanSummary::add(const NanSummary& other) {
  found += other.found;
  ops += other.ops;
  derivatives += other.derivatives;
  passes += other.passes;
  passes_watched += other.passes_watched;
}

std::string to_string(const NanSummary& summary) {
  return fmt::format("BACKSTEP=nan: {}; {} ops and {} derivatives watched, in {} of {} backward passes\n",
                     summary.found > 0  ? "one found"
                     : summary.only_nan ? "no NaN"
                                        : "no NaN, no infinity",
                     summary.ops, summary.derivatives, summary.passes_watched, summary.passes);
}

namespace {

std::string name_of(double value) {
  return std::isnan(value) ? "NaN" : value > 0.0 ? "infinity" : "-infinity";
}

std::string text_of(const std::vector<std::int64_t>& index) {
  std::string text;
  for (const std::int64_t i : index) text += fmt::format("{}{}", text.empty() ? "" : ", ", i);
  return "[" + text + "]";
}

std::string place(const NanReport& report) {
  if (report.where.line == 0) return report.described;  // a leaf
  std::string text = fmt::format("{} at {}", report.op, to_string(report.where));
  if (!report.module.empty()) text += ", in " + report.module;
  if (!report.module.empty() && report.called_from.line > 0) {
    text += fmt::format(" (called at {})", to_string(report.called_from));
  }
  return text;
}

// `op`: how the sentence names it
std::string sentence(const NanReport& report, const std::string& op) {
  const std::string what = name_of(report.value);
  switch (report.kind) {
    case NanReport::Kind::forward: return fmt::format("{} made by {}", what, op);
    case NanReport::Kind::backward: return fmt::format("{} made by the derivative of {}", what, op);
    case NanReport::Kind::entered:
      return fmt::format("input {} already has {} when it enters {}", report.input, what, op);
    case NanReport::Kind::started:
      return fmt::format("{} in the gradient that the backward pass at {} started with, of the output of {}", what,
                         to_string(report.backward_called_at), op);
    case NanReport::Kind::hooked: return fmt::format("{} made by a hook, in the gradient of {}", what, op);
    case NanReport::Kind::summed: return fmt::format("{} made by adding up gradients of {}", what, op);
  }
  return "";
}

std::string headline(const NanReport& report) {
  const bool names_pass = report.kind == NanReport::Kind::backward || report.kind == NanReport::Kind::hooked ||
                          report.kind == NanReport::Kind::summed;
  const std::string pass = to_string(report.backward_called_at);
  return sentence(report, place(report)) +
         (names_pass ? fmt::format("\n    in the backward pass that {} started", pass) : "");
}

std::string growth_text(const std::vector<double>& largest) {
  std::string text;
  for (const double each : largest) text += fmt::format("{:.2g}, ", each);
  const double factor = std::pow(largest.back() / largest.front(), 1.0 / static_cast<double>(largest.size() - 1));
  return fmt::format("{}and then this: about {:.2g} times larger from call to call", text, factor);
}

std::string operand_line(const OperandReport& operand, const std::vector<std::int64_t>& index) {
  std::string text = fmt::format("    {} {}: ", operand.name, operand.shape);
  if (operand.at_element) text += fmt::format("{:.6g} at {}; ", *operand.at_element, text_of(index));
  text += operand.numbers.finite > 0
              ? fmt::format("from {:.6g} to {:.6g}", operand.numbers.smallest, operand.numbers.largest)
              : std::string("nothing finite");
  if (operand.numbers.nan > 0) text += fmt::format(", {} NaN", operand.numbers.nan);
  if (operand.numbers.infinite > 0) text += fmt::format(", {} infinite", operand.numbers.infinite);
  return text + "\n";
}

}  // namespace

std::string to_string(const NanReport& report) {
  std::string text = headline(report) + "\n";
  text += fmt::format("    {}    {}\n\n", report.formula, report.derivative);
  text +=
      fmt::format("  {} {}: {} at {}; in all {} NaN and {} infinite of {} elements\n", report.tensor, report.shape,
                  name_of(report.value), text_of(report.index), report.nans, report.infinities, report.shape.numel());
  for (const OperandReport& operand : report.operands) text += operand_line(operand, report.index);
  for (const NanReport::Addend& addend : report.infinite) {
    text += fmt::format("    {} from {}\n", name_of(addend.value), addend.from);
  }
  if (report.contributions > 0) text += fmt::format("    {} contributions in all\n", report.contributions);
  if (!report.growth.empty()) text += wrapped("the largest number here: " + growth_text(report.growth), 2);
  text += wrapped("cause: " + report.explanation.cause, 2) + wrapped("try: " + report.explanation.advice, 2);
  text.pop_back();  // the last line end
  return text;
}

void NanOrigin::found_one(NanReport report, const Node& node) {
  report.backward_called_at = pass_called_at_;
  found_ = std::move(report);
  ++summary_.found;
  const std::string text = "BACKSTEP=nan: " + to_string(*found_);
  const std::string name = node.is_leaf() ? found_->described : found_->op;
  const bool shown = tell(finding_at(node, Finding::Kind::not_finite, sentence(*found_, name)), &node, text);
  if (!shown && options_.ends_program) end_program(fmt::format("\n{}\n\n", text));
}

Observer* start_nan_origin(const std::string& options) {
  return InstrumentOfThread<NanOrigin>::make(nan_options(options));
}

}  // namespace autograd::debug
