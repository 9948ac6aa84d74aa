// Two bits of the processor's control register, of which every thread has its own.
#include "autograd/kernels/denormal.h"

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace autograd::kernels {
namespace {

#if defined(__x86_64__)

using Control = unsigned;
constexpr bool can_flush = true;
constexpr Control flush_bits = 0x8040;  // of MXCSR: results (FTZ) and operands (DAZ)
Control read_control() {
  return _mm_getcsr();
}
void write_control(Control control) {
  _mm_setcsr(control);
}

#elif defined(__aarch64__)

using Control = std::uint64_t;
constexpr bool can_flush = true;
constexpr Control flush_bits = 1 << 24;  // of FPCR: FZ, for both
Control read_control() {
  Control control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
void write_control(Control control) {
  asm volatile("msr fpcr, %0" : : "r"(control));
}

#else

using Control = unsigned;
constexpr bool can_flush = false;
constexpr Control flush_bits = 0;
Control read_control() {
  return 0;
}
void write_control(Control) {}

#endif

}  // namespace

bool set_flush_denormal(bool flush) {
  const Control others = read_control() & ~flush_bits;
  write_control(flush ? others | flush_bits : others);
  return can_flush;
}

bool flushes_denormals() {
  return (read_control() & flush_bits) != 0;
}

}  // namespace autograd::kernels
