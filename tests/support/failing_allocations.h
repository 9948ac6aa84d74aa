// Memory that runs out, one allocation at a time (SQLite's out-of-memory loop): replaces operator new and aligned_alloc
// in the programs that link it, those of *out_of_memory_test.cpp.
//
// The engine cuts small blocks from larger ones and keeps them: only those that it asks the system for can fail. Under
// AddressSanitizer it asks for every block.
#pragma once

#include <autograd/tensor/error.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <string>

namespace fixtures {

// While it lives, the n-th allocation of this thread from now on throws std::bad_alloc: that one, no other. n counts
// from 1.
class FailingAllocations {
 public:
  explicit FailingAllocations(std::int64_t n);
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  bool has_failed() const;  // has it come to the n-th?
};

// Runs f; false if memory ran out in it, as std::bad_alloc or as an Error out-of-memory. Any other exception is a
// fault.
template <class F> bool has_memory_for(F&& f) {
  try {
    f();
    return true;
  } catch (const std::bad_alloc&) {
  } catch (const autograd::Error& error) {
    EXPECT_EQ(autograd::name(error.id()), "out-of-memory") << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "out of memory became " << error.what();
  }
  return false;
}

// Makes the 1st, the 2nd, the 3rd .. allocation of call(setup()) fail, until one run needs no more; returns how many
// there were. After each run, check(state, finished) looks at the state; `finished` if the call returned, failure or
// not.
template <class Setup, class Call, class Check>
std::int64_t for_each_failing_allocation(Setup&& setup, Call&& call, Check&& check) {
  for (std::int64_t n = 1;; ++n) {
    SCOPED_TRACE(testing::Message() << "allocation " << n << " fails");
    auto state = setup();
    bool finished = false;
    bool has_failed = false;
    {
      const FailingAllocations failing(n);
      finished = has_memory_for([&] { call(state); });
      has_failed = failing.has_failed();
    }
    EXPECT_TRUE(finished || has_failed) << "out of memory, though no allocation failed";
    check(state, finished);
    if (!has_failed || testing::Test::HasFailure()) {
      testing::Test::RecordProperty("allocations", std::to_string(n - 1));
      return n - 1;
    }
  }
}

}  // namespace fixtures
