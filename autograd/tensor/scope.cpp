#include "autograd/tensor/scope.h"

#include <fmt/core.h>

namespace autograd {
namespace {

bool is_step(const std::string& name) {
  return name.rfind("step ", 0) == 0;
}

}  // namespace

bool is_in_library(Where where) {
  const std::string_view file = where.file;
  return file.starts_with("nn/") || file.starts_with("autograd/");
}

void release(Scope* scope) {
  delete scope;
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
  Where outermost;
  for (Ref<Scope> at = scope; at; at = at->parent) {
    if (is_step(at->name)) continue;
    if (!is_in_library(at->called_from)) return at->called_from;
    outermost = at->called_from;
  }
  return outermost;
}

ScopeGuard::ScopeGuard(std::string_view name, Where called_from) : scope_(new Scope) {
  scope_->parent = current_scope();
  scope_->name = name;
  scope_->called_from = called_from;
  innermost_scope = scope_.get();
}

ScopeGuard::~ScopeGuard() {
  innermost_scope = scope_->parent.get();
}

StepScope::StepScope(std::int64_t step, Where where) : ScopeGuard(fmt::format("step {}", step), where) {}

}  // namespace autograd
