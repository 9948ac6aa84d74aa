#include "autograd/debug/history.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "autograd/debug/known_leaves.h"
#include "autograd/debug/recording.h"
#include "autograd/debug/statistics.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_passes = 512;  // that are kept

double squares_of(const Tensor& tensor) {
  return statistics_of(tensor.to_vector()).squares;
}

// "decoder.rnn" of "decoder.rnn.weight_ih_l0"
std::string module_of_leaf(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(0, dot);
}

}  // namespace

void HistoryKeeper::pass_begins() {
  running_.push_back({++history_.count, {}});
}

void HistoryKeeper::leaf_gets(const Node& leaf, const Tensor& gradient) {
  const Tensor& weight = static_cast<const Leaf&>(leaf).tensor;
  const std::optional<KnownLeaf> known = known_leaf(weight);
  if (running_.empty() || !known) return;
  const Unobserved unobserved;
  Known& before = leaves_[known->id];
  const std::string name = label(leaf);
  if (before.module.empty() && name[0] != '%') before.module = module_of_leaf(name);
  if (before.module.empty()) return;
  Squares& sum = running_.back().modules[before.module];
  sum.gradient += squares_of(gradient);
  sum.weight += squares_of(weight);
  const bool is_same = before.weight.defined() && before.weight.shape() == weight.shape();
  sum.has_update = sum.has_update && is_same;
  if (is_same) sum.update += squares_of(weight.detach() - before.weight);
  before.weight = weight.detach().clone();
}

void HistoryKeeper::pass_ends(bool to_its_end) {
  if (running_.empty()) return;
  const Running ended = std::move(running_.back());
  running_.pop_back();
  if (!to_its_end || ended.modules.empty() || (ended.number - 1) % stride_ != 0) return;
  history_.passes.push_back(ended.number);
  for (const auto& [module, sum] : ended.modules) {
    const auto is_it = [&name = module](const ModuleHistory& one) { return one.module == name; };
    auto place = std::find_if(history_.modules.begin(), history_.modules.end(), is_it);
    if (place == history_.modules.end()) place = history_.modules.insert(place, {module, {}});
    place->sizes.resize(history_.passes.size());
    const double update = sum.has_update ? std::sqrt(sum.update) : ModuleSizes::unknown;
    place->sizes.back() = {std::sqrt(sum.gradient), std::sqrt(sum.weight), update};
  }
  for (ModuleHistory& module : history_.modules) module.sizes.resize(history_.passes.size());
  if (history_.passes.size() > most_passes) thin_out();
}

void HistoryKeeper::thin_out() {
  stride_ *= 2;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < history_.passes.size(); ++i) {
    if ((history_.passes[i] - 1) % stride_ != 0) continue;
    history_.passes[kept] = history_.passes[i];
    for (ModuleHistory& module : history_.modules) module.sizes[kept] = module.sizes[i];
    ++kept;
  }
  history_.passes.resize(kept);
  for (ModuleHistory& module : history_.modules) module.sizes.resize(kept);
}

}  // namespace autograd::debug
