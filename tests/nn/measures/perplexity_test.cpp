#include <nn/measures/perplexity.h>

#include <cmath>
#include <limits>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace nn_perplexity_test {

using autograd::ErrorId;

TEST(NnPerplexity, OfAUniformModelIsTheNumberOfWords) {
  EXPECT_NEAR(nn::perplexity(7.0 * std::log(50.0), 7), 50.0, 1e-12);
  EXPECT_EQ(nn::perplexity(0.0, 3), 1.0);
}

TEST(NnPerplexity, WithoutHopeIsInfinite) {
  EXPECT_EQ(nn::perplexity(1e6, 10), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(nn::perplexity(std::nan(""), 10)));
}

TEST(NnPerplexity, OfNothingIsRefused) {
  const std::string message = fixtures::message_of(ErrorId::bad_argument, [] { nn::perplexity(1.0, 0); });
  EXPECT_TRUE(fixtures::says("nn_measures", {message}));
}

}  // namespace nn_perplexity_test
