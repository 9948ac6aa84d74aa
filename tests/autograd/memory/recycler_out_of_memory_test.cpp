// Where there is no more memory, what is given back is taken all the same.
#include <autograd/memory/recycler.h>

#include <vector>

#include "tests/support/failing_allocations.h"

namespace recycler_out_of_memory_test {

namespace recycler = autograd::recycler;

// Large blocks of several sizes, freed in an order that splits and joins the ranges between them.
void use_large_blocks(std::vector<void*>& blocks) {
  const auto size_of = [](std::size_t i) { return recycler::large_from * (1 + i % 3); };
  const auto free_block = [&](std::size_t i) {
    recycler::deallocate(blocks[i], size_of(i));
    blocks[i] = nullptr;
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    try {
      blocks[i] = recycler::allocate(size_of(i));
    } catch (const std::bad_alloc&) {
      for (std::size_t k = 0; k < i; ++k) free_block(k);
      throw;
    }
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) free_block(i);
  for (std::size_t i = 1; i < blocks.size(); i += 2) free_block(i);
}

TEST(RecyclerOutOfMemory, LargeBlocksAreGivenBackAllTheSame) {
  const recycler::Statistics before = recycler::statistics();
  const std::int64_t count =
      fixtures::for_each_failing_allocation([] { return std::vector<void*>(20); },  //
                                            [](std::vector<void*>& blocks) { use_large_blocks(blocks); },
                                            [&](const std::vector<void*>&, bool) {
                                              EXPECT_EQ(recycler::statistics().live_blocks, before.live_blocks);
                                              EXPECT_EQ(recycler::statistics().live_bytes, before.live_bytes);
                                            });
  EXPECT_GE(count, 19);
  const recycler::LargeStatistics large = recycler::large_statistics();
  EXPECT_EQ(large.free_bytes, large.from_system);
}

}  // namespace recycler_out_of_memory_test
