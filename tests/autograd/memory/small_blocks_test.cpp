// Small blocks lie in the order in which they were made, and what is freed is used again, on whatever thread.
#include "autograd/memory/small_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "autograd/memory/recycler.h"

namespace small_blocks_test {

namespace recycler = autograd::recycler;

struct Block {
  std::byte* memory;
  std::size_t bytes;
};

// Of sizes as nodes and tensors have them.
std::vector<Block> make_blocks(std::size_t count) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bytes = 64 * (1 + i % 5);
    blocks.push_back({static_cast<std::byte*>(recycler::allocate(bytes)), bytes});
  }
  return blocks;
}

void free_blocks(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) recycler::deallocate(block.memory, block.bytes);
}

// One thread frees what several make, while they make it.
TEST(SmallBlocks, KeepTheirBytesWhileThreadsHandThemOver) {
  const auto make_and_hand_over = [] {
    for (int round = 0; round < 20; ++round) {
      std::vector<Block> blocks = make_blocks(2000);
      for (const Block& block : blocks) std::fill_n(block.memory, block.bytes, std::byte(round));
      std::thread other([&, half = std::vector<Block>(blocks.begin(), blocks.begin() + 1000)] { free_blocks(half); });
      const std::vector<Block> more = make_blocks(1000);
      for (const Block& block : more) std::fill_n(block.memory, block.bytes, std::byte(99));
      other.join();
      for (std::size_t i = 1000; i < blocks.size(); ++i) {
        const Block& block = blocks[i];
        ASSERT_TRUE(
            std::all_of(block.memory, block.memory + block.bytes, [&](std::byte b) { return b == std::byte(round); }));
        recycler::deallocate(block.memory, block.bytes);
      }
      free_blocks(more);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(make_and_hand_over);
  for (std::thread& thread : threads) thread.join();
}

// Where the blocks lie. Under AddressSanitizer, wherever malloc puts them.
#ifndef BACKSTEP_EVERY_BLOCK_FROM_MALLOC

constexpr std::size_t several_slabs = 20000;  // so many blocks fill more than a slab

std::size_t asked_system() {
  return recycler::statistics().from_system;
}

// How many begin where the one before them ends.
std::size_t count_adjoining(const std::vector<Block>& blocks) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i - 1].memory + blocks[i - 1].bytes == blocks[i].memory) ++count;
  }
  return count;
}

TEST(SmallBlocks, LieInTheOrderInWhichTheyWereMadeHoweverOthersWereFreed) {
  std::mt19937 random(1);
  for (int round = 0; round < 3; ++round) {
    std::vector<Block> blocks = make_blocks(several_slabs);
    EXPECT_GT(count_adjoining(blocks), several_slabs * 95 / 100) << round;
    std::shuffle(blocks.begin(), blocks.end(), random);
    free_blocks(blocks);
  }
}

TEST(SmallBlocks, TheOneFreedLastIsHandedOutFirst) {
  void* const block = recycler::allocate(200);
  recycler::deallocate(block, 200);
  void* const again = recycler::allocate(256);
  EXPECT_EQ(again, block);
  recycler::deallocate(again, 256);
}

TEST(SmallBlocks, ASlabThatIsHalfFreeIsFilledAgain) {
  std::vector<Block> kept = make_blocks(several_slabs);
  const std::size_t before = asked_system();
  for (int round = 0; round < 20; ++round) {
    std::vector<Block> freed;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (i % 20 >= 5) freed.push_back(kept[i]);
    }
    std::erase_if(kept, [&, i = std::size_t{0}](const Block&) mutable { return i++ % 20 >= 5; });
    free_blocks(freed);
    const std::vector<Block> more = make_blocks(freed.size());
    kept.insert(kept.end(), more.begin(), more.end());
  }
  EXPECT_LE(asked_system(), before + 2);
  free_blocks(kept);
}

TEST(SmallBlocks, FreedOnAnotherThreadComeBack) {
  const std::size_t living = recycler::statistics().live_blocks;
  std::thread([blocks = make_blocks(several_slabs)] { free_blocks(blocks); }).join();
  EXPECT_EQ(recycler::statistics().live_blocks, living);
  const std::size_t before = asked_system();
  for (int round = 0; round < 10; ++round) {
    std::thread([blocks = make_blocks(several_slabs)] { free_blocks(blocks); }).join();
  }
  EXPECT_LE(asked_system(), before + 1);
}

TEST(SmallBlocks, OfAThreadThatHasEndedServeTheNext) {
  std::vector<Block> left;
  std::thread([&] { left = make_blocks(several_slabs); }).join();
  free_blocks(left);  // after their thread
  for (int round = 0; round < 10; ++round) {
    std::size_t asked = 0;
    std::thread([&] {
      free_blocks(make_blocks(1));  // takes over what another thread has left
      const std::size_t before = asked_system();
      free_blocks(make_blocks(several_slabs));
      asked = asked_system() - before;
    }).join();
    EXPECT_EQ(asked, 0u) << round;
  }
}

// Frees its blocks when its thread ends, after the thread has left its slabs to others.
struct FreedAtTheEnd {
  static inline std::atomic<bool> had_slabs = true;
  std::vector<Block> blocks;

  ~FreedAtTheEnd() {
    had_slabs = recycler::my_slabs != nullptr;
    free_blocks(blocks);
  }
};

TEST(SmallBlocks, OfAThreadThatEndsAreFreedLikeThoseOfAnother) {
  std::thread([] {
    thread_local FreedAtTheEnd last;
    last.blocks.reserve(1);  // it begins before the thread has slabs, and so it ends after them
    last.blocks = make_blocks(100);
  }).join();
  EXPECT_FALSE(FreedAtTheEnd::had_slabs);
}

#endif

}  // namespace small_blocks_test
