#include "nn/measures/perplexity.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <cmath>

namespace nn {

double perplexity(double negative_log_likelihood, std::int64_t words, autograd::Where where) {
  if (words < 1) {
    autograd::fail(autograd::ErrorId::bad_argument, "perplexity", where, fmt::format("over {} words", words),
                   "measure at least one word");
  }
  return std::exp(negative_log_likelihood / static_cast<double>(words));
}

}  // namespace nn
