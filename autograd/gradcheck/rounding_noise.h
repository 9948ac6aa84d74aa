// Rounding noise: how much the roundings inside of the function change L. The size of L does not tell: in the sum of
// x - mean(x), large terms cancel and only rounding is left. So the noise is measured, by moving the element by tiny
// steps.
//
// L(x + d), L(x + 2d), L(x + 3d) .. lie on a smooth curve, whose differences of a high order vanish as d shrinks. What
// is left of the differences is noise, and each order gives the same amount (J. J. Moré, S. M. Wild, "Estimating
// computational noise", SIAM J. Sci. Comput. 33(3), 2011).
#pragma once

#include "autograd/gradcheck/probe.h"

namespace autograd::checker {

// The standard deviation of L, or 0 if there is no noise. Each side of x is measured by itself, so that a kink or jump
// at x does not count as noise.
double rounding_noise(const Probe& probe, double& element);

}  // namespace autograd::checker
