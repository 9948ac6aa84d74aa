// Converts formulas as the ops write them, such as "dx = y * (dy - sum(y * dy))", into MathML, which browsers show.
#pragma once

#include <string>
#include <string_view>

namespace autograd::debug {

// One <math> element, with a line for each part between commas. From where a part is no formula, as in "y = x in
// another shape", it stays text.
std::string to_mathml(std::string_view formula);

}  // namespace autograd::debug
