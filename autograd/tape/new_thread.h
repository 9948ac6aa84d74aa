// Tells instruments of what an Observer does not see: a thread that begins to work on graphs, and passes that run while
// it is not attached.
#pragma once

namespace autograd {

// Called in each thread before its first op is put on the tape, or before its first backward pass runs an op.
using ThreadBegins = void (*)();
void call_in_new_threads(ThreadBegins begins);

// Called at the beginning of every pass of any thread.
using PassBegins = void (*)();
void call_before_passes(PassBegins begins);

// For the tape.
void begin_thread();
void begin_pass();

}  // namespace autograd
