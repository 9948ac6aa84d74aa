// How much do the roundings inside of the function change L? The size of L does not tell: in the sum of x - mean(x)
// large terms cancel, and what is left is nothing but rounding. So it is measured, by moving the element by tiny steps.
//
// L(x + d), L(x + 2d), L(x + 3d) .. lie on a smooth curve, whose differences of a high order vanish as d shrinks. What
// is left of them is noise, and each order gives the same amount of it (J. J. Moré, S. M. Wild, "Estimating
// computational noise", SIAM J. Sci. Comput. 33(3), 2011).
#pragma once

#include "autograd/gradcheck/probe.h"

namespace autograd::checker {

// The standard deviation of L, or 0 where no noise shows. Each side is looked at by itself: a kink or a jump that the
// element lies on is not taken for noise.
double rounding_noise(const Probe& probe, double& element);

}  // namespace autograd::checker
