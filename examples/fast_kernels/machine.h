// What this machine can do at most with one thread, measured when it is first asked for.
#pragma once

#include <cstdint>
#include <vector>

namespace fast_kernels {

// Floating-point operations per second in registers; a multiply-add counts as two.
double peak_flops();

// Bytes per second when so many bytes are read again and again: from a cache if they fit one, else from memory.
double bandwidth(double bytes);

struct Bandwidth {
  double bytes;
  double per_second;
};
const std::vector<Bandwidth>& bandwidths();

// Seconds to write so many bytes of memory: that the system has just given, in pages of 4 KiB or in huge ones, or that
// the program has used before.
enum class Pages { fresh, fresh_huge, used };
double seconds_to_fill(std::int64_t bytes, Pages pages);

void print_machine();

}  // namespace fast_kernels
