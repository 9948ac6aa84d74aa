// Memory: the recycler's blocks, and the storage that tensors share.

#include "autograd/tensor/storage.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>

#include "autograd/memory/recycler.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace storage_test {

using namespace autograd;
using fixtures::holds;
using fixtures::message_of;

// ---- blocks -----------------------------------------------------------------------------------------------

TEST(Recycler, BlocksAreAlignedAndUsableToTheLastByte) {
  for (std::size_t bytes :
       {0u, 1u, 63u, 64u, 65u, 256u, 257u, 320u, 321u, 1024u, 1025u, 4096u, 100000u, 262143u, 262144u, 5000000u}) {
    void* block = recycler::allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u) << bytes;
    std::memset(block, 0xab, bytes);
    recycler::deallocate(block, bytes);
  }
}

TEST(Recycler, WastesAtMostAFifth) {
  for (std::size_t bytes = 257; bytes < 200000; bytes += 1 + bytes / 500) {
    const std::size_t before = recycler::statistics().live_bytes;
    void* block = recycler::allocate(bytes);
    const std::size_t taken = recycler::statistics().live_bytes - before;
    recycler::deallocate(block, bytes);
    EXPECT_GE(taken, bytes);
    EXPECT_LE(static_cast<double>(taken - bytes), 0.2 * static_cast<double>(taken)) << bytes;
    EXPECT_EQ(recycler::statistics().live_bytes, before);
  }
}

TEST(Recycler, CountsLiveBlocks) {
  const std::size_t before = recycler::statistics().live_blocks;
  void* small = recycler::allocate(10);
  void* large = recycler::allocate(100000);
  EXPECT_EQ(recycler::statistics().live_blocks, before + 2);
  recycler::deallocate(small, 10);
  recycler::deallocate(large, 100000);
  EXPECT_EQ(recycler::statistics().live_blocks, before);
}

// Many blocks at once, freed in any order: each keeps its own bytes.
void expect_no_overlap(std::size_t most_bytes, std::size_t sometimes_bytes, int rounds) {
  struct Block {
    unsigned char* memory;
    std::size_t bytes;
    unsigned char mark;
  };
  std::mt19937 random(1);
  std::vector<Block> live;
  for (int round = 0; round < rounds; ++round) {
    if (live.size() < 50 || random() % 2 == 0) {
      const std::size_t bytes = 1 + random() % (random() % 20 == 0 ? sometimes_bytes : most_bytes);
      const auto mark = static_cast<unsigned char>(random());
      auto* memory = static_cast<unsigned char*>(recycler::allocate(bytes));
      std::memset(memory, mark, bytes);
      live.push_back({memory, bytes, mark});
    } else {
      std::swap(live[random() % live.size()], live.back());
      const Block block = live.back();
      live.pop_back();
      for (const std::size_t at : {std::size_t{0}, block.bytes / 2, block.bytes - 1}) {
        ASSERT_EQ(block.memory[at], block.mark);
      }
      recycler::deallocate(block.memory, block.bytes);
    }
  }
  for (const Block& block : live) recycler::deallocate(block.memory, block.bytes);
}

TEST(Recycler, BlocksNeverOverlap) {
  expect_no_overlap(2000, 100000, 20000);
}

TEST(Recycler, LargeBlocksNeverOverlap) {
  expect_no_overlap(1000000, 5000000, 1000);
}

TEST(Recycler, AskingForTheImpossibleIsBadAlloc) {
  const recycler::Statistics before = recycler::statistics();
  EXPECT_THROW(recycler::allocate(std::size_t{1} << 62), std::bad_alloc);
  EXPECT_THROW(recycler::allocate((std::size_t{1} << 46) + 1), std::bad_alloc);
  EXPECT_EQ(recycler::statistics().live_blocks, before.live_blocks);
  EXPECT_EQ(recycler::statistics().live_bytes, before.live_bytes);
}

TEST(Recycler, ABlockMayBeFreedOnAnotherThread) {
  void* block = recycler::allocate(5000);
  std::thread([&] { recycler::deallocate(block, 5000); }).join();
  void* another = nullptr;
  std::thread([&] { another = recycler::allocate(5000); }).join();
  std::memset(another, 0, 5000);
  recycler::deallocate(another, 5000);
}

#ifndef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
TEST(Recycler, HandsAFreedBlockOutAgain) {
  void* block = recycler::allocate(5000);
  const std::size_t kept = recycler::statistics().kept_bytes;
  recycler::deallocate(block, 5000);
  EXPECT_EQ(recycler::statistics().kept_bytes, kept + 5120);
  const std::size_t from_system = recycler::statistics().from_system;
  void* again = recycler::allocate(4900);  // of the same class
  EXPECT_EQ(again, block);
  EXPECT_EQ(recycler::statistics().from_system, from_system);
  EXPECT_EQ(recycler::statistics().kept_bytes, kept);
  recycler::deallocate(again, 4900);
}

std::size_t bytes_in_memory() {
  std::size_t addresses = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> addresses >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Sentences get longer and shorter: what one step leaves must do for the next.
TEST(Recycler, LargeBlocksOfAnySizeComeFromWhatOthersLeft) {
  constexpr std::size_t all = std::size_t{60} << 20;
  const std::size_t before = bytes_in_memory();
  for (std::size_t parts = 1; parts <= 100; ++parts) {
    const std::size_t bytes = all / parts / 4096 * 4096;
    std::vector<void*> blocks;
    for (std::size_t i = 0; i < parts; ++i) blocks.push_back(std::memset(recycler::allocate(bytes), 1, bytes));
    for (std::size_t i = 0; i < parts; i += 2) recycler::deallocate(blocks[i], bytes);
    for (std::size_t i = 1; i < parts; i += 2) recycler::deallocate(blocks[i], bytes);
  }
  EXPECT_LT(bytes_in_memory(), before + all * 5 / 4);
}

TEST(Recycler, TrimGivesMemoryBack) {
  recycler::trim();
  const std::size_t small = recycler::statistics().kept_bytes;
  for (const std::size_t bytes : {2000u, 100000u}) recycler::deallocate(recycler::allocate(bytes), bytes);
  EXPECT_GT(recycler::statistics().kept_bytes, small + 100000);
  recycler::trim();
  EXPECT_EQ(recycler::statistics().kept_bytes, small);
  const std::size_t from_system = recycler::statistics().from_system;
  recycler::deallocate(recycler::allocate(100000), 100000);
  EXPECT_EQ(recycler::statistics().from_system, from_system + 1);
}

TEST(Recycler, KeepsNoMoreThanItsLimitAndOneBlock) {
  constexpr std::size_t half = std::size_t{600} << 20;  // never touched, so never really there
  std::vector<void*> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(recycler::allocate(half));
  for (void* block : blocks) recycler::deallocate(block, half);
  EXPECT_LT(recycler::statistics().kept_bytes, (std::size_t{1} << 30) + half * 5 / 4);
  recycler::trim();
}

std::size_t bytes_of_addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Exit code 0 if a block was had with little more memory than it takes, and bad_alloc where there was less.
void allocate_under_a_limit() {
  constexpr std::size_t mib = std::size_t{1} << 20;
  recycler::allocate(100 * mib);  // from now on twice as much would be taken
  const rlimit limit{bytes_of_addresses() + 80 * mib, RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
  recycler::allocate(60 * mib);
  try {
    recycler::allocate(60 * mib);
  } catch (const std::bad_alloc&) {
    std::exit(0);
  }
  std::exit(1);
}

TEST(Recycler, AsksForJustWhatIsNeededWhereMemoryIsLimited) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer takes addresses for itself";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, without what other tests left
  EXPECT_EXIT(allocate_under_a_limit(), testing::ExitedWithCode(0), "");
}

TEST(Recycler, LargeBlocksCanBeHadAfterForkWhateverOtherThreadsDid) {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  std::atomic<bool> goes_on = true;
  std::thread other([&] {
    while (goes_on) recycler::deallocate(recycler::allocate(bytes), bytes);
  });
  int status = 0;
  for (int i = 0; i < 100 && status == 0; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);  // ends a child that waits for ever
      recycler::allocate(bytes);
      _exit(0);
    }
    waitpid(child, &status, 0);
  }
  goes_on = false;
  other.join();
  EXPECT_EQ(status, 0);
}
#endif

// ---- storage ----------------------------------------------------------------------------------------------

TEST(StorageTest, IsAlignedMemoryWithAVersion) {
  const Tensor x = empty({250});
  const Ref<Storage> storage = x.impl()->storage;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage->data) % 64, 0u);
  EXPECT_EQ(storage->bytes, 1000);
  EXPECT_EQ(storage->version, 0u);
  EXPECT_EQ(storage->refs, 2u);
  std::memset(storage->data, 1, 1000);
}

TEST(StorageTest, IsOneBlockWithItsTensor) {
  const std::size_t before = recycler::statistics().live_blocks;
  {
    const Tensor x = empty({2, 3});
    EXPECT_EQ(recycler::statistics().live_blocks, before + 1);
    const Tensor same = x.detach();
    EXPECT_EQ(recycler::statistics().live_blocks, before + 2);
  }
  EXPECT_EQ(recycler::statistics().live_blocks, before);
}

// The elements outlive their tensor and its place in the graph, which goes with it.
TEST(StorageTest, KeptByAViewLetsGoOfTheGraph) {
  const Tensor w = ones({3}).requires_grad_();
  Tensor view;
  const std::size_t before = recycler::statistics().live_blocks;
  {
    const Tensor x = w + 1.0;
    view = x.detach();
  }
  EXPECT_EQ(recycler::statistics().live_blocks, before + 2);  // the view and the elements: the op and its leaf are gone
  EXPECT_TRUE(holds(view, {2, 2, 2}));
}

TEST(StorageTest, IsSharedByViewsAndFreedWithTheLast) {
  const std::size_t before = recycler::statistics().live_blocks;
  {
    Tensor row;
    {
      const Tensor x = tensor({{1, 2}, {3, 4}});
      row = x[1];
      EXPECT_EQ(row.impl()->storage->refs, 2u);
    }
    EXPECT_EQ(row.impl()->storage->refs, 1u);
    EXPECT_TRUE(holds(row, {3, 4}));
  }
  EXPECT_EQ(recycler::statistics().live_blocks, before);
}

// So that results which depend on memory that was never written differ from run to run, and show as NaN.
TEST(StorageTest, IsFilledWithNaNInDebugBuilds) {
#ifdef NDEBUG
  GTEST_SKIP() << "not a Debug build";
#endif
  EXPECT_TRUE(holds(empty({2}), {std::nan(""), std::nan("")}));
  EXPECT_TRUE(holds(empty({1}, float64), {std::nan("")}));
}

TEST(StorageTest, BeyondMemoryIsAnErrorThatSaysHowMuch) {
  const std::string message = message_of(ErrorId::out_of_memory, [] { empty({std::int64_t{1} << 45}); });
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message}));
}

// ---- references -------------------------------------------------------------------------------------------

struct Counted {
  std::uint32_t refs = 0;
  int* released = nullptr;
};

void release(Counted* counted) {
  ++*counted->released;
  delete counted;
}

TEST(RefTest, ReleasesWithTheLast) {
  int released = 0;
  {
    Ref<Counted> a(new Counted{0, &released});
    Ref<Counted> b = a;
    EXPECT_EQ(a->refs, 2u);
    a = Ref<Counted>();
    EXPECT_FALSE(a);
    EXPECT_EQ(released, 0);
    Ref<Counted>& same = b;
    b = same;
    b = std::move(same);
    EXPECT_EQ(b->refs, 1u);
    a = std::move(b);
    EXPECT_FALSE(b);  // NOLINT(bugprone-use-after-move)
  }
  EXPECT_EQ(released, 1);
}

}  // namespace storage_test
