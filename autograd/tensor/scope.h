// Scope: the module call that an op runs in ("encoder.rnn, step 3"), and the line of the user's program that made the
// call. nn::Module opens a scope at every call and a loop over time opens one at every step, so that an error or a
// debugger can say more than "matmul at nn/layers/linear.cpp:21".
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "autograd/memory/recycler.h"
#include "autograd/memory/ref.h"
#include "autograd/tensor/where.h"

namespace autograd {

struct Scope {
  std::uint32_t refs = 0;
  Ref<Scope> parent;
  static constexpr std::int64_t no_step = std::numeric_limits<std::int64_t>::min();
  std::string name;             // of a module call: "rnn"
  std::int64_t step = no_step;  // of a loop's step, which has no name
  Where called_from;            // the line that made the call
  bool is_step() const { return step != no_step; }

  static void* operator new(std::size_t bytes) { return recycler::allocate(bytes); }
  static void operator delete(void* block, std::size_t bytes) { recycler::deallocate(block, bytes); }
};

void release(Scope* scope);

struct RunningPass;  // storage.h

// What ops run in now, on this thread. The innermost scope and pass, as plain pointers: a
// ScopeGuard owns the scope, and a Pass lives on the stack of backward().
struct Around {
  Scope* scope = nullptr;
  const RunningPass* pass = nullptr;
  // The composite, and the line that called it: nodes recorded meanwhile, and errors, belong to both.
  struct Composite {
    const char* op = nullptr;
    Where called_at = {};
  } composite = {};
};
inline constinit thread_local Around around_op = {};

// The line that called the composite around this op; without one, the op's own.
inline Where line_of_program(Where op_called_at) {
  return around_op.composite.called_at.line != 0 ? around_op.composite.called_at : op_called_at;
}

inline Ref<Scope> current_scope() {
  return Ref<Scope>(around_op.scope);
}

// "rnn", or "step 3".
std::string scope_name(const Scope& scope);
// The names from the outermost call to this one, "encoder.rnn, step 3"; "" for no scope.
std::string scope_path(const Ref<Scope>& scope);

// Is this a line of the engine or of nn? They are compiled with paths from the project's top folder.
bool is_in_library(Where where);

// The innermost line of the user's program that called a module: none of the library's, nor that of a loop's step.
Where scope_origin(const Ref<Scope>& scope);

// Opens a scope for the lifetime of the object:  ScopeGuard scope("rnn", where);
class ScopeGuard {
 public:
  ScopeGuard(std::string_view name, Where called_from);
  ~ScopeGuard();
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Ref<Scope> scope_;
};

// A composite op opens one, with its name and the line of its caller:  const CompositeGuard composite("square", where);
class CompositeGuard {
 public:
  CompositeGuard(const char* op, Where called_at) : before_(around_op.composite) {
    // Where composites nest, the outermost counts.
    if (!before_.op) around_op.composite.op = op;
    if (before_.called_at.line == 0) around_op.composite.called_at = called_at;
  }
  ~CompositeGuard() { around_op.composite = before_; }
  CompositeGuard(const CompositeGuard&) = delete;
  CompositeGuard& operator=(const CompositeGuard&) = delete;

 private:
  Around::Composite before_;
};

// Names a step of a loop:  for (t ...) { StepScope step(t); ... }
class StepScope : public ScopeGuard {
 public:
  explicit StepScope(std::int64_t step, Where where = Where::current());
};

}  // namespace autograd
