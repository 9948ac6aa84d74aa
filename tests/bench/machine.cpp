// The limits of the machine, by which all other figures are judged: multiply-adds per second, and memory's bandwidth.
// The loops are those of examples/fast_kernels, with the widest vectors that the processor has.
#include <cstdint>
#include <thread>
#include <vector>

#include "bench/workload.h"
#include "examples/fast_kernels/vectors.h"

namespace bench {
namespace {

const fast_kernels::Vectors& widest = *fast_kernels::supported_vectors().back();

// body(thread), on all threads at once.
void on_threads(int threads, const std::function<void(std::size_t)>& body) {
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(body, static_cast<std::size_t>(thread));
  body(0);
  for (std::thread& other : others) other.join();
}

void peak_fma(const Run& run) {
  constexpr std::int64_t steps = 4'000'000;
  const double timing =
      run.time([&] { on_threads(run.threads(), [](std::size_t) { keep(widest.multiply_adds(steps)); }); });
  const double vectors = 2.0 * widest.registers_in_use * double(steps) * run.threads();
  // A vector has half as many numbers of float64, and takes as long.
  run.record_rate("f32", timing, vectors * widest.bytes / sizeof(float), 1e9, "GFLOP/s");
  run.record_rate("f64", timing, vectors * widest.bytes / sizeof(double), 1e9, "GFLOP/s");
}

// Reads so much on each thread, `repeats` times per call.
void read_bandwidth(const Run& run, const std::string& metric, std::int64_t bytes, int repeats) {
  const std::int64_t count = bytes / 4;
  const std::vector<std::vector<float>> buffers(static_cast<std::size_t>(run.threads()),
                                                std::vector<float>(static_cast<std::size_t>(count), 0.5F));
  const double timing = run.time([&] {
    on_threads(run.threads(), [&](std::size_t thread) {
      for (int i = 0; i < repeats; ++i) keep(widest.read(buffers[thread].data(), count));
    });
  });
  run.record_rate(metric, timing, static_cast<double>(bytes) * repeats * run.threads(), 1e9, "GB/s");
}

void bandwidth(const Run& run) {
  read_bandwidth(run, "read_16KiB", 16 << 10, 40000);
  read_bandwidth(run, "read_256KiB", 256 << 10, 2000);
  read_bandwidth(run, "read_8MiB", 8 << 20, 50);
  read_bandwidth(run, "read_512MiB", 512 << 20, 1);
}

}  // namespace

void add_machine(std::vector<Workload>& all) {
  all.push_back({"peak_fma", "multiply-adds in registers", peak_fma, "machine"});
  all.push_back({"bandwidth", "sums over 16 KiB, 256 KiB, 8 MiB, 512 MiB", bandwidth, "machine"});
}

}  // namespace bench
