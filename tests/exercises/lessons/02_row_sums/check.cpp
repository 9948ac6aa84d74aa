#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"rows", 3}, {"columns", 4}};

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"rows", "columns"});
  check.compare("row sums", answer.row_sums(x));
}
