#include "autograd/tensor/scope.h"

#include <fmt/core.h>

namespace autograd {

bool is_in_library(Where where) {
  const std::string_view file = where.file;
  return file.starts_with("nn/") || file.starts_with("autograd/");
}

void release(Scope* scope) {
  delete scope;
}

std::string scope_name(const Scope& scope) {
  return scope.is_step() ? fmt::format("step {}", scope.step) : scope.name;
}

std::string scope_path(const Ref<Scope>& scope) {
  std::string path;
  bool before_step = false;
  for (Ref<Scope> at = scope; at; at = at->parent) {
    const char* separator = path.empty() ? "" : before_step ? ", " : ".";
    path = scope_name(*at) + separator + path;
    before_step = at->is_step();
  }
  return path;
}

Where scope_origin(const Ref<Scope>& scope) {
  Where outermost;
  for (Ref<Scope> at = scope; at; at = at->parent) {
    if (at->is_step()) continue;
    if (!is_in_library(at->called_from)) return at->called_from;
    outermost = at->called_from;
  }
  return outermost;
}

ScopeGuard::ScopeGuard(std::string_view name, Where called_from) : scope_(new Scope) {
  scope_->parent = current_scope();
  scope_->name = name;
  scope_->called_from = called_from;
  around_op.scope = scope_.get();
}

ScopeGuard::~ScopeGuard() {
  around_op.scope = scope_->parent.get();
}

StepScope::StepScope(std::int64_t step, Where where) : ScopeGuard("", where) {
  around_op.scope->step = step;
}

}  // namespace autograd
