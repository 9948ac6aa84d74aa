#include "autograd/debug/check/sanitizer.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <utility>

#include "autograd/debug/check/direction_check.h"
#include "autograd/debug/finding.h"
#include "autograd/debug/instrument_settings.h"
#include "autograd/debug/recording.h"
#include "autograd/debug/unobserved.h"
#include "autograd/gradcheck/check_node.h"
#include "autograd/gradcheck/patterns.h"
#include "autograd/gradcheck/positions.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/error.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

// ---- how much time a check may take --------------------------------------------------------------------------------

// Budgets in units of about a nanosecond: for one op, the first times at its place and later on; and for finding out
// what exactly is wrong.
constexpr double first_budget = 4e6;
constexpr double later_budget = 4e5;
constexpr double diagnosis_budget = 2e8;
constexpr std::int64_t first_times = 3;
constexpr double cost_of_any_evaluation = 3000.0;
constexpr std::int64_t fewest_elements = 4;  // of each input
constexpr int most_suspects = 8;             // of each input

bool is_asked(const Node& node, const Inputs& inputs, std::size_t i) {
  return node.needs(i) && inputs[i].defined() && is_floating(inputs[i].dtype());
}

std::int64_t asked_elements(const Node& node, const Inputs& inputs) {
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_asked(node, inputs, i)) elements += inputs[i].numel();
  }
  return elements;
}

double cost_of_evaluation(const Node& node, const Inputs& inputs) {
  auto numbers = static_cast<double>(node.shape.numel());
  if (node.op->kind == OpKind::product && inputs[0].dim() > 0)
    numbers *= 0.25 * static_cast<double>(std::max<std::int64_t>(4, inputs[0].shape().back()));
  for (const Tensor& input : inputs) {
    if (input.defined()) numbers += static_cast<double>(input.numel());
  }
  return cost_of_any_evaluation + 5.0 * numbers;
}

// The elements for which the budget is enough: two evaluations each.
std::int64_t affordable(double budget, double cost) {
  return static_cast<std::int64_t>(budget / (2.0 * cost));
}

// ---- which ops and elements are checked ----------------------------------------------------------------------------

bool all_finite_numbers(const Tensor& x) {
  return !is_floating(x.dtype()) || all_finite(x);
}

// Are these the same but for rounding?
bool is_the_same(const Tensor& again, const Tensor& before) {
  if (again.dtype() != before.dtype() || !(again.shape() == before.shape())) return false;
  const std::vector<double> then = before.to_vector();
  const double share = before.dtype() == float32 ? 1e-4 : 1e-9;
  return checker::all_same(again.to_vector(), then, share * checker::largest_finite(then));
}

// Is an output infinite or NaN whose gradient is not 0? It has no derivative; with gradient 0, as under a mask, it does
// no harm.
bool is_infinite_where_it_counts(const Tensor& output, const Tensor& dy) {
  if (!is_floating(output.dtype()) || all_finite(output)) return false;
  const std::vector<double> values = output.to_vector();
  const std::vector<double> gradient = dy.to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) && gradient[i] != 0.0) return true;
  }
  return false;
}

// A gradient that is not finite because a number on the way to it is beyond the dtype's range: it, or the result.
bool overflows(const Node& node, const KeptOp& kept, const NodeReport& report) {
  const InputReport* wrong = report.wrong_input();
  if (!wrong || std::isfinite(wrong->worst.analytic)) return false;
  const double most = node.dtype == float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  return !all_finite_numbers(kept.output) || !(std::abs(wrong->worst.numeric) <= most);
}

// What is wrong with an op whose forward() gives other numbers than the op gave; "" if it draws random ones.
std::string mistake_in_forward(const Tensor& output, const Tensor& again, const Tensor& once_more) {
  if (!is_the_same(once_more, again)) return "";
  if (!(again.shape() == output.shape()) || again.dtype() != output.dtype()) {
    return fmt::format("its forward() gives {} {}, the op gave {} {}", name(again.dtype()), again.shape(),
                       name(output.dtype()), output.shape());
  }
  const std::vector<double> now = again.to_vector();
  const std::vector<double> then = output.to_vector();
  const auto apart = [&](std::size_t i) { return now[i] == then[i] ? 0.0 : std::abs(now[i] - then[i]); };
  std::size_t worst = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (apart(i) > apart(worst) || (std::isnan(apart(i)) && !std::isnan(apart(worst)))) worst = i;
  }
  return fmt::format("its forward() gives {:.8g} at {}, where the op gave {:.8g}; differences are taken of forward()",
                     now[worst], checker::index_of(worst, output.shape()), then[worst]);
}

// Some elements of one input: the one with the largest gradient, the ends, and others at random.
std::vector<std::size_t> sample(const Tensor& gradient, std::int64_t numel, std::int64_t wanted, Generator& random) {
  std::vector<std::size_t> elements = {0, static_cast<std::size_t>(numel - 1)};
  if (gradient.defined()) {
    const std::vector<double> values = gradient.to_vector();
    const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto largest = std::max_element(values.begin(), values.end(), smaller) - values.begin();
    elements.push_back(static_cast<std::size_t>(largest));
  }
  while (static_cast<std::int64_t>(elements.size()) < wanted) {
    elements.push_back(static_cast<std::size_t>(random.integer(0, numel)));
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

// The elements to look at, as GradcheckOptions wants them: some of each input that needs a gradient.
std::vector<std::vector<std::size_t>> sample_all(const Node& node, const Inputs& inputs, const Grads& gradients,
                                                 std::int64_t most_elements, Generator& random) {
  const double share = static_cast<double>(most_elements) / static_cast<double>(asked_elements(node, inputs));
  std::vector<std::vector<std::size_t>> elements(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_asked(node, inputs, i) || inputs[i].numel() == 0) continue;
    const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(inputs[i].numel()));
    elements[i] = sample(checker::fitted(gradients[i], inputs[i].shape()), inputs[i].numel(),
                         std::max(wanted, fewest_elements), random);
  }
  return elements;
}

}  // namespace

SanitizerOptions sanitizer_options(const std::string& text) {
  SanitizerOptions options;
  options.ends_program = true;
  for (const Setting& setting : settings_of(text)) {
    if (setting.name == "rate") {
      options.rate = number_between(setting, 0.0, 1.0);
    } else if (setting.name == "every") {
      options.rate = 1.0 / static_cast<double>(count_from_one(setting));
    } else if (setting.name == "slowdown") {
      options.slowdown = number_between(setting, 1.0, 1e6);
    } else if (setting.name == "seed") {
      options.seed = whole_number(setting);
    } else if (setting.name == "continue") {
      expect_no_value(setting);
      options.ends_program = false;
      options.prints_reports = true;
    } else {
      refuse(setting, "every=N, rate=SHARE, slowdown=TIMES, seed=N or continue");
    }
  }
  return options;
}

// ---- watching ------------------------------------------------------------------------------------------------------

// Chooses evenly: every tenth, if the rate is 0.1. The seed decides with which one this begins.
bool GradientSanitizer::choose(Place& place) const {
  const std::int64_t number = place.recorded++;
  if (number == 0) return true;
  if (options_.rate >= 1.0) return true;
  const double start = Generator(options_.seed).uniform();
  const auto chosen_before = [&](std::int64_t n) { return std::floor(start + static_cast<double>(n) * options_.rate); };
  return chosen_before(number + 1) > chosen_before(number);
}

namespace {

constinit thread_local GradientSanitizer* sleeping = nullptr;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void wake_sleeping() {
  if (sleeping) sleeping->wake_in_time();
}

}  // namespace

GradientSanitizer::GradientSanitizer(const SanitizerOptions& options) : options_(options) {
  if (options_.slowdown > 0.0) told_of_passes = wake_sleeping;
  listen();
}

GradientSanitizer::~GradientSanitizer() {
  if (sleeping == this) sleeping = nullptr;
}

// Not while a guard holds the observer that is attached now: at its end it would attach that one again.
bool GradientSanitizer::may_switch() const {
  return options_.slowdown > 0.0 && mode_of_thread.observer_guards == own_guard_;
}

void GradientSanitizer::sleep_in_time() {
  if (!may_switch() || sleeping || observer() != this) return;
  awake_ += seconds_since(since_);
  since_ = std::chrono::steady_clock::now();
  if (awake_ <= (options_.slowdown - 1.0) * summary_.seconds_asleep) return;
  sleeping = this;
  mode_of_thread.observer = before_;
}

// The ops of the pass that begins are not known, but those of the program from here on will be.
void GradientSanitizer::wake_in_time() {
  if (!may_switch() || observer() != before_) return;
  const double slept = seconds_since(since_);
  if (awake_ > (options_.slowdown - 1.0) * (summary_.seconds_asleep + slept)) return;
  summary_.seconds_asleep += slept;
  since_ = std::chrono::steady_clock::now();
  has_slept_ = true;
  sleeping = nullptr;
  mode_of_thread.observer = this;
}

void GradientSanitizer::untaped(const Tensor& input, const Untaped& use) {
  Observer::untaped(input, use);
  trail_.untaped(input, use);
}

void GradientSanitizer::accumulated(const Node& from, std::size_t input, const Tensor& contribution) {
  Observer::accumulated(from, input, contribution);
  trail_.accumulated(from, input);
}

void GradientSanitizer::pass_ends(Pass& pass) {
  Observer::pass_ends(pass);
  trail_.pass_ends(pass);
  if (!pass.is_nested()) sleep_in_time();
}

void GradientSanitizer::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  Observer::recorded(node, inputs, output);
  trail_.recorded(node);
  const auto started = std::chrono::steady_clock::now();
  if (choose(places_[place_of(node)])) {
    memory_.keep(node, inputs, output);
  } else {
    memory_.note_left_out(node);
  }
  summary_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

void GradientSanitizer::pass_begins(Pass& pass) {
  Observer::pass_begins(pass);
  trail_.pass_begins(pass);
  pass_called_at_ = pass.called_at();
}

Grads GradientSanitizer::run(Node& node, const Tensor& dy) {
  trail_.runs(node);
  const Grads gradients = Observer::run(node, dy);
  if (node.is_leaf()) return gradients;
  const auto started = std::chrono::steady_clock::now();
  check(node, dy, gradients);
  summary_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return gradients;
}

void GradientSanitizer::skip(const Node& node, const std::string& reason) {
  SanitizerSummary::Skipped& skipped = summary_.skipped[reason];
  if (skipped.ops++ == 0) skipped.example = describe(node);
}

void GradientSanitizer::check(Node& node, const Tensor& dy, const Grads& gradients) {
  ++summary_.ops;
  const Unobserved unobserved;
  const std::shared_ptr<const KeptOp> kept = memory_.find(node);
  if (!kept && has_slept_) {
    ++summary_.missed;
    return;
  }
  if (!kept) return skip(node, "it ran before the sanitizer was attached, or in another thread");
  if (!kept->output.defined()) {
    ++summary_.left_out;
    return;
  }
  try {
    if (!all_finite_numbers(dy)) return skip(node, "NaN or infinity in the gradient that came in (BACKSTEP=nan)");
    const Tensor again = node.forward(kept->inputs);
    if (!is_the_same(again, kept->output)) return examine_forward(node, *kept, again);
    if (is_infinite_where_it_counts(kept->output, dy))
      return skip(node, "NaN or infinity in its result (BACKSTEP=nan)");
    NodeReport report = compare(node, *kept, dy, gradients);
    if (overflows(node, *kept, report)) return skip(node, "overflow on the way to its gradient (BACKSTEP=nan)");
    count(report);
    if (!report.passed()) report_wrong(node, std::move(report));
  } catch (const Error& error) {
    const bool overwritten = error.id() == ErrorId::in_place_clobber;
    skip(node,
         overwritten ? "a value that it keeps was overwritten" : fmt::format("[{}] in its forward", name(error.id())));
  } catch (const std::exception& error) {
    skip(node, printable(error.what()));
  }
}

void GradientSanitizer::examine_forward(const Node& node, const KeptOp& kept, const Tensor& again) {
  const std::string mistake = mistake_in_forward(kept.output, again, node.forward(kept.inputs));
  if (mistake.empty()) return skip(node, "its forward does not give the same again");
  NodeReport report = checker::describe(node);
  report.verdict = Verdict::fail;
  report.problem = mistake;
  count(report);
  report_wrong(node, std::move(report));
}

// ---- checking one op -----------------------------------------------------------------------------------------------

NodeReport GradientSanitizer::compare(const Node& node, const KeptOp& kept, const Tensor& dy, const Grads& gradients) {
  Place& place = places_[place_of(node)];
  if (place.checked == 0) summary_.places.insert(place_of(node));
  const double budget = place.checked++ < first_times ? first_budget : later_budget;
  const double cost = cost_of_evaluation(node, kept.inputs);
  const std::int64_t elements = asked_elements(node, kept.inputs);
  if (elements <= affordable(budget, cost)) {
    summary_.elements += elements;
    return check_node(node, kept.inputs, dy, gradients);
  }
  NodeReport report = compare_large(node, kept, dy, gradients, affordable(budget, cost));
  if (report.passed()) return report;
  // It is wrong: checks as many elements as the budget allows, to say how many are wrong, and why.
  const std::int64_t most = affordable(diagnosis_budget, cost);
  if (elements <= most) return check_node(node, kept.inputs, dy, gradients);
  Generator random(options_.seed + node.number);
  GradcheckOptions options;
  options.elements = sample_all(node, kept.inputs, gradients, most, random);
  const NodeReport wider = check_node(node, kept.inputs, dy, gradients, options);
  return wider.passed() ? report : wider;
}

// Checks some elements one by one, and all of them together.
NodeReport GradientSanitizer::compare_large(const Node& node, const KeptOp& kept, const Tensor& dy,
                                            const Grads& gradients, std::int64_t most_elements) {
  Generator random(options_.seed + node.number);
  GradcheckOptions options;
  options.elements = sample_all(node, kept.inputs, gradients, most_elements, random);
  NodeReport report = check_node(node, kept.inputs, dy, gradients, options);
  for (const auto& elements : options.elements) summary_.elements += static_cast<std::int64_t>(elements.size());
  if (!report.passed()) return report;

  DirectionCheck together(node, kept.inputs, dy, gradients, random.next());
  for (std::size_t i = 0; i < kept.inputs.size(); ++i) {
    if (!is_asked(node, kept.inputs, i)) continue;
    summary_.elements_together += kept.inputs[i].numel();
    const NodeReport close_look = examine_suspects(node, kept, dy, gradients, together, i);
    if (!close_look.passed()) return close_look;
  }
  return report;
}

// Checks the suspects of the direction check, until one is wrong or none is left; others have a kink, for example.
NodeReport GradientSanitizer::examine_suspects(const Node& node, const KeptOp& kept, const Tensor& dy,
                                               const Grads& gradients, DirectionCheck& together, std::size_t input) {
  NodeReport close_look;
  bool kink = false;
  for (int tries = 0; tries < most_suspects; ++tries) {
    const std::optional<std::size_t> suspect = together.find_suspect(input);
    if (!suspect) {
      summary_.kinks += kink;
      return close_look;
    }
    GradcheckOptions options;
    options.elements.resize(kept.inputs.size());
    for (std::size_t i = 0; i < kept.inputs.size(); ++i) {
      if (i != input && kept.inputs[i].defined() && kept.inputs[i].numel() > 0) options.elements[i] = {0};
    }
    options.elements[input] = {*suspect};
    close_look = check_node(node, kept.inputs, dy, gradients, options);
    if (!close_look.passed()) return close_look;
    kink = kink || close_look.verdict == Verdict::kink;
    together.leave_out(input, *suspect, 1);
    if (close_look.verdict == Verdict::kink) together.leave_out_equal(input, *suspect);
  }
  ++summary_.undecided;
  return close_look;
}

// ---- what was found ------------------------------------------------------------------------------------------------

SanitizerSummary GradientSanitizer::summary() const {
  SanitizerSummary summary = summary_;
  summary.passes = passes_.all();
  summary.passes_checked = passes_.seen();
  if (sleeping == this) summary.seconds_asleep += seconds_since(since_);
  for (const KnownLeaf& leaf : leaves_without_gradient()) {
    const auto missed = trail_.missed().find(leaf.id);
    summary.without_gradient.push_back(missed == trail_.missed().end() ? unused(leaf) : missed->second);
  }
  return summary;
}

void GradientSanitizer::count(const NodeReport& report) {
  ++summary_.checked;
  passes_.look();
  summary_.kinds.insert(report.op);
  summary_.wrong += !report.passed();
  for (const InputReport& input : report.inputs) {
    summary_.kinks += input.verdict == Verdict::kink;
    summary_.undecided += input.verdict == Verdict::noisy || input.verdict == Verdict::domain;
    if (input.verdict != Verdict::pass || input.max_relative_error <= summary_.worst_relative_error) continue;
    summary_.worst_relative_error = input.max_relative_error;
    summary_.worst_at = fmt::format("{} at {}, {}", report.op, to_string(report.where), printable(input.name));
  }
}

void GradientSanitizer::report_wrong(const Node& node, NodeReport report) {
  report.scope = printable(report.scope);
  for (InputReport& input : report.inputs) {
    input.name = printable(input.name);
    input.cause.text = printable(input.cause.text);
  }
  const InputReport* wrong = report.wrong_input();
  const std::string key = fmt::format("{} {}", place_of(node), wrong ? wrong - report.inputs.data() : -1);
  if (!reported_.insert(key).second) return;
  reports_.push_back(std::move(report));
  const std::string text =
      fmt::format("BACKSTEP=check: a wrong derivative, met by the backward pass that {} started\n\n{}",
                  to_string(pass_called_at_), to_string(reports_.back()));
  const std::string found = fmt::format("the derivative of {} is wrong", node.name());
  if (tell(finding_at(node, Finding::Kind::wrong_derivative, found), &node, text)) return;
  if (options_.ends_program) end_program(fmt::format("\n{}\n\n{}", text, summary_text()));
  if (options_.prints_reports) print_after_output(fmt::format("\n{}\n\n", text));
}

namespace {

// Leaves that were frozen are only counted.
std::string without_gradient_text(const std::vector<NoGradient>& leaves) {
  constexpr std::int64_t most_listed = 10;
  std::int64_t frozen = 0;
  std::int64_t listed = 0;
  std::string list;
  for (const NoGradient& leaf : leaves) {
    if (leaf.reason == NoGradient::Reason::frozen) {
      ++frozen;
    } else if (++listed <= most_listed) {
      list += fmt::format("    {}: {}\n", title(leaf), reason_text(leaf));
    }
  }
  std::string text =
      frozen == 0 ? "" : fmt::format("  {} frozen by requires_grad_(false)\n", counted(frozen, "tensor"));
  if (listed == 0) return text;
  text +=
      fmt::format("  {} with requires_grad that no backward() gave a gradient:\n{}", counted(listed, "tensor"), list);
  return listed > most_listed ? text + fmt::format("    .. and {} more\n", listed - most_listed) : text;
}

}  // namespace

void SanitizerSummary::add(const SanitizerSummary& other) {
  ops += other.ops;
  checked += other.checked;
  wrong += other.wrong;
  left_out += other.left_out;
  missed += other.missed;
  passes += other.passes;
  passes_checked += other.passes_checked;
  for (const auto& [reason, more] : other.skipped) {
    Skipped& here = skipped[reason];
    if (here.ops == 0) here.example = more.example;
    here.ops += more.ops;
  }
  kinds.insert(other.kinds.begin(), other.kinds.end());
  places.insert(other.places.begin(), other.places.end());
  elements += other.elements;
  elements_together += other.elements_together;
  kinks += other.kinks;
  undecided += other.undecided;
  seconds += other.seconds;
  seconds_asleep += other.seconds_asleep;
  if (other.worst_relative_error <= worst_relative_error) return;
  worst_relative_error = other.worst_relative_error;
  worst_at = other.worst_at;
}

std::string to_string(const SanitizerSummary& s) {
  const std::string passes = fmt::format("{} of {}", s.passes_checked, counted(s.passes, "backward pass", "es"));
  if (s.ops == 0) return fmt::format("BACKSTEP=check: nothing checked, in {}: no op's backward was seen\n", passes);
  std::string text =
      fmt::format("BACKSTEP=check: {} of {} derivatives checked, {}, in {}\n", s.checked, s.ops,
                  s.wrong == 0 ? std::string("none is wrong") : fmt::format("{} wrong", s.wrong), passes);
  text += fmt::format("  {} at {} (op, line and module)\n", counted(s.kinds.size(), "op"),
                      counted(s.places.size(), "place"));
  text += fmt::format("  {} compared one by one", counted(s.elements, "element"));
  if (s.elements_together > 0)
    text += fmt::format("; {} of large inputs together, along random directions", s.elements_together);
  text += "\n";
  if (!s.worst_at.empty()) {
    text += fmt::format("  largest relative error: {:.1e}, {}\n", s.worst_relative_error, s.worst_at);
  }
  if (s.kinks > 0) text += fmt::format("  {} at a kink, where there is no derivative\n", counted(s.kinks, "input"));
  if (s.undecided > 0)
    text += fmt::format("  {} with an element that could not be decided\n", counted(s.undecided, "input"));
  if (s.left_out > 0)
    text += fmt::format("  {} left out: only a share is checked, and the first at each place\n", s.left_out);
  if (s.seconds_asleep > 0.0)
    text += fmt::format("  not watching for {:.1f} s, to keep to the slowdown asked for\n", s.seconds_asleep);
  if (s.missed > 0) text += fmt::format("  {} left out: they ran forward while it was not watching\n", s.missed);
  for (const auto& [reason, skipped] : s.skipped) {
    text += fmt::format("  {} skipped: {}; the first is {}\n", skipped.ops, reason, skipped.example);
  }
  text += without_gradient_text(s.without_gradient);
  return text + fmt::format("  {:.1f} s spent on checking\n", s.seconds);
}

Observer* start_sanitizer(const std::string& options) {
  return InstrumentOfThread<GradientSanitizer>::make(sanitizer_options(options));
}

}  // namespace autograd::debug
