// Private to the kernels: what this thread's arithmetic makes of denormal numbers, those so small that they have fewer
// digits. Many processors take a hundred times as long for them.
#pragma once

namespace autograd::kernels {

// From now on, this thread takes denormal numbers for 0, in operands and in results, or no longer. False where the
// processor cannot be told.
bool set_flush_denormal(bool flush);
bool flushes_denormals();

}  // namespace autograd::kernels
