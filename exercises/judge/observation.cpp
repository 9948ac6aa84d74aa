#include "judge/observation.h"

#include <autograd/gradcheck/patterns.h>

#include <algorithm>
#include <cstddef>

namespace judge {
bool same_value(const Tensor& a, const Tensor& b, double tolerance) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (!(a.shape() == b.shape())) return false;
  const std::vector<double> right = b.to_vector();
  const double slack = tolerance * autograd::checker::largest_finite(right) + 1e-300;
  return autograd::checker::all_same(a.to_vector(), right, slack);
}

bool same(const Observation& a, const Observation& b, double tolerance) {
  if (a.kind != b.kind || a.name != b.name) return false;
  switch (a.kind) {
    case Observation::Kind::property:
    case Observation::Kind::changed_input:
    case Observation::Kind::forbidden_call: return a.holds == b.holds;
    case Observation::Kind::threw: return a.thrown.message == b.thrown.message;  // and not where
    case Observation::Kind::text:
    case Observation::Kind::unwritten: return a.text == b.text;
    case Observation::Kind::value: return a.dtype == b.dtype && same_value(a.value, b.value, tolerance);
    case Observation::Kind::bound: return a.holds == b.holds && same_value(a.value, b.value, tolerance);
  }
  return false;
}

bool same_numbers(const Observation& a, const Observation& b, double tolerance) {
  if (!a.value.defined() || !b.value.defined() || a.value.numel() != b.value.numel()) return false;
  return same_value(a.value.flatten(), b.value.flatten(), tolerance);
}

bool same(const Record& a, const Record& b, double tolerance) {
  if (a.observations.size() != b.observations.size()) return false;
  for (std::size_t i = 0; i < a.observations.size(); ++i) {
    if (!same(a.observations[i], b.observations[i], tolerance)) return false;
  }
  return true;
}

bool is_sound(const Record& solution) {
  return !solution.observations.empty() &&
         std::all_of(solution.observations.begin(), solution.observations.end(), [](const Observation& observation) {
           return observation.holds && observation.kind != Observation::Kind::threw;
         });
}

const Observation* named(const std::vector<Observation>& observations, std::size_t position, const std::string& name) {
  if (position < observations.size() && observations[position].name == name) return &observations[position];
  for (const Observation& observation : observations) {
    if (observation.name == name) return &observation;
  }
  return nullptr;
}

}  // namespace judge
