// Measures ops, layers, training steps, decoding, and the limits of the machine (docs/performance.md).
// tests/bench/compare lays another project's benchmark beside it that has the same names, sizes and output.
//
//   bench --list
//   taskset -c 0 bench --only 'gemm_*' --only seq2seq_step --seconds 2
//
// Each line printed is "workload peer metric value unit". Figures are medians after a warm-up.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/isolation.h"
#include "bench/workload.h"

namespace {

using bench::Figure;
using bench::Workload;

struct Options {
  bench::MeasureOptions measure;
  std::vector<std::string> only;
  std::string json;
  bool list = false;
  bool isolate = true;
};

std::vector<Workload> all_workloads() {
  std::vector<Workload> all;
  bench::add_machine(all);
  bench::add_matrix_products(all);
  bench::add_functions(all);
  bench::add_graphs(all);
  bench::add_gradbench(all);
  bench::add_attention(all);
  bench::add_recurrent_layers(all);
  bench::add_training_steps(all);
  bench::add_decoding(all);
  bench::add_scaling(all);
  return all;
}

// "gemm_f32_64", or "gemm_*" for all that begin so.
bool matches(const std::string& wanted, const std::string& name) {
  if (!wanted.ends_with('*')) return name == wanted;
  return name.starts_with(wanted.substr(0, wanted.size() - 1));
}

// Throws CLI::ValidationError for a name that fits nothing.
std::vector<Workload> choose(const std::vector<Workload>& all, const std::vector<std::string>& only) {
  if (only.empty()) return all;
  std::vector<bool> chosen(all.size(), false);
  for (const std::string& wanted : only) {
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!matches(wanted, all[i].name)) continue;
      chosen[i] = true;
      any = true;
    }
    if (!any) throw CLI::ValidationError("--only", "no workload is called " + wanted + "; --list shows them all");
  }
  std::vector<Workload> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) result.push_back(all[i]);
  }
  return result;
}

void print(const Figure& figure) {
  std::printf("%s %s %s %.6g %s\n", figure.workload.c_str(), figure.peer.c_str(), figure.metric.c_str(), figure.value,
              figure.unit.c_str());
  std::fflush(stdout);
  if (figure.disturbed > 0.2) {
    std::fprintf(stderr, "note: another program held the core during %.0f %% of the samples of the line above\n",
                 100.0 * figure.disturbed);
  }
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line)) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

nlohmann::json to_json(const Options& options, const std::vector<Figure>& figures) {
  nlohmann::json results = nlohmann::json::array();
  for (const Figure& figure : figures) {
    results.push_back({{"workload", figure.workload},
                       {"peer", figure.peer},
                       {"metric", figure.metric},
                       {"value", figure.value},
                       {"unit", figure.unit},
                       {"low", figure.low},
                       {"high", figure.high},
                       {"samples", figure.samples},
                       {"disturbed", figure.disturbed}});
  }
  return {{"cpu", processor()}, {"threads", options.measure.threads}, {"results", results}};
}

// Returns the exit status.
int run(const Options& options) {
  const std::vector<Workload> workloads = choose(all_workloads(), options.only);
  if (options.list) {
    for (const Workload& one : workloads) {
      std::printf("%-24s %-10s %s\n", one.name.c_str(), one.peer.c_str(), one.sizes.c_str());
    }
    return 0;
  }
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);  // now, so that a bad name is known before hours of measuring
    if (!json) throw CLI::ValidationError("--json", "cannot write " + options.json);
  }
  std::vector<Figure> figures;
  const auto tell = [&](const Figure& figure) {
    print(figure);
    figures.push_back(figure);
  };
  bool well = true;
  for (const Workload& workload : workloads) {
    if (options.isolate) {
      well &= bench::run_in_child(workload, options.measure, tell);
    } else {
      bench::run_here(workload, options.measure, tell);
    }
  }
  if (json.is_open()) json << to_json(options, figures).dump(1) << '\n';
  return well ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures Backstep, and the limits of this machine.", "bench");
  Options options;
  app.add_flag("--list", options.list, "Show the workloads with their sizes, and measure nothing");
  app.add_option("--only", options.only, "This workload; may be repeated, and may end with *")->allow_extra_args(false);
  app.add_option("--threads", options.measure.threads, "Threads of the large kernels (1)")->check(CLI::Range(1, 256));
  app.add_option("--seconds", options.measure.seconds, "Time for each figure (1)")->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "Write the figures to this file too, with their spread");
  app.add_flag("!--no-isolate", options.isolate, "Run in this process instead of one for each, for profilers");
  try {
    app.parse(argc, argv);
    return run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return 1;
  }
}
