#include <autograd/autograd.h>

#include "bench/isolation.h"
#include "bench/memory.h"

namespace bench {

void run_here(const Workload& workload, const MeasureOptions& options, const Tell& tell) {
  autograd::set_num_threads(options.threads);
  autograd::manual_seed(1);
  const Run run(options, [&](Figure figure) {
    figure.workload = workload.name;
    figure.peer = workload.peer;
    tell(figure);
  });
  workload.run(run);
  run.record("peak_rss", peak_rss_mib(), "MiB");
}

}  // namespace bench
