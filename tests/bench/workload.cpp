#include "bench/workload.h"

#include <stdexcept>

namespace bench {
namespace {

// "us/token" -> 1000
double nanoseconds_in(const std::string& unit) {
  const std::string time = unit.substr(0, unit.find('/'));
  if (time == "ns") return 1.0;
  if (time == "us") return 1e3;
  if (time == "ms") return 1e6;
  throw std::invalid_argument("not a unit of time: " + unit);
}

}  // namespace

void Run::record(const std::string& metric, double value, const std::string& unit) const {
  tell_({.workload = {}, .peer = {}, .metric = metric, .value = value, .unit = unit, .low = value, .high = value});
}

void Run::record_time(const std::string& metric, const Timing& timing, const std::string& unit, double per) const {
  const double scale = 1.0 / (nanoseconds_in(unit) * per);
  tell_({.workload = {},
         .peer = {},
         .metric = metric,
         .value = scale * timing.median_ns,
         .unit = unit,
         .low = scale * timing.low_ns,
         .high = scale * timing.high_ns,
         .samples = timing.samples,
         .disturbed = timing.disturbed});
}

void Run::record_rate(const std::string& metric, const Timing& timing, double amount, double scale,
                      const std::string& unit) const {
  const double per_second = 1e9 * amount / scale;
  tell_({.workload = {},
         .peer = {},
         .metric = metric,
         .value = per_second / timing.median_ns,
         .unit = unit,
         .low = per_second / timing.high_ns,
         .high = per_second / timing.low_ns,
         .samples = timing.samples,
         .disturbed = timing.disturbed});
}

}  // namespace bench
