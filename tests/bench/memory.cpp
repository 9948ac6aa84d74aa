#include "bench/memory.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {
namespace {

// Not getrusage(): its peak is inherited from the parent.
double status_mib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(key)) return std::atof(line.c_str() + key.size()) / 1024.0;
  }
  return 0.0;
}

}  // namespace

double current_rss_mib() {
  return status_mib("VmRSS:");
}

double peak_rss_mib() {
  return status_mib("VmHWM:");
}

}  // namespace bench
