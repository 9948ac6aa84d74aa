// Draws how time and memory grow with the length of a sequence and with the depth of a graph (docs/performance.md):
//
//   bench --only 'scaling_*' --json figures.json
//   draw_scaling figures.json docs/pictures
//
// A cost per step that stays the same is a cost that grows in proportion.

#include <fmt/core.h>
#include <nn/pictures/line_chart.h>

#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace {

using nlohmann::json;

// The values of `metric`, over the number at the end of the workload's name.
nn::ChartSeries series(const json& results, const std::string& workloads, const std::string& metric,
                       const std::string& name, double scale) {
  nn::ChartSeries line{.name = name, .markers = true};
  for (const json& one : results) {
    const std::string workload = one.at("workload");
    if (!workload.starts_with(workloads) || one.at("metric") != metric) continue;
    line.x.push_back(std::stod(workload.substr(workloads.size())));
    line.y.push_back(scale * one.at("value").get<double>());
  }
  if (line.x.empty()) throw std::runtime_error(fmt::format("no figures of {}* for {}", workloads, metric));
  return line;
}

void draw(const std::string& path, const std::vector<nn::ChartSeries>& lines, nn::LineChartOptions options) {
  options.x_logarithmic = true;
  options.y_from_zero = true;
  nn::write_line_chart_svg(path, lines, options);
  fmt::print("{}\n", path);
}

void draw_all(const json& results, const std::string& folder) {
  const std::string length = "scaling_length_";
  const std::string depth = "scaling_depth_";
  draw(folder + "/scaling-length-time.svg",
       {series(results, length, "forward", "forward", 1e-3),
        series(results, length, "forward_backward", "forward and backward", 1e-3)},
       {.title = "A decoder with attention: time per step", .x_axis = "steps", .y_axis = "microseconds"});
  draw(folder + "/scaling-length-memory.svg", {series(results, length, "memory", "peak", 1.0 / 1024)},
       {.title = "A decoder with attention: memory per step", .x_axis = "steps", .y_axis = "KiB"});
  draw(folder + "/scaling-depth-time.svg",
       {series(results, depth, "forward", "forward", 1.0),
        series(results, depth, "forward_backward", "forward and backward", 1.0)},
       {.title = "A chain of additions: time per op", .x_axis = "ops", .y_axis = "nanoseconds"});
  draw(folder + "/scaling-depth-memory.svg", {series(results, depth, "memory", "peak", 1.0)},
       {.title = "A chain of additions: memory per op", .x_axis = "ops", .y_axis = "bytes"});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: draw_scaling FIGURES.json FOLDER\n");
    return 2;
  }
  try {
    std::ifstream file(argv[1]);
    if (!file) throw std::runtime_error(fmt::format("cannot read {}", argv[1]));
    draw_all(json::parse(file).at("results"), argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "draw_scaling: {}\n", error.what());
    return 1;
  }
}
