// Moments of which instruments must know even while no Observer is attached: passes and threads that begin, and leaves
// that are marked or named. listen() has the tape tell of them from then on.
#pragma once

#include <atomic>
#include <cstdint>

#include "autograd/tape/observer.h"

namespace autograd::debug {

void listen();

using Told = void (*)();
inline constinit std::atomic<Told> told_of_passes = nullptr;   // at the beginning of a pass that is inside no other
inline constinit std::atomic<Told> told_of_threads = nullptr;  // before a thread's first op, or its first pass
using ToldOfLeaf = void (*)(const Tensor& leaf, Where where);
inline constinit std::atomic<ToldOfLeaf> told_of_leaves = nullptr;  // requires_grad_() or set_name() of a leaf

// How many passes of this thread have begun, but for those inside others.
inline constinit thread_local std::int64_t outer_passes_begun = 0;

}  // namespace autograd::debug
