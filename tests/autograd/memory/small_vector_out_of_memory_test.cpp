// A list that finds no room for all of its elements frees those that it has.
#include <autograd/memory/small_vector.h>

#include "tests/support/failing_allocations.h"

namespace small_vector_out_of_memory_test {

struct Counted {
  static inline int alive = 0;
  Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  ~Counted() { --alive; }
};

using List = autograd::SmallVector<Counted, 2>;

template <class Make> void frees_what_it_has(Make make) {
  const auto count = fixtures::for_each_failing_allocation([] { return 0; }, [&](int) { make(); },
                                                           [](int, bool) { EXPECT_EQ(Counted::alive, 0); });
  EXPECT_EQ(count, 1);
}

TEST(SmallVectorOutOfMemory, FreesWhatItHas) {
  frees_what_it_has([] { List{Counted(), Counted(), Counted()}; });
  frees_what_it_has([] { List(3); });
  frees_what_it_has([] {
    List list;
    for (int i = 0; i < 3; ++i) list.emplace_back();
  });
}

TEST(SmallVectorOutOfMemory, ACopyIsMadeOrNot) {
  {
    const List list(3);
    fixtures::for_each_failing_allocation([] { return 0; }, [&](int) { List copy(list); },
                                          [](int, bool) { EXPECT_EQ(Counted::alive, 3); });
  }
  EXPECT_EQ(Counted::alive, 0);
}

}  // namespace small_vector_out_of_memory_test
