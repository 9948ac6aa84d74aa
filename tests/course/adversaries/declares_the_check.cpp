// As if it had included the check's headers.
#include "given.h"

namespace course {
void observe();
}

Tensor row_sums(const Tensor& x) {
  course::observe();
  return x;
}
