#include "autograd/tensor/error.h"

#include <fmt/core.h>

#include <utility>

namespace autograd {

std::string_view name(ErrorId id) {
  switch (id) {
    case ErrorId::shape_mismatch: return "shape-mismatch";
    case ErrorId::dtype_mismatch: return "dtype-mismatch";
    case ErrorId::bad_dim: return "bad-dim";
    case ErrorId::index_out_of_range: return "index-out-of-range";
    case ErrorId::token_out_of_range: return "token-out-of-range";
    case ErrorId::bad_argument: return "bad-argument";
    case ErrorId::bad_length: return "bad-length";
    case ErrorId::not_a_scalar: return "not-a-scalar";
    case ErrorId::no_graph: return "no-graph";
    case ErrorId::no_gradient: return "no-gradient";
    case ErrorId::undefined_tensor: return "undefined-tensor";
    case ErrorId::in_place_clobber: return "in-place-clobber";
    case ErrorId::in_place_on_leaf: return "in-place-on-leaf";
    case ErrorId::in_place_on_view: return "in-place-on-view";
    case ErrorId::wrong_gradient: return "wrong-gradient";
    case ErrorId::nested_backward: return "nested-backward";
    case ErrorId::not_differentiable: return "not-differentiable";
    case ErrorId::state_dict_mismatch: return "state-dict-mismatch";
    case ErrorId::bad_file: return "bad-file";
    case ErrorId::bad_safetensors: return "bad-safetensors";
    case ErrorId::out_of_memory: return "out-of-memory";
  }
  return "?";
}

const std::vector<ErrorId>& all_error_ids() {
  static const std::vector<ErrorId> ids = [] {
    std::vector<ErrorId> list;
    for (int i = 0; i <= static_cast<int>(ErrorId::out_of_memory); ++i) list.push_back(static_cast<ErrorId>(i));
    return list;
  }();
  return ids;
}

std::string to_string(Where where) {
  if (where.line == 0) return "an unknown place";
  return fmt::format("{}:{}", where.file, where.line);
}

namespace {

// The module calls around the op, unless there are none.
std::string scope_line(const Ref<Scope>& scope) {
  if (!scope) return "";
  const Where origin = scope_origin(scope);
  const std::string called = origin.line == 0 ? "" : ", called at " + to_string(origin);
  return fmt::format("\n  in: {}{}", scope_path(scope), called);
}

// Inside backward(), the line to look at is that of the op being differentiated.
std::string backward_line(const Differentiated& op) {
  return op.what.empty() ? "" : fmt::format("\n  in {}{}", op.what, scope_line(op.scope));
}

bool is_same(Where a, Where b) {
  return a.line == b.line && std::string_view(a.file) == b.file;
}

// A NUL, which may come from a damaged file, would end what().
std::string without_nul(std::string text) {
  for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) text.replace(at, 1, "\\0");
  return text;
}

}  // namespace

void fail(ErrorId id, std::string_view op, Where where, std::string_view found, std::string_view advice) {
  if (composite_called_at.line != 0) where = composite_called_at;
  std::string message = fmt::format("[{}] {}: {}", name(id), op, found);
  const Differentiated running = differentiated ? differentiated() : Differentiated();
  const bool is_known = !running.what.empty() && is_same(running.called_at, where);
  if (where.line != 0 && !is_known) message += fmt::format("\n  at: {}", to_string(where));
  message += scope_line(current_scope());
  message += backward_line(running);
  message += fmt::format("\n  try: {}", advice);
  message += fmt::format("\n  more: docs/errors.md#{}", name(id));
  throw Error(id, where, without_nul(std::move(message)));
}

}  // namespace autograd
