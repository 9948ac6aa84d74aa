// Escapes text for HTML and XML, in elements and in attributes.
#pragma once

#include <string>
#include <string_view>

namespace autograd::debug {

std::string escape_markup(std::string_view text);

}  // namespace autograd::debug
