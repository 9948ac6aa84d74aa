#include "judge/steps.h"

#include <autograd/gradcheck/patterns.h>
#include <autograd/tape/observer.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace judge {
namespace {

// The same numbers in another shape?
bool is_change_of_shape(const autograd::Inputs& inputs, const Tensor& output) {
  return inputs.size() == 1 && inputs[0].numel() == output.numel() && !(inputs[0].shape() == output.shape()) &&
         autograd::checker::all_same(inputs[0].to_vector(), output.to_vector(), 0.0);
}

// Do all its numbers come from an input as they are, whatever these are? Then a NaN is handed on, in a branch that is
// masked later, rightly so.
bool moves_numbers(const autograd::Node& node, const autograd::Inputs& inputs) {
  if (node.op->kind == autograd::OpKind::filling) return true;
  if (node.op->piecewise) return false;
  autograd::Generator random(1);
  std::set<float> given;
  autograd::Inputs others;
  for (const Tensor& input : inputs) {
    others.push_back(input);
    if (!input.defined() || !is_floating(input.dtype())) continue;
    std::vector<double> numbers(static_cast<std::size_t>(input.numel()));
    for (double& number : numbers) given.insert(static_cast<float>(number = random.uniform()));
    others[others.size() - 1] = autograd::from_vector(numbers, input.shape(), input.dtype());
  }
  try {
    const std::vector<double> numbers = node.forward(others).to_vector();
    return std::all_of(numbers.begin(), numbers.end(), [&](double x) { return given.contains(static_cast<float>(x)); });
  } catch (const std::exception&) {  // a learner's own op may want other numbers
    return false;
  }
}

bool has(bool (*is_odd)(double), const Tensor& tensor) {
  const std::vector<double> numbers = tensor.defined() ? tensor.to_vector() : std::vector<double>{};
  return std::any_of(numbers.begin(), numbers.end(), is_odd);
}

bool is_nan(double x) {
  return std::isnan(x);
}

bool is_infinite(double x) {
  return std::isinf(x);
}

bool comes_in(bool (*is_odd)(double), const autograd::Inputs& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& input) { return has(is_odd, input); });
}

// An infinity that fills places, as that of a mask, is meant.
NotFinite not_finite(const autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) {
  if (has(is_nan, output)) return comes_in(is_nan, inputs) ? NotFinite::nan_handed_on : NotFinite::nan;
  const bool fills = node.op->kind == autograd::OpKind::filling;
  return has(is_infinite, output) && !fills && !comes_in(is_infinite, inputs) ? NotFinite::infinity : NotFinite::none;
}

// Notes every op while it is attached.
class OpNotes final : public autograd::Observer {
 public:
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override {
    note(node, inputs, output);
    Observer::recorded(node, inputs, output);
  }
  // At the end, when every op can run again.
  std::vector<WatchedOp> ops() const {
    const autograd::NoGradGuard no_grad;
    std::vector<WatchedOp> ops;
    for (const Note& note : notes_) {
      ops.push_back(note.op);
      if (note.node && moves_numbers(*note.node, note.inputs)) ops.back().not_finite = NotFinite::none;
    }
    return ops;
  }

 private:
  struct Note {
    WatchedOp op;
    bool is_product;  // of matrices
    bool is_change_of_shape;
    autograd::Ref<autograd::Node> node = {};  // if a NaN came in
    autograd::Inputs inputs = {};             // likewise
  };
  void note(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) {
    const autograd::NoGradGuard no_grad;
    Note note{{node.name(), node.called_at.file, node.called_at.line,
               output.detach().to(autograd::float64).clone().contiguous(), not_finite(node, inputs, output),
               observations_so_far()},
              node.op->kind == autograd::OpKind::product && output.dim() == 2,
              is_change_of_shape(inputs, output)};
    if (note.op.not_finite == NotFinite::nan_handed_on) {
      note.node = autograd::Ref<autograd::Node>(&node);
      note.inputs = inputs;
    }
    add(std::move(note));
    ops_so_far = notes_.size();
  }
  // One call of matmul() makes matrices of what is none, multiplies them and gives the product its shape: that is one
  // step.
  void add(Note note) {
    if (note.is_change_of_shape && ends_with_matrices_multiplied(note.op)) {
      Note product = std::move(notes_.back());
      product.op.value = note.op.value;
      note = std::move(product);
      notes_.erase(notes_.end() - 2, notes_.end());
    }
    notes_.push_back(std::move(note));
  }
  bool ends_with_matrices_multiplied(const WatchedOp& next) const {
    if (notes_.size() < 2) return false;
    const Note& product = notes_.back();
    const Note& before = notes_[notes_.size() - 2];
    return product.is_product && before.is_change_of_shape && same_line(before.op, product.op) &&
           same_line(product.op, next) && next.value.numel() == product.op.value.numel();
  }
  static bool same_line(const WatchedOp& a, const WatchedOp& b) { return a.line == b.line && a.file == b.file; }

  std::vector<Note> notes_;
};

// What ended the answer; nullptr if nothing was thrown. That it changed an input is observed after that.
const Observation* thrown_in(const Record& record) {
  for (const Observation& observation : record.observations) {
    if (observation.kind == Observation::Kind::threw) return &observation;
  }
  return nullptr;
}

// On the way to the same result: elsewhere a number may well be the same by chance.
bool computed_by(const std::vector<WatchedOp>& solution, const WatchedOp& yours) {
  return std::any_of(solution.begin(), solution.end(), [&](const WatchedOp& op) {
    return op.observations_before == yours.observations_before && same_value(yours.value, op.value, 1e-9);
  });
}

std::string shape_of(const Tensor& value) {
  return value.defined() ? to_string(value.shape()) : "";
}

std::string numbers_of(const Tensor& value) {
  return value.defined() ? fmt::format("{:.5g}", value) : "";
}

Step compared(const WatchedOp& yours, const std::vector<WatchedOp>& solution) {
  return {.name = yours.name,
          .file = yours.file,
          .line = yours.line,
          .not_finite = yours.not_finite,
          .shape = shape_of(yours.value),
          .value = numbers_of(yours.value),
          .in_solution = computed_by(solution, yours)};
}

Step compared(Step::Kind kind, const Observation& yours, const Observation* expected) {
  Step step{.kind = kind, .name = yours.name, .shape = shape_of(yours.value), .value = numbers_of(yours.value)};
  if (expected) {
    step.expected_shape = shape_of(expected->value);
    step.expected = numbers_of(expected->value);
    step.differs = !same_value(yours.value, expected->value, expected->tolerance);
  }
  return step;
}

// The ops in their order, each probe after those that had run when it was shown.
std::vector<Step> ops_and_probes(const Watched& yours, const Watched& solution) {
  std::map<ProbeKey, std::vector<const Observation*>> expected;
  for (const Observation& probe : solution.record.probes) expected[key_of(probe)].push_back(&probe);
  std::map<ProbeKey, std::size_t> seen;
  std::vector<Step> steps;
  std::size_t op = 0;
  const auto add_ops_up_to = [&](std::size_t count) {
    for (; op < count && op < yours.ops.size(); ++op) steps.push_back(compared(yours.ops[op], solution.ops));
  };
  for (const Observation& probe : yours.record.probes) {
    add_ops_up_to(probe.ops_before);
    const std::size_t occurrence = seen[key_of(probe)]++;
    const auto& same_name = expected[key_of(probe)];
    steps.push_back(
        compared(Step::Kind::probe, probe, occurrence < same_name.size() ? same_name[occurrence] : nullptr));
  }
  add_ops_up_to(yours.ops.size());
  return steps;
}

Watched watch_with_ops(Run run, const Setting& setting) {
  OpNotes notes;
  const autograd::ObserverGuard guard(notes);
  ops_so_far = 0;
  Record record = observe(run, setting, {.record_ops = true}).record;
  return {std::move(record), notes.ops()};
}

}  // namespace

// Only ops on tensors that require gradients are recorded, so the inputs do.
Watched watch(Run run, const Setting& setting) {
  Watched watched = watch_with_ops(run, setting);
  const Observation* const thrown = thrown_in(watched.record);
  if (!thrown) return watched;
  // Writing into a view is an error where gradients are wanted, and only there: then the ops are not to be had.
  Record plain = observe(run, setting).record;
  if (const Observation* const same_one = thrown_in(plain); same_one && same(*same_one, *thrown, 0.0)) return watched;
  for (Observation& probe : plain.probes) probe.ops_before = 0;
  return {std::move(plain), {}};
}

std::vector<Step> compared_steps(const Watched& answer, const Watched& solution) {
  std::vector<Step> steps = ops_and_probes(answer, solution);
  for (const Observation& result : answer.record.observations) {
    if (result.kind != Observation::Kind::value) continue;
    const Observation* expected = nullptr;
    for (const Observation& candidate : solution.record.observations) {
      if (candidate.name == result.name) expected = &candidate;
    }
    steps.push_back(compared(Step::Kind::result, result, expected));
  }
  if (const Observation* const thrown = thrown_in(answer.record)) {
    steps.push_back({.kind = Step::Kind::threw,
                     .name = thrown->name,
                     .thrown = thrown->thrown,
                     .file = thrown->thrown.file,
                     .line = thrown->thrown.line,
                     .differs = true});
  }
  return steps;
}

}  // namespace judge
