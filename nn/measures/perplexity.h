// Perplexity: how many words a model hesitates between, on the average: exp(- sum ln p(word) / words).
#pragma once

#include <autograd/tensor/where.h>

#include <cstdint>

namespace nn {

// From the sum of the negative log likelihoods of `words` words, in nats. May be infinite; NaN stays
// NaN. Throws bad-argument for words below 1.
double perplexity(double negative_log_likelihood, std::int64_t words,
                  autograd::Where where = autograd::Where::current());

}  // namespace nn
