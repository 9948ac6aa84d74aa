// Lower case of UTF-8: what Python's str.lower() returns, for every character of Unicode 14. Bytes that are not UTF-8
// stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace nn {

std::string lower_case(std::string_view text);

}  // namespace nn
