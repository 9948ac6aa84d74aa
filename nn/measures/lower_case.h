// Lower case of UTF-8, as Python's str.lower(), for the alphabets of Europe and Vietnam: Latin (but for its rarer
// extensions), Greek, Cyrillic. All else stays as it is, bytes that are not UTF-8 too.
#pragma once

#include <string>
#include <string_view>

namespace nn {

std::string lower_case(std::string_view text);

}  // namespace nn
