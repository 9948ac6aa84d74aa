// Large blocks, which all threads share.
#include "autograd/memory/large_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace large_blocks_test {

using namespace autograd::recycler;

// Allocates and frees in random order; the first word of a block says whose it is. Returns how often another's was
// found there.
int use_blocks(std::uint64_t thread, int steps) {
  std::mt19937_64 generator(thread);
  std::vector<std::pair<std::uint64_t*, std::size_t>> mine;
  int wrong = 0;
  const auto give_back = [&](std::size_t i) {
    wrong += *mine[i].first != thread;
    deallocate_large(mine[i].first, mine[i].second);
    mine[i] = mine.back();
    mine.pop_back();
  };
  for (int step = 0; step < steps; ++step) {
    if (mine.size() > 8) give_back(generator() % mine.size());
    const std::size_t bytes = large_from + generator() % 8 * 4096;
    mine.emplace_back(static_cast<std::uint64_t*>(allocate_large(bytes)), bytes);
    *mine.back().first = thread;
  }
  while (!mine.empty()) give_back(mine.size() - 1);
  return wrong;
}

// Threads that allocate while others free: no block is lost, and none is handed out twice.
TEST(LargeBlocks, AreSharedByThreads) {
  use_blocks(1, 100);
  const auto in_use = [] { return large_statistics().from_system - large_statistics().free_bytes; };
  const std::size_t before = in_use();
  std::vector<int> wrong(4, -1);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&wrong, i] { wrong[i] = use_blocks(i + 2, 50'000); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  EXPECT_EQ(in_use(), before);
}

}  // namespace large_blocks_test
