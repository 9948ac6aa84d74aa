#include "autograd/debug/step/running_sums.h"

#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"

namespace autograd::debug {
namespace {

constexpr std::size_t block_size = 64;
constexpr std::size_t most_kept = 64;  // gradients

}  // namespace

// Makes sure that the first `count` sums of the block are there.
void RunningSums::fill(Sums& sums, std::size_t block, std::size_t count, const PassRecord& pass, const Node& node,
                       const std::vector<Pick>& picks) {
  if (sums.block != block) sums.of_block.clear();
  sums.block = block;
  while (sums.of_block.size() < count) {
    const std::size_t next = block * block_size + sums.of_block.size();
    const Tensor given = pick_from(pass.value_of(pass.contribution_to(node, next)), picks);
    const Tensor before = sums.of_block.empty() ? sums.starts[block] : sums.of_block.back();
    sums.of_block.push_back(before.defined() ? before + given : given);
  }
}

Tensor RunningSums::sum(const PassRecord& pass, const Node& node, const std::vector<Pick>& picks, std::size_t count) {
  if (count == 0) return Tensor();
  const Unobserved unobserved;
  if (sums_.size() > most_kept) sums_.clear();
  Sums& sums = sums_[{&node, text_of(picks)}];
  const std::size_t block = (count - 1) / block_size;
  while (sums.starts.size() <= block) {
    fill(sums, sums.starts.size() - 1, block_size, pass, node, picks);
    sums.starts.push_back(sums.of_block.back());
  }
  fill(sums, block, count - block * block_size, pass, node, picks);
  return sums.of_block[count - 1 - block * block_size];
}

}  // namespace autograd::debug
