#include "course/exercise.h"

#include <exception>
#include <utility>

#include "course/learner.h"

namespace course {

thread_local std::size_t ops_so_far = 0;

namespace {

// Where probe() puts what it is shown; nullptr between runs.
thread_local std::vector<Observation>* probes = nullptr;

void add_probe(std::string_view name, const Tensor& value) {
  if (!probes) return;
  Observation observation;
  observation.name = std::string(name);
  observation.ops_before = ops_so_far;
  if (value.defined()) {
    observation.dtype = value.dtype();
    observation.value = value.detach().to(autograd::float64).clone().contiguous();
  }
  probes->push_back(std::move(observation));
}

void add_ending(Record& record, Observation::Kind kind, const std::string& what) {
  Observation observation;
  observation.kind = kind;
  observation.name = kind == Observation::Kind::threw ? "an exception" : "not written yet";
  observation.text = what;
  record.observations.push_back(std::move(observation));
}

// What the check handed over belongs to the check: changing it in place breaks whoever else has it.
void add_changed_inputs(Check& check) {
  for (const Check::Input& input : check.inputs()) {
    if (same_value(input.tensor.detach(), input.copy, 0.0)) continue;
    check.require("'" + input.name + "' left as it was", false,
                  "your code changes '" + input.name + "' in place, and whoever handed it over still needs it");
  }
}

}  // namespace

Observed observe(Run run, const Axes& lengths, RunOptions options) {
  Check check(lengths, options);
  probes = &check.record().probes;
  try {
    run(check);
  } catch (const NotWritten& unwritten) {
    add_ending(check.record(), Observation::Kind::unwritten, unwritten.what());
  } catch (const std::exception& error) {
    add_ending(check.record(), Observation::Kind::threw, error.what());
  }
  probes = nullptr;
  add_changed_inputs(check);
  return {std::move(check.record()), check.inputs()};
}

}  // namespace course

void todo(const std::string& what) {
  throw course::NotWritten(what);
}

const Tensor& probe(std::string_view name, const Tensor& value) {
  course::add_probe(name, value);
  return value;
}

double probe(std::string_view name, double value) {
  course::add_probe(name, autograd::tensor(value, autograd::float64));
  return value;
}
