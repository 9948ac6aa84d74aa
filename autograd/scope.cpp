#include "autograd/scope.h"

#include <fmt/core.h>

namespace autograd {
namespace {

thread_local Ref<Scope> innermost;

bool is_step(const std::string& name) {
  return name.rfind("step ", 0) == 0;
}

}  // namespace

void release(Scope* scope) {
  delete scope;
}

const Ref<Scope>& current_scope() {
  return innermost;
}

std::string scope_path(const Ref<Scope>& scope) {
  std::string path;
  for (Ref<Scope> at = scope; at; at = at->parent) {
    if (path.empty()) {
      path = at->name;
    } else {
      path = at->name + (is_step(path) ? ", " : ".") + path;
    }
  }
  return path;
}

Where scope_origin(const Ref<Scope>& scope) {
  Where origin;
  for (Ref<Scope> at = scope; at; at = at->parent) origin = at->called_from;
  return origin;
}

ScopeGuard::ScopeGuard(std::string_view name, Where called_from) {
  Ref<Scope> scope(new Scope);
  scope->parent = innermost;
  scope->name = name;
  scope->called_from = called_from;
  innermost = scope;
}

ScopeGuard::~ScopeGuard() {
  innermost = Ref<Scope>(innermost->parent);
}

StepScope::StepScope(std::int64_t step, Where where) : ScopeGuard(fmt::format("step {}", step), where) {}

}  // namespace autograd
