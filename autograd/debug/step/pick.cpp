#include "autograd/debug/step/pick.h"

#include <fmt/core.h>

#include "autograd/composites/composites.h"
#include "autograd/debug/unobserved.h"

namespace autograd::debug {
namespace {

std::string text_of(const Pick& pick) {
  if (!pick.is_range) return fmt::format("{}", pick.start);
  std::string text = pick.start == 0 ? ":" : fmt::format("{}:", pick.start);
  if (pick.stop != INT64_MAX) text += fmt::format("{}", pick.stop);
  return pick.step == 1 ? text : text + fmt::format(":{}", pick.step);
}

}  // namespace

std::string text_of(const std::vector<Pick>& picks) {
  std::string text;
  for (const Pick& pick : picks) text += (text.empty() ? "[" : ", ") + text_of(pick);
  return picks.empty() ? "" : text + "]";
}

Tensor pick_from(const Tensor& tensor, const std::vector<Pick>& picks) {
  if (picks.empty()) return tensor;
  const Unobserved unobserved;
  std::vector<Index> indices;
  for (const Pick& pick : picks) {
    if (pick.is_range) {
      indices.emplace_back(Slice{pick.start, pick.stop, pick.step});
    } else {
      indices.emplace_back(pick.start);
    }
  }
  return index(tensor, indices);
}

}  // namespace autograd::debug
