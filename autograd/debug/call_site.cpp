#include "autograd/debug/call_site.h"

#include <fmt/core.h>

namespace autograd::debug {
namespace {

// "decoder.attention." of "decoder.attention, step 3".
std::string module_without_steps(const Node& node) {
  std::string path;
  for (Ref<Scope> at = node.scope; at; at = at->parent) {
    if (at->name.rfind("step ", 0) != 0) path = at->name + "." + path;
  }
  return path;
}

}  // namespace

std::string place_of(const Node& node) {
  return fmt::format("{} {} {} {} {}", node.name(), node.called_at.file, node.called_at.line,
                     node.backward_of ? node.backward_of->text.name : "", module_without_steps(node));
}

}  // namespace autograd::debug
