// Formulas of op_mistakes.txt: "dx = dy * (1 - y ^ 2)" and the like, as functions of a backward's run.
#pragma once

#include <string>

#include "tests/autograd/ops/op_mistakes.h"

namespace op_mistakes {

// The backward that these formulas say, one or several separated by ";". Throws std::runtime_error, which says what in
// the text cannot be read. `op` is whose backward it is: functions such as sum_along() go along the dim that the op
// went along.
WrongBackward formula(const std::string& op, const std::string& text);
// From now on the name stands for this in formulas.
void define(const std::string& name, const std::string& text);

}  // namespace op_mistakes
