#include "autograd/tensor/error.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "autograd/text/printable.h"

namespace autograd {
namespace {

// In the order of ErrorId.
constexpr std::array names{"shape-mismatch",     "dtype-mismatch",      "bad-dim",          "index-out-of-range",
                           "token-out-of-range", "bad-argument",        "bad-length",       "not-a-scalar",
                           "no-graph",           "no-gradient",         "undefined-tensor", "in-place-clobber",
                           "in-place-on-leaf",   "in-place-on-view",    "wrong-gradient",   "nested-backward",
                           "not-differentiable", "state-dict-mismatch", "bad-file",         "bad-safetensors",
                           "out-of-memory"};
static_assert(names.size() == static_cast<std::size_t>(ErrorId::out_of_memory) + 1);

}  // namespace

Error::Error(ErrorId id, std::string_view op, Where where, const std::string& message)
    : std::runtime_error(printable_lines(message)), id_(id), op_size_(op.size()), where_(where) {}

std::string_view name(ErrorId id) {
  return names[static_cast<std::size_t>(id)];
}

std::vector<ErrorId> all_error_ids() {
  std::vector<ErrorId> ids;
  for (std::size_t i = 0; i < names.size(); ++i) ids.push_back(static_cast<ErrorId>(i));
  return ids;
}

std::string to_string(Where where) {
  if (where.line == 0) return "an unknown place";
  return fmt::format("{}:{}", file_from_here(where.file), where.line);
}

std::string file_from_here(std::string_view file) {
  std::error_code problem;
  const std::string folder = std::filesystem::current_path(problem).string() + "/";
  const bool is_below = !problem && file.starts_with(folder);
  return std::string(file.substr(is_below ? folder.size() : 0));
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

}  // namespace

void fail(ErrorId id, std::string_view op, Where where, std::string_view found, std::string_view advice) {
  if (running_composite.called_at.line != 0) where = running_composite.called_at;
  if (running_composite.op) op = running_composite.op;
  std::string message = fmt::format("[{}] {}: {}", name(id), op, found);
  const Differentiated running = differentiated ? differentiated() : Differentiated();
  const bool is_known = !running.what.empty() && is_same(running.called_at, where);
  if (where.line != 0 && !is_known) message += fmt::format("\n  at: {}", to_string(where));
  message += scope_line(current_scope());
  message += backward_line(running);
  message += fmt::format("\n  try: {}", advice);
  message += fmt::format("\n  more: docs/errors.md#{}", name(id));
  throw Error(id, op, where, message);
}

}  // namespace autograd
