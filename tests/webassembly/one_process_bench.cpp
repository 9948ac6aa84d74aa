// In the place of bench/isolation.cpp and bench/machine.cpp: a program in WebAssembly has one process and one thread.
#include "bench/isolation.h"

namespace bench {

bool run_in_child(const Workload& workload, const MeasureOptions& options, const Tell& tell) {
  run_here(workload, options, tell);
  return true;
}

void add_machine(std::vector<Workload>&) {}

}  // namespace bench
