#include "judge/steps.h"

#include <autograd/tape/observer.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace judge {
namespace {

// Notes every op while it is attached.
class OpNotes final : public autograd::ForwardingObserver {
 public:
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override {
    Step step;
    step.name = node.name();
    step.file = node.called_at.file;
    step.line = node.called_at.line;
    step.value = output.detach().to(autograd::float64).clone().contiguous();
    step.observations_before = observations_so_far();
    add(std::move(step));
    ops_so_far = steps.size();
    ForwardingObserver::recorded(node, inputs, output);
  }
  std::vector<Step> steps;

 private:
  // One call of matmul() makes matrices of what is none, multiplies them and gives the product its shape: that is one
  // step.
  void add(Step step) {
    if (is_change_of_shape(step) && ends_with_matrices_multiplied(step)) {
      step.name = steps.back().name;
      steps.resize(steps.size() - 2);
      is_whole_matmul_ = true;
    } else {
      is_whole_matmul_ = false;
    }
    steps.push_back(std::move(step));
  }
  bool ends_with_matrices_multiplied(const Step& next) const {
    if (steps.size() < 2) return false;
    const Step& product = steps.back();
    const Step& before = steps[steps.size() - 2];
    return product.name == "matmul" && (product.value.dim() == 2 || is_whole_matmul_) && is_change_of_shape(before) &&
           same_line(before, product) && same_line(product, next) && next.value.numel() == product.value.numel();
  }
  static bool is_change_of_shape(const Step& step) {
    return step.name == "view" || step.name == "unsqueeze" || step.name == "squeeze";
  }
  static bool same_line(const Step& a, const Step& b) { return a.line == b.line && a.file == b.file; }

  bool is_whole_matmul_ = false;  // the last step
};

// What ended the answer; nullptr if nothing was thrown. That it changed an input is observed after that.
const Observation* thrown_in(const Record& record) {
  for (const Observation& observation : record.observations) {
    if (observation.kind == Observation::Kind::threw) return &observation;
  }
  return nullptr;
}

// On the way to the same result: elsewhere a number may well be the same by chance.
bool computed_by(const std::vector<Step>& solution, const Step& yours) {
  return std::any_of(solution.begin(), solution.end(), [&](const Step& step) {
    return step.observations_before == yours.observations_before && same_value(yours.value, step.value, 1e-9);
  });
}

Step compared(Step::Kind kind, const Observation& yours, const Observation* expected) {
  Step step;
  step.kind = kind;
  step.name = yours.name;
  step.value = yours.value;
  if (expected) {
    step.expected = expected->value;
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
    for (; op < count && op < yours.ops.size(); ++op) {
      steps.push_back(yours.ops[op]);
      steps.back().in_solution = computed_by(solution.ops, steps.back());
    }
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
  return {std::move(record), std::move(notes.steps)};
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
    Step step;
    step.kind = Step::Kind::threw;
    step.name = thrown->name;
    step.message = thrown->text;
    step.differs = true;
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace judge
