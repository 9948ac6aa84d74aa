#include "autograd/tensor/error.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "autograd/tensor/storage.h"
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

std::string summary_of(const ErrorParts& parts) {
  return fmt::format("[{}] {}: {}", name(parts.id), parts.op, parts.found);
}

std::string text_of(const ErrorParts& parts) {
  return fmt::format("{}{}\n  try: {}\n  more: docs/errors.md#{}", summary_of(parts), parts.context, parts.advice,
                     name(parts.id));
}

std::shared_ptr<const ErrorParts> harmless(ErrorParts parts) {
  for (std::string* part : {&parts.op, &parts.found, &parts.advice, &parts.context}) *part = printable_lines(*part);
  return std::make_shared<const ErrorParts>(std::move(parts));
}

}  // namespace

Error::Error(ErrorParts parts) : Error(harmless(std::move(parts))) {}
Error::Error(std::shared_ptr<const ErrorParts> parts) : std::runtime_error(text_of(*parts)), parts_(std::move(parts)) {}

std::string Error::summary() const {
  return summary_of(*parts_);
}

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
  where = line_of_program(where);
  if (around_op.composite.op) op = around_op.composite.op;
  const Differentiated running = around_op.pass ? around_op.pass->differentiated() : Differentiated();
  const bool is_known = !running.what.empty() && is_same(running.called_at, where);
  const std::string at = where.line != 0 && !is_known ? "\n  at: " + to_string(where) : "";
  throw Error({id, std::string(op), std::string(found), std::string(advice), where,
               at + scope_line(current_scope()) + backward_line(running)});
}

}  // namespace autograd
