#include "judge/exercise.h"

#include <autograd/tape/observer.h>
#include <autograd/tensor/error.h>
#include <autograd/tensor/factories.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "judge/learner.h"

namespace judge {

thread_local std::size_t ops_so_far = 0;

namespace {

// The record that probe() adds to; nullptr between runs.
thread_local Record* current = nullptr;

void add_probe(std::string_view name, const Tensor& value) {
  if (!current) return;
  Observation observation;
  observation.name = std::string(name);
  observation.ops_before = ops_so_far;
  observation.observations_before = current->observations.size();
  if (value.defined()) {
    observation.dtype = value.dtype();
    observation.value = value.detach().to(autograd::float64).clone().contiguous();
  }
  current->probes.push_back(std::move(observation));
}

void add_unwritten(const std::string& what, Record& record) {
  Observation observation;
  observation.kind = Observation::Kind::unwritten;
  observation.name = "not written yet";
  observation.text = what;
  record.observations.push_back(std::move(observation));
}

void add_thrown(Thrown thrown, Record& record) {
  Observation observation;
  observation.kind = Observation::Kind::threw;
  observation.name = "an exception";
  observation.thrown = std::move(thrown);
  record.observations.push_back(std::move(observation));
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Something that an answer has done and may not; once of each.
void add_fault(Observation::Kind kind, const std::string& name, const std::string& subject, Record& record) {
  Observation observation;
  observation.kind = kind;
  observation.name = name;
  observation.holds = false;
  observation.text = subject;
  if (!named(record.observations, 0, name)) record.observations.push_back(std::move(observation));
}

// What the check handed over belongs to the check: changing it in place breaks everything else that has it.
void add_changed_inputs(Check& check) {
  for (const Check::Input& input : check.inputs()) {
    if (same_value(input.tensor.detach(), input.copy, 0.0)) continue;
    add_fault(Observation::Kind::changed_input, "'" + input.name + "' left as it was", input.name, check.record());
  }
}

// Notes every op that is called from an answer's file, and whether a backward pass runs.
class CalledOps final : public autograd::Observer {
 public:
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override {
    const std::string_view file = node.called_at.file;
    if (file.find("/check.cpp") == std::string_view::npos) names.insert(node.name());
    Observer::recorded(node, inputs, output);
  }
  void pass_begins(autograd::Pass& pass) override {
    names.insert("backward");
    Observer::pass_begins(pass);
  }
  std::set<std::string> names;
};

// Ops are recorded only where gradients are wanted: so the answer runs once more, on inputs that want them.
void add_forbidden_calls(Run run, const Setting& setting, Record& record) {
  if (exercise.not_to_call.empty()) return;
  CalledOps called;
  {
    const autograd::ObserverGuard guard(called);
    Check again(setting, {.record_ops = true});
    try {
      run(again);
    } catch (const std::exception&) {  // what it throws has been observed
    }
  }
  for (const std::string& name : exercise.not_to_call) {
    if (called.names.count(name)) add_forbidden_call(name, record);
  }
}

}  // namespace

std::size_t observations_so_far() {
  return current ? current->observations.size() : 0;
}

void add_forbidden_call(const std::string& name, Record& record) {
  add_fault(Observation::Kind::forbidden_call, "without the engine's " + name, name, record);
}

std::vector<std::string> forbidden_calls(const std::vector<std::string>& symbols) {
  std::vector<std::string> calls;
  for (const std::string_view symbol : symbols) {
    std::string_view rest = symbol;
    const auto skip = [&](std::string_view part) {
      const bool is_there = rest.starts_with(part);
      if (is_there) rest.remove_prefix(part.size());
      return is_there;
    };
    if (!skip("_ZN8autograd") && !skip("_ZNK8autograd")) continue;
    const bool is_method = skip("6Tensor");
    std::size_t length = 0;
    const auto [name, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    if (error != std::errc()) continue;
    const std::string op(rest.substr(static_cast<std::size_t>(name - rest.data()), length));
    calls.push_back(op == "grad" && !is_method ? "backward" : op);  // Tensor::grad() only reads
  }
  std::vector<std::string> forbidden = exercise.not_to_call;
  std::erase_if(forbidden, [&](const std::string& op) { return std::count(calls.begin(), calls.end(), op) == 0; });
  return forbidden;
}

Observed observe(Run run, const Setting& setting, RunOptions options) {
  autograd::empty_is_nan = true;
  Check check(setting, options);
  current = &check.record();
  try {
    run(check);
  } catch (const NotWritten& unwritten) {
    add_unwritten(unwritten.what(), check.record());
  } catch (const autograd::Error& error) {
    const autograd::Where where = error.where();
    add_thrown({std::string(name(error.id())), error.summary(), error.advice(), where.file, where.line},
               check.record());
  } catch (const std::exception& error) {
    add_thrown({.message = first_line(error.what())}, check.record());
  }
  current = nullptr;
  add_changed_inputs(check);
  if (!options.record_ops && !options.only_once) add_forbidden_calls(run, setting, check.record());
  return {std::move(check.record()), check.inputs()};
}

}  // namespace judge

void todo(const std::string& what) {
  throw judge::NotWritten(what);
}

const Tensor& probe(std::string_view name, const Tensor& value) {
  judge::add_probe(name, value);
  return value;
}

double probe(std::string_view name, double value) {
  judge::add_probe(name, autograd::tensor(value, autograd::float64));
  return value;
}
