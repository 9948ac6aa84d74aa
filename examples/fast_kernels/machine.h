// What this machine can do at most with one thread, measured when it is first asked for.
#pragma once

namespace fast_kernels {

// Floating-point operations per second in registers; a multiply-add counts as two.
double peak_flops();

// Bytes per second when so many bytes are read again and again: from a cache if they fit one, else from memory.
double bandwidth(double bytes);

void print_machine();

}  // namespace fast_kernels
