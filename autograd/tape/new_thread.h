// Tells instruments of a thread that begins to work on graphs: an Observer is attached in one thread only.
#pragma once

namespace autograd {

// Called in each thread before its first op is put on the tape, or before its first backward pass runs an op.
using ThreadBegins = void (*)();
void call_in_new_threads(ThreadBegins begins);

// For the tape: calls it, once in each thread.
void begin_thread();

}  // namespace autograd
