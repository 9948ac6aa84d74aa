// The limits of the machine: multiplications and additions per second, memory's bandwidth, the price of fresh memory.
// All other figures are judged by these.

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "bench/workload.h"

namespace bench {
namespace {

// ---- arithmetic ----------------------------------------------------------------------------------------------

// Independent chains hide the latency of a multiplication; 12 fit into 16 registers together with the two constants.
constexpr int chains = 12;

template <class T, int bytes> struct Vector { using Type [[gnu::vector_size(bytes)]] = T; };

// chain = chain * factor + term, in `chains` vectors at once; goes towards 1.
template <class T, int bytes> [[gnu::always_inline]] inline double multiply_add(std::int64_t rounds) {
  using Lanes = typename Vector<T, bytes>::Type;
  const Lanes factor = Lanes{} + static_cast<T>(0.999);
  const Lanes term = Lanes{} + static_cast<T>(0.001);
  Lanes chain[chains];
  for (int i = 0; i < chains; ++i) chain[i] = Lanes{} + static_cast<T>(i);
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (int i = 0; i < chains; ++i) chain[i] = chain[i] * factor + term;
  }
  Lanes sum = Lanes{};
  for (int i = 0; i < chains; ++i) sum += chain[i];
  return static_cast<double>(sum[0]);
}

struct ArithmeticLoop {
  const char* metric;
  double (*run)(std::int64_t rounds);
  int lanes;
  bool available;
};

double baseline_f32(std::int64_t rounds) {
  return multiply_add<float, 16>(rounds);
}
double baseline_f64(std::int64_t rounds) {
  return multiply_add<double, 16>(rounds);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] double avx2_f32(std::int64_t rounds) {
  return multiply_add<float, 32>(rounds);
}
[[gnu::target("avx2,fma")]] double avx2_f64(std::int64_t rounds) {
  return multiply_add<double, 32>(rounds);
}
[[gnu::target("avx512f")]] double avx512_f32(std::int64_t rounds) {
  return multiply_add<float, 64>(rounds);
}
[[gnu::target("avx512f")]] double avx512_f64(std::int64_t rounds) {
  return multiply_add<double, 64>(rounds);
}
#endif

std::vector<ArithmeticLoop> arithmetic_loops() {
  std::vector<ArithmeticLoop> loops = {{"baseline_f32", baseline_f32, 4, true},
                                       {"baseline_f64", baseline_f64, 2, true}};
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f");
  loops.insert(loops.end(), {{"avx2_f32", avx2_f32, 8, avx2},
                             {"avx2_f64", avx2_f64, 4, avx2},
                             {"avx512_f32", avx512_f32, 16, avx512},
                             {"avx512_f64", avx512_f64, 8, avx512}});
#endif
  return loops;
}

// Additions that wait for each other: one per clock cycle.
void additions_in_a_row(std::int64_t rounds) {
  std::uint64_t x = 0;
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (int i = 0; i < 8; ++i) {
      x += 1;
      asm volatile("" : "+r"(x));
    }
  }
}

// body(thread), on all threads at once.
void on_threads(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(body, thread);
  body(0);
  for (std::thread& other : others) other.join();
}

void peak_fma(const Run& run) {
  constexpr std::int64_t rounds = 4'000'000;
  const Timing additions = run.time([] { additions_in_a_row(rounds); });
  run.record_rate("clock", additions, 8.0 * rounds, 1e9, "GHz");
  for (const ArithmeticLoop& loop : arithmetic_loops()) {
    if (!loop.available) continue;
    const Timing timing = run.time([&] { on_threads(run.threads(), [&](int) { keep(loop.run(rounds)); }); });
    const double operations = 2.0 * chains * loop.lanes * static_cast<double>(rounds) * run.threads();
    run.record_rate(loop.metric, timing, operations, 1e9, "GFLOP/s");
  }
}

// ---- memory --------------------------------------------------------------------------------------------------

// Eight floats at a time: two loads for a processor with 16 bytes, one with AVX2.
using Lanes = Vector<float, 32>::Type;
using Buffer = std::vector<float>;

Buffer filled(std::size_t bytes) {
  return Buffer(bytes / sizeof(float), 0.5F);
}

// Sums in four chains at once, so that loading is what takes the time. Sizes are multiples of 128 bytes.
[[gnu::always_inline]] inline float sum_of(const Buffer& buffer) {
  Lanes sums[4] = {};
  const float* end = buffer.data() + buffer.size();
  for (const float* at = buffer.data(); at < end; at += 32) {
    for (int i = 0; i < 4; ++i) {
      Lanes lanes;
      std::memcpy(&lanes, at + 8 * i, sizeof lanes);
      sums[i] += lanes;
    }
  }
  const Lanes sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return sum[0] + sum[7];
}

// a = b + scale * c
[[gnu::always_inline]] inline void triad_of(Buffer& a, const Buffer& b, const Buffer& c, float scale) {
  for (std::size_t i = 0; i < a.size(); i += 8) {
    Lanes x;
    Lanes y;
    std::memcpy(&x, b.data() + i, sizeof x);
    std::memcpy(&y, c.data() + i, sizeof y);
    x += scale * y;
    std::memcpy(a.data() + i, &x, sizeof x);
  }
}

float portable_sum(const Buffer& buffer) {
  return sum_of(buffer);
}
void portable_triad(Buffer& a, const Buffer& b, const Buffer& c, float scale) {
  triad_of(a, b, c, scale);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] float avx2_sum(const Buffer& buffer) {
  return sum_of(buffer);
}
[[gnu::target("avx2,fma")]] void avx2_triad(Buffer& a, const Buffer& b, const Buffer& c, float scale) {
  triad_of(a, b, c, scale);
}
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
const auto sum = has_avx2() ? avx2_sum : portable_sum;
const auto triad = has_avx2() ? avx2_triad : portable_triad;
#else
const auto sum = portable_sum;
const auto triad = portable_triad;
#endif

// Reads `bytes` on each thread, `repeats` times per call.
void read_bandwidth(const Run& run, const std::string& metric, std::size_t bytes, int repeats) {
  const std::vector<Buffer> buffers(static_cast<std::size_t>(run.threads()), filled(bytes));
  const Timing timing = run.time([&] {
    on_threads(run.threads(), [&](int thread) {
      for (int i = 0; i < repeats; ++i) keep(sum(buffers[static_cast<std::size_t>(thread)]));
    });
  });
  run.record_rate(metric, timing, static_cast<double>(bytes) * repeats * run.threads(), 1e9, "GB/s");
}

void bandwidth(const Run& run) {
  read_bandwidth(run, "read_16KiB", 16 << 10, 40000);
  read_bandwidth(run, "read_256KiB", 256 << 10, 2000);
  read_bandwidth(run, "read_8MiB", 8 << 20, 50);
  read_bandwidth(run, "read_512MiB", 512 << 20, 1);

  constexpr std::size_t bytes = 256 << 20;
  using Three = std::array<Buffer, 3>;
  std::vector<Three> buffers(static_cast<std::size_t>(run.threads()), {filled(bytes), filled(bytes), filled(bytes)});
  const double all = static_cast<double>(bytes) * run.threads();
  const Timing copy = run.time([&] {
    on_threads(run.threads(), [&](int thread) {
      auto& [a, b, c] = buffers[static_cast<std::size_t>(thread)];
      std::memcpy(a.data(), b.data(), bytes);
      keep(a[0]);
    });
  });
  run.record_rate("copy_256MiB", copy, 2.0 * all, 1e9, "GB/s");
  const Timing three = run.time([&] {
    on_threads(run.threads(), [&](int thread) {
      auto& [a, b, c] = buffers[static_cast<std::size_t>(thread)];
      triad(a, b, c, 0.5F);
      keep(a[0]);
    });
  });
  run.record_rate("triad_256MiB", three, 3.0 * all, 1e9, "GB/s");
}

// What a program pays that gives large tensors back to the system after each step.
void first_touch(const Run& run) {
  constexpr std::size_t bytes = 64 << 20;
  constexpr std::size_t page = 4096;
  const auto map_and_touch = [&](bool huge) {
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (huge) madvise(mapped, bytes, MADV_HUGEPAGE);
    auto* at = static_cast<volatile char*>(mapped);
    for (std::size_t i = 0; i < bytes; i += page) at[i] = 1;
    munmap(mapped, bytes);
  };
  const Timing small = run.time([&] { map_and_touch(false); });
  run.record_rate("fresh_memory", small, static_cast<double>(bytes), 1e9, "GB/s");
  run.record_time("fresh_page", small, "ns/page", static_cast<double>(bytes / page));
  const Timing huge = run.time([&] { map_and_touch(true); });
  run.record_rate("fresh_memory_huge_pages", huge, static_cast<double>(bytes), 1e9, "GB/s");
}

}  // namespace

void add_machine(std::vector<Workload>& all) {
  all.push_back({"peak_fma", "multiply-add loops, 12 vectors at once", peak_fma, "machine"});
  all.push_back({"bandwidth", "sums over 16 KiB, 256 KiB, 8 MiB, 512 MiB; copy and a = b + s * c of 256 MiB arrays",
                 bandwidth, "machine"});
  all.push_back(
      {"first_touch", "map, touch and unmap 64 MiB, in pages of 4 KiB and in huge ones", first_touch, "machine"});
}

}  // namespace bench
