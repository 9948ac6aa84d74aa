// Private to the kernels: a promise to the compiler.
#pragma once

// The next loop may be vectorised without a check at run time that its arrays do not overlap.
#ifdef __clang__
#define BACKSTEP_INDEPENDENT_STEPS _Pragma("clang loop vectorize(assume_safety)")
#else
#define BACKSTEP_INDEPENDENT_STEPS _Pragma("GCC ivdep")
#endif
