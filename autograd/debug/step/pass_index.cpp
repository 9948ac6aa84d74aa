#include "autograd/debug/step/pass_index.h"

#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

constexpr std::size_t block_size = 64;
constexpr std::size_t most_sums = 64;  // gradients of which some are kept

}  // namespace

// ---- names ----------------------------------------------------------------------------------------------------------

PassIndex::PassIndex(const PassRecord& pass) : pass_(&pass) {
  for (const Ref<Node>& node : pass.order) {
    const std::string name = label(*node);
    if (name[0] == '%') continue;
    std::vector<const Node*>& nodes = named_[name];
    if (nodes.empty()) names_.push_back(name);
    nodes.push_back(node.get());
  }
}

const std::vector<const Node*>& PassIndex::named(const std::string& name) const {
  static const std::vector<const Node*> no_nodes;
  const auto place = named_.find(name);
  return place == named_.end() ? no_nodes : place->second;
}

void PassIndex::read_recorded() const {
  if (std::exchange(has_read_, true)) return;
  for (const auto& [number, call] : pass_->recording->calls()) {
    const std::string name = label(*call.node);
    if (name[0] != '%') recorded_.try_emplace(name, number);
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      const std::string input = printable(call.inputs[i].name());
      if (!input.empty()) inputs_.try_emplace(input, number, i);
    }
  }
}

const Node* PassIndex::recorded(const std::string& name) const {
  read_recorded();
  const auto& calls = pass_->recording->calls();
  const auto place = recorded_.find(name);
  return place == recorded_.end() || !calls.contains(place->second) ? nullptr : calls.at(place->second).node;
}

Tensor PassIndex::input(const std::string& name) const {
  read_recorded();
  const auto& calls = pass_->recording->calls();
  const auto place = inputs_.find(name);
  if (place == inputs_.end() || !calls.contains(place->second.first)) return Tensor();
  return calls.at(place->second.first).inputs[place->second.second].tensor();
}

// ---- gradients ------------------------------------------------------------------------------------------------------

// Makes sure that the first `count` sums of the block are there.
void PassIndex::fill(Sums& sums, std::size_t block, std::size_t count, const Node& node,
                     const std::vector<Pick>& picks) const {
  if (sums.block != block) sums.of_block.clear();
  sums.block = block;
  while (sums.of_block.size() < count) {
    const std::size_t next = block * block_size + sums.of_block.size();
    const Tensor given = pick_from(pass_->value_of(pass_->contribution_to(node, next)), picks);
    const Tensor before = sums.of_block.empty() ? sums.starts[block] : sums.of_block.back();
    sums.of_block.push_back(before.defined() ? before + given : given);
  }
}

Tensor PassIndex::sum(const Node& node, const std::vector<Pick>& picks, std::size_t count) const {
  if (count == 0) return Tensor();
  const Unobserved unobserved;
  if (sums_.size() > most_sums) sums_.clear();
  Sums& sums = sums_[{&node, text_of(picks)}];
  const std::size_t block = (count - 1) / block_size;
  while (sums.starts.size() <= block) {
    fill(sums, sums.starts.size() - 1, block_size, node, picks);
    sums.starts.push_back(sums.of_block.back());
  }
  fill(sums, block, count - block * block_size, node, picks);
  return sums.of_block[count - 1 - block * block_size];
}

}  // namespace autograd::debug
