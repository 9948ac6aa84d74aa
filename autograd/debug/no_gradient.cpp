#include "autograd/debug/no_gradient.h"

#include <fmt/core.h>

#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_told = 3;  // ends of paths

bool is_same(Where a, Where b) {
  return a.line == b.line && std::string_view(a.file) == b.file;
}

// "at nn/layers/linear.cpp:28 in hidden, called at train.cpp:7"
std::string place_text(const OpCall& call) {
  std::string text = "at " + to_string(call.at);
  if (!call.module.empty()) text += " in " + printable(call.module);
  if (!is_same(call.at, call.called_from)) text += ", called at " + to_string(call.called_from);
  return text;
}

std::string op_text(const OpCall& call) {
  return call.number == 0 ? call.op : fmt::format("%{} {}", call.number, call.op);
}

std::string call_text(const OpCall& call) {
  return op_text(call) + " " + place_text(call);
}

// The last tensor on the path.
std::string last_text(const PathEnd& end) {
  return end.last.number == 0 ? "it" : fmt::format("the output of {}", call_text(end.last));
}

}  // namespace

std::string to_string(const PathEnd& end) {
  const std::string last = last_text(end);
  switch (end.reason) {
    case PathEnd::Reason::detached:
      return fmt::format("{}() {} took {} out of the graph", end.by.op, place_text(end.by), last);
    case PathEnd::Reason::grad_mode_off:
      return fmt::format("{} used {} and was not recorded: NoGradGuard", call_text(end.by), last);
    case PathEnd::Reason::no_derivative:
      return fmt::format("{} used {} and has no derivative", call_text(end.by), last);
    case PathEnd::Reason::overwritten: return fmt::format("{} overwrote {}", call_text(end.by), last);
    case PathEnd::Reason::other_pass:
      return fmt::format("its path leads to {}, where the pass of {} started, not this one", call_text(end.last),
                         to_string(end.pass));
    case PathEnd::Reason::none_flowed:
      return fmt::format("the backward of {} gave no gradient for {}", call_text(end.by), last);
    case PathEnd::Reason::not_asked: return fmt::format("grad() at {} did not ask for it", to_string(end.pass));
    case PathEnd::Reason::output_unused: break;
  }
  return fmt::format("nothing recorded used {}", last);
}

std::string reason_text(const NoGradient& finding) {
  switch (finding.reason) {
    case NoGradient::Reason::frozen:
      return fmt::format("requires_grad_(false) was called on it at {}", to_string(finding.where));
    case NoGradient::Reason::not_used: return "no op used it";
    case NoGradient::Reason::other_pass:
      return fmt::format("no op has used it since the pass of {}, which reached it", to_string(finding.where));
    case NoGradient::Reason::not_seen: return "its use was not seen: ops ran before the instrument was attached";
    case NoGradient::Reason::path_ends: break;
  }
  const bool goes_far = finding.used_by.number != 0 && finding.used_by.number != finding.ends[0].last.number;
  std::string text = goes_far ? fmt::format("{} used it; then ", call_text(finding.used_by)) : "";
  for (std::size_t i = 0; i < finding.ends.size() && i < most_told; ++i) {
    text += (i == 0 ? "" : "; also: ") + to_string(finding.ends[i]);
  }
  const std::size_t more = finding.ends.size() - std::min(finding.ends.size(), most_told);
  return more == 0 ? text : text + fmt::format("; and {} more ends of paths", more);
}

Where line_of(const PathEnd& end) {
  switch (end.reason) {
    case PathEnd::Reason::not_asked:
    case PathEnd::Reason::other_pass: return end.pass;
    case PathEnd::Reason::output_unused: return end.last.called_from;
    default: return end.by.called_from;
  }
}

Where line_of(const NoGradient& finding) {
  return finding.ends.empty() ? finding.where : line_of(finding.ends[0]);
}

std::string short_reason(const NoGradient& finding) {
  const std::string line = to_string(line_of(finding));
  switch (finding.reason) {
    case NoGradient::Reason::frozen: return fmt::format("requires_grad_(false) at {}", line);
    case NoGradient::Reason::not_used: return "no op used it";
    case NoGradient::Reason::other_pass: return fmt::format("not used since the pass of {}", line);
    case NoGradient::Reason::not_seen: return "its use was not seen";
    case NoGradient::Reason::path_ends: break;
  }
  const PathEnd& end = finding.ends[0];
  switch (end.reason) {
    case PathEnd::Reason::detached: return fmt::format("detached at {}", line);
    case PathEnd::Reason::grad_mode_off: return fmt::format("{} under NoGradGuard at {}", end.by.op, line);
    case PathEnd::Reason::no_derivative: return fmt::format("{} at {} has no derivative", end.by.op, line);
    case PathEnd::Reason::overwritten: return fmt::format("overwritten at {}", line);
    case PathEnd::Reason::other_pass: return fmt::format("in the pass of {}", line);
    case PathEnd::Reason::none_flowed: return fmt::format("none flowed through {} at {}", op_text(end.by), line);
    case PathEnd::Reason::not_asked: return "grad() did not ask for it";
    case PathEnd::Reason::output_unused: break;
  }
  return fmt::format("the output of {} at {} is not used", op_text(end.last), line);
}

std::string title(const NoGradient& finding) {
  if (!finding.name.empty()) return fmt::format("{} {}", finding.name, finding.shape);
  return fmt::format("{} of {}", finding.shape, to_string(finding.marked_at));
}

}  // namespace autograd::debug
