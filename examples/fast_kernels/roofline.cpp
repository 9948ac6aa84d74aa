#include "examples/fast_kernels/roofline.h"

#include <nn/pictures/line_chart.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>

namespace fast_kernels {
namespace {

// What the printed tables say.
struct Measured {
  double peak = 0;                 // GFLOP/s
  std::vector<double> bandwidths;  // GB/s, of the first cache first, of memory last
  std::vector<nn::ChartSeries> kernels;
};

// A line of a table: "   5 packed      24.33 ms  88.26  67.2 %  32.3".
struct Version {
  std::string name;
  double seconds = 0;
  double rate = 0;
};

std::optional<Version> read_version(const std::string& line) {
  static const std::map<std::string, double> units = {{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  constexpr std::size_t end_of_name = 46;
  int number = 0;
  double time = 0;
  double rate = 0;
  char unit[3] = "";
  if (line.size() < end_of_name || std::sscanf(line.c_str(), "%d", &number) != 1) return std::nullopt;
  if (std::sscanf(line.c_str() + end_of_name, "%lf %2s %lf", &time, unit, &rate) != 3) return std::nullopt;
  return Version{line.substr(0, end_of_name), time * units.at(unit), rate};
}

// One table after the other: a title, the work of a call, and the versions.
class Tables {
 public:
  Tables(const std::vector<std::string>& wanted, Measured& measured) : wanted_(wanted), measured_(measured) {}

  void read(const std::string& line) {
    double number = 0;
    if (std::sscanf(line.c_str(), " multiply-adds in registers %lf", &number) == 1) measured_.peak = number;
    if (std::sscanf(line.c_str(), " reading %*d KiB %lf", &number) == 1) measured_.bandwidths.push_back(number);
    if (!line.empty() && line[0] != ' ') begin(line);
    double flops = 0;
    double bytes = 0;
    if (std::sscanf(line.c_str(), " %lf MFLOP, %*f GFLOP/s at most; %lf MB", &flops, &bytes) == 2) {
      megaflops_ = flops;
      megabytes_ = bytes;
    }
    if (const auto version = read_version(line); version && is_wanted_) add(*version);
  }

 private:
  void begin(const std::string& title) {
    const std::string kernel = title.substr(0, title.find(':'));
    is_wanted_ = std::find(wanted_.begin(), wanted_.end(), kernel) != wanted_.end();
    if (!is_wanted_) return;
    const bool again = !measured_.kernels.empty() && measured_.kernels.back().name == kernel;
    measured_.kernels.push_back({.name = again ? kernel + ", more" : kernel, .markers = true});
  }

  void add(const Version& version) {
    if (version.name.find(" threads") != std::string::npos) return;
    nn::ChartSeries& series = measured_.kernels.back();
    double operations = 0;  // a byte, where the versions have different work to do
    const std::size_t own = version.name.find(": ");
    if (own != std::string::npos &&
        std::sscanf(version.name.c_str() + own, ": %lf operations a byte", &operations) == 1) {
      series.x.push_back(operations);
      series.y.push_back(version.rate);
    } else {
      series.x.push_back(megaflops_ / megabytes_);
      series.y.push_back(megaflops_ / 1e3 / version.seconds);
    }
  }

  const std::vector<std::string>& wanted_;
  Measured& measured_;
  double megaflops_ = 0;
  double megabytes_ = 0;
  bool is_wanted_ = false;
};

Measured read_tables(const std::string& path, const std::vector<std::string>& kernels) {
  Measured measured;
  Tables tables(kernels, measured);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) tables.read(line);
  if (measured.bandwidths.empty()) throw std::runtime_error(path + " has no tables of fast_kernels");
  return measured;
}

// min(peak, operations per byte * bytes per second)
nn::ChartSeries roof(const std::string& name, double peak, double bandwidth) {
  nn::ChartSeries line = {.name = name};
  for (double exponent = -3; exponent <= 10; exponent += 0.125) {
    const double flops_per_byte = std::exp2(exponent);
    line.x.push_back(flops_per_byte);
    line.y.push_back(std::min(peak, flops_per_byte * bandwidth));
  }
  return line;
}

}  // namespace

void write_roofline(const std::string& path, const std::string& tables, const std::vector<std::string>& kernels) {
  const Measured measured = read_tables(tables, kernels);
  std::vector<nn::ChartSeries> series = {roof("what memory allows", measured.peak, measured.bandwidths.back())};
  series.push_back(roof("what the first cache allows", measured.peak, measured.bandwidths.front()));
  series.back().dashed = true;
  series.back().same_colour_as = 0;
  series.insert(series.end(), measured.kernels.begin(), measured.kernels.end());
  nn::write_line_chart_svg(path, series,
                           {.title = "The roofline, and the versions of our kernels below it",
                            .x_axis = "floating-point operations per byte",
                            .y_axis = "GFLOP/s",
                            .x_logarithmic = true,
                            .y_logarithmic = true});
}

}  // namespace fast_kernels
