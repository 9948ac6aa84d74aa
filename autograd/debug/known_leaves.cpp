#include "autograd/debug/known_leaves.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "autograd/debug/moments.h"
#include "autograd/tensor/scope.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_freed = 1000;  // that are remembered

struct Leaves {
  std::mutex mutex;
  int listeners = 0;
  std::uint64_t last_id = 0;
  std::uint64_t passes = 0;
  std::map<std::uint64_t, KnownLeaf> living;
  std::unordered_map<const TensorImpl*, std::uint64_t> ids;
  std::vector<KnownLeaf> freed;  // without a gradient
};

// Never freed, because tensors with static lifetime are told of.
Leaves& leaves() {
  static Leaves& all = *new Leaves;
  return all;
}

// A gradient may have arrived in a pass that no instrument saw.
bool lacks_gradient(const KnownLeaf& leaf, const Leaves& all) {
  const bool had_gradient = leaf.tensor && leaf.tensor->meta && leaf.tensor->meta->had_gradient;
  const bool can_be_named = !leaf.name.empty() || (leaf.marked_at.line != 0 && !is_in_library(leaf.marked_at));
  return !leaf.reached && !had_gradient && all.passes > leaf.born && can_be_named;
}

void forget(std::uint64_t id) {
  Leaves& all = leaves();
  const std::lock_guard lock(all.mutex);
  const auto place = all.living.find(id);
  if (place == all.living.end()) return;
  KnownLeaf& leaf = place->second;
  const bool remembered = lacks_gradient(leaf, all) && all.freed.size() < most_freed;
  all.ids.erase(leaf.tensor);
  leaf.tensor = nullptr;
  if (remembered) all.freed.push_back(std::move(leaf));
  all.living.erase(place);
}

// The tensor owns a token, whose destructor says that it is freed.
std::shared_ptr<void> token_for(std::uint64_t id) {
  return std::shared_ptr<void>(nullptr, [id](void*) { forget(id); });
}

// Calls change(leaf) for the entry of this tensor, which is made if it has none and `adds` is true.
template <class Change> void with_leaf(const Tensor& tensor, bool adds, Change&& change) {
  Leaves& all = leaves();
  std::shared_ptr<void> token;
  {
    const std::lock_guard lock(all.mutex);
    const auto place = all.ids.find(tensor.impl());
    if (place != all.ids.end()) return change(all.living.at(place->second));
    if (!adds || all.listeners == 0) return;
    const std::uint64_t id = ++all.last_id;
    KnownLeaf leaf;
    leaf.id = id;
    leaf.name = tensor.name();
    leaf.shape = tensor.shape();
    leaf.dtype = tensor.dtype();
    leaf.born = all.passes;
    leaf.tensor = tensor.impl();
    change(leaf);
    all.living.emplace(id, std::move(leaf));
    all.ids.emplace(tensor.impl(), id);
    token = token_for(id);
  }
  std::swap(meta_of(tensor).watched, token);
}

void told(const Tensor& tensor, Where where) {
  with_leaf(tensor, tensor.requires_grad(), [&](KnownLeaf& leaf) {
    leaf.name = tensor.name();
    leaf.frozen = !tensor.requires_grad();
    if (where.line != 0) (leaf.frozen ? leaf.frozen_at : leaf.marked_at) = where;
  });
}

}  // namespace

LeafListener::LeafListener() {
  Leaves& all = leaves();
  const std::lock_guard lock(all.mutex);
  ++all.listeners;
  told_of_leaves = told;
  listen();
}

LeafListener::~LeafListener() {
  Leaves& all = leaves();
  const std::lock_guard lock(all.mutex);
  if (--all.listeners > 0) return;
  told_of_leaves = nullptr;
  all.living.clear();
  all.ids.clear();
  all.freed.clear();
}

KnownLeaf use_leaf(const Tensor& leaf) {
  KnownLeaf result;
  with_leaf(leaf, true, [&](KnownLeaf& known) {
    known.used = true;
    result = known;
  });
  return result;
}

void reach_leaf(const Tensor& leaf, Where pass) {
  with_leaf(leaf, true, [&](KnownLeaf& known) {
    known.reached = true;
    known.reached_by = pass;
  });
}

void count_pass() {
  Leaves& all = leaves();
  const std::lock_guard lock(all.mutex);
  ++all.passes;
}

std::vector<KnownLeaf> living_leaves() {
  Leaves& all = leaves();
  const std::lock_guard lock(all.mutex);
  std::vector<KnownLeaf> result;
  for (const auto& [id, leaf] : all.living) result.push_back(leaf);
  return result;
}

std::optional<KnownLeaf> known_leaf(std::uint64_t id) {
  Leaves& all = leaves();
  const std::lock_guard lock(all.mutex);
  const auto place = all.living.find(id);
  if (place == all.living.end()) return {};
  KnownLeaf leaf = place->second;
  leaf.version = leaf.tensor->storage->version;  // while it cannot be freed by another thread
  return leaf;
}

std::optional<KnownLeaf> known_leaf(const Tensor& leaf) {
  std::optional<KnownLeaf> result;
  with_leaf(leaf, false, [&](const KnownLeaf& known) { result = known; });
  return result;
}

std::vector<KnownLeaf> leaves_without_gradient() {
  Leaves& all = leaves();
  const std::lock_guard lock(all.mutex);
  std::vector<KnownLeaf> result = all.freed;
  for (const auto& [id, leaf] : all.living) {
    if (lacks_gradient(leaf, all)) result.push_back(leaf);
  }
  std::sort(result.begin(), result.end(), [](const KnownLeaf& a, const KnownLeaf& b) { return a.id < b.id; });
  return result;
}

}  // namespace autograd::debug
