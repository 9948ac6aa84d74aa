// docs/gradient-check-table.md: every check on every planted mistake.

#include <gtest/gtest.h>

#include "tests/autograd/ops/mistake_table.h"
#include "tests/support/temporary_folder.h"

namespace op_mistake_table_test {

TEST(MistakeTable, IsUpToDate) {
  const std::string page = fixtures::content_of(BACKSTEP_SOURCE "/docs/gradient-check-table.md");
  EXPECT_TRUE(page == mistake_table::page()) << "run print_mistake_table > docs/gradient-check-table.md";
}

}  // namespace op_mistake_table_test
