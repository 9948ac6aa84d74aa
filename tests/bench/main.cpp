// Measures ops, layers, training steps, decoding, and the limits of the machine (docs/performance.md).
// tests/bench/compare lays another project's benchmark beside it that has the same names, sizes and output.
//
//   bench --list
//   taskset -c 0 bench --only 'gemm_*' --only seq2seq_step --seconds 2
//
// Each line printed is "workload peer metric value unit". Figures are medians after a warm-up. The peak of memory is
// that of the process so far: a workload that is run alone has its own.

#include <autograd/autograd.h>
#include <fmt/core.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace {

using bench::Workload;

struct Options {
  bench::MeasureOptions measure;
  std::vector<std::string> only;
  bool list = false;
};

std::vector<Workload> all_workloads() {
  std::vector<Workload> all;
#ifndef __wasm__  // which has one thread, and no memory of the system
  bench::add_machine(all);
#endif
  bench::add_matrix_products(all);
  bench::add_ops(all);
  bench::add_layers(all);
  bench::add_translators(all);
  return all;
}

// Throws CLI::ValidationError for a name that fits nothing.
std::vector<Workload> choose(const std::vector<Workload>& all, const std::vector<std::string>& only) {
  std::vector<bool> chosen(all.size(), only.empty());
  for (const std::string& wanted : only) {
    bool is_known = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (fnmatch(wanted.c_str(), all[i].name.c_str(), 0) != 0) continue;
      chosen[i] = is_known = true;
    }
    if (!is_known) throw CLI::ValidationError("--only", "no workload is called " + wanted + "; --list shows them all");
  }
  std::vector<Workload> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) result.push_back(all[i]);
  }
  return result;
}

void run(const Options& options) {
  autograd::set_num_threads(options.measure.threads);
  for (const Workload& workload : choose(all_workloads(), options.only)) {
    if (options.list) {
      fmt::print("{:<24} {:<10} {}\n", workload.name, workload.peer, workload.sizes);
      continue;
    }
    autograd::manual_seed(1);
    const bench::Run run(workload, options.measure);
    workload.run(run);
    run.record("peak_rss", bench::peak_rss_mib(), "MiB");
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures Backstep, and the limits of this machine.", "bench");
  Options options;
  app.add_flag("--list", options.list, "Show the workloads with their sizes, and measure nothing");
  app.add_option("--only", options.only, "This workload; may be repeated, and may end with *")->allow_extra_args(false);
  app.add_option("--threads", options.measure.threads, "Threads of the large kernels (1)")->check(CLI::Range(1, 256));
  app.add_option("--seconds", options.measure.seconds, "Time for each figure (1)")->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
    run(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 1;
  }
}
