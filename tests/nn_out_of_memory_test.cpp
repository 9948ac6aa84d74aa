// Each allocation fails in turn: nothing is lost, nothing is half done, and the same call again gives the right answer.
#include <nn/nn.h>

#include "tests/failing_allocations.h"

namespace nn_out_of_memory_test {

using autograd::Tensor;

TEST(NnOutOfMemory, AllocationsAreFailedInTurn) {
  const std::int64_t count = fixtures::for_each_failing_allocation(
      [] { return std::vector<Tensor>(); },
      [](std::vector<Tensor>& made) {
        const Tensor a = autograd::ones({30, 30});
        made.push_back(a * 2.0);
      },
      [](std::vector<Tensor>& made, bool finished) { EXPECT_EQ(made.size(), finished ? 1u : 0u); });
  EXPECT_GE(count, 2);
}

}  // namespace nn_out_of_memory_test
