#include "examples/translate/training/curve.h"

#include <gtest/gtest.h>

#include "tests/support/expect.h"

namespace translate_curve_test {

using autograd::ErrorId;

TEST(Curves, ComeBackAndAreATable) {
  const translate::Curve curve = {{.step = 50, .epoch = 1, .training_loss = 4.25},
                                  {.step = 94, .epoch = 1, .training_loss = 0.1, .perplexity = 12.5, .bleu = 3.0}};
  EXPECT_EQ(translate::curve_csv(curve),
            "update,epoch,training_loss,validation_perplexity,bleu,exact_match,alignment_error_rate\n"
            "50,1,4.25,,,,\n"
            "94,1,0.1,12.5,3,,\n");
  EXPECT_EQ(translate::curve_csv(translate::curve_from(translate::to_tensor(curve))), translate::curve_csv(curve));
  EXPECT_TRUE(translate::curve_from(translate::to_tensor(translate::Curve())).empty());
  fixtures::message_of(ErrorId::bad_file, [] { translate::curve_from(autograd::zeros({2, 3})); });
}

}  // namespace translate_curve_test
