// Formulas as the ops write them, such as "dx = y * (dy - sum(y * dy))", in MathML, which browsers show without help.
#pragma once

#include <string>
#include <string_view>

namespace autograd::debug {

// One <math> element, with a line for each part between commas. What is no formula, such as "y = x in another shape",
// stays text from there on.
std::string to_mathml(std::string_view formula);

}  // namespace autograd::debug
