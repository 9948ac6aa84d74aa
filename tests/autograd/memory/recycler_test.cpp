// The recycler on several threads: what is freed is used again, on whatever thread. (storage_test.cpp has the rest.)
#include "autograd/memory/recycler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <future>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace recycler_test {

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
TEST(Recycler, KeepTheirBytesWhileThreadsHandThemOver) {
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

// Allocates and frees large blocks in random order; the first word of a block says whose it is. Returns how often
// another's was found there.
int use_large_blocks(std::uint64_t thread, int steps) {
  std::mt19937_64 generator(thread);
  std::vector<std::pair<std::uint64_t*, std::size_t>> mine;
  int wrong = 0;
  const auto give_back = [&](std::size_t i) {
    wrong += *mine[i].first != thread;
    recycler::deallocate(mine[i].first, mine[i].second);
    mine[i] = mine.back();
    mine.pop_back();
  };
  for (int step = 0; step < steps; ++step) {
    if (mine.size() > 8) give_back(generator() % mine.size());
    const std::size_t bytes = (std::size_t{1} << 18) + generator() % 8 * 4096;
    mine.emplace_back(static_cast<std::uint64_t*>(recycler::allocate(bytes)), bytes);
    *mine.back().first = thread;
  }
  while (!mine.empty()) give_back(mine.size() - 1);
  return wrong;
}

TEST(Recycler, LargeBlocksOfSeveralThreadsAreApart) {
  std::vector<int> wrong(4, -1);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&wrong, i] { wrong[i] = use_large_blocks(i + 2, 50'000); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

// How blocks are kept. Under AddressSanitizer, malloc has them.
#ifndef BACKSTEP_EVERY_BLOCK_FROM_MALLOC

constexpr std::size_t several_pieces = 20000;  // so many blocks fill more than a piece

std::size_t asked_system() {
  return recycler::statistics().from_system;
}

TEST(Recycler, TheOneFreedLastIsHandedOutFirst) {
  void* const block = recycler::allocate(200);
  recycler::deallocate(block, 200);
  void* const again = recycler::allocate(256);
  EXPECT_EQ(again, block);
  recycler::deallocate(again, 256);
}

// The thread ends, and leaves them to the next one that needs some.
TEST(Recycler, BlocksFreedOnAThreadThatEndsComeBack) {
  std::size_t before = 0;
  for (int round = 0; round < 10; ++round) {
    std::thread([blocks = make_blocks(several_pieces)] { free_blocks(blocks); }).join();
    if (round == 0) before = asked_system();
  }
  EXPECT_LE(asked_system(), before + 1);
}

TEST(Recycler, BlocksOfAThreadThatHasEndedServeTheNext) {
  for (int round = 0; round < 10; ++round) {
    std::size_t asked = 0;
    std::thread([&] {
      free_blocks(make_blocks(several_pieces));
      asked = asked_system();
    }).join();
    EXPECT_TRUE(round == 0 || asked == 0) << round;
  }
}

TEST(Recycler, AThreadThatFreesNothingLeavesWhatItDidNotUse) {
  std::vector<Block> blocks;
  for (int round = 0; round < 10; ++round) {
    std::size_t asked = 0;
    std::thread([&] {
      blocks.push_back(make_blocks(1).front());
      asked = asked_system();
    }).join();
    EXPECT_TRUE(round == 0 || asked == 0) << round;
  }
  free_blocks(blocks);
}

// Neither thread ends. The other one keeps less than a list of each size, and pieces are as large as two lists.
TEST(Recycler, BlocksThatAnotherThreadFreesComeBack) {
  constexpr std::size_t rounds = 10;
  std::array<std::promise<std::vector<Block>>, rounds> made;
  std::array<std::promise<void>, rounds> freed;
  std::thread other([&] {
    for (std::size_t round = 0; round < rounds; ++round) {
      free_blocks(made[round].get_future().get());
      freed[round].set_value();
    }
  });
  std::size_t before = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    made[round].set_value(make_blocks(5 * several_pieces));
    freed[round].get_future().wait();
    if (round == 2) before = asked_system();
  }
  other.join();
  EXPECT_LE(asked_system(), before + 3);
}

// Frees its blocks when its thread ends, after the thread has left its lists to others.
struct FreedAtTheEnd {
  std::vector<Block> blocks;
  ~FreedAtTheEnd() { free_blocks(blocks); }
};

TEST(Recycler, ABlockMayBeFreedAfterItsThreadHasLeftItsLists) {
  std::thread([] {
    thread_local FreedAtTheEnd last;
    last.blocks.reserve(1);  // it begins before the thread has lists, and so it ends after them
    last.blocks = make_blocks(100);
  }).join();
  free_blocks(make_blocks(100));
}

#endif

}  // namespace recycler_test
