// Which gradient check catches which mistake: the table of docs/gradient-check-table.md.
#pragma once

#include <string>
#include <vector>

#include "tests/autograd/ops/op_cases.h"
#include "tests/autograd/ops/op_mistakes.h"

namespace mistake_table {

// The cases about an op on which gradcheck() says PASS as long as nothing is planted.
const std::vector<op_cases::OpCase>& confirmed_cases(const std::string& op);

// Does gradcheck() say FAIL and blame the op, on one of its confirmed cases, or on one that it calls KINK as long as
// nothing is planted?
bool gradcheck_catches(const op_mistakes::Mistake& mistake);
// Does gradgradcheck() say FAIL on one of them?
bool gradgradcheck_catches(const op_mistakes::Mistake& mistake);
// Does the comparison with ops.json fail on one of the op's cases?
bool pytorch_catches(const op_mistakes::Mistake& mistake);

// The whole page, in Markdown.
std::string page();

}  // namespace mistake_table
