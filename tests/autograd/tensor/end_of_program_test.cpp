// Tensors that are freed when the program ends.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "autograd/autograd.h"

namespace end_of_program_test {

using namespace autograd;

// Destroyed in the reverse order of construction: long after the thread-local parts of the engine.
Tensor constructed_before_main = tensor({1, 2});

struct SaysWhenItGoes {
  SaysWhenItGoes() = default;
  SaysWhenItGoes(const SaysWhenItGoes&) = delete;
  SaysWhenItGoes& operator=(const SaysWhenItGoes&) = delete;
  ~SaysWhenItGoes() { std::fputs("graph freed\n", stderr); }
};

TEST(StaticTensorsDeathTest, AreFreedWithTheirGraphAfterMain) {
  const auto program = [] {
    static const Tensor constructed_in_a_function = tensor({3, 4}).requires_grad_();
    const ScopeGuard scope("layer", Where::current());
    constructed_before_main = (constructed_in_a_function * constructed_before_main).exp();
    constructed_before_main.retain_grad();
    constructed_before_main.register_hook(
        [alive = std::make_shared<SaysWhenItGoes>()](const Tensor& gradient) { return gradient; });
    constructed_before_main.sum().backward();
    std::exit(0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "graph freed");
}

}  // namespace end_of_program_test
