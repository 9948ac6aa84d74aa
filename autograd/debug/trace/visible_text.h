// Text that does no harm wherever it is shown. Names of tensors and modules come from the user's program, source lines
// from a file that may have changed.
#pragma once

#include <string>
#include <string_view>

namespace autograd::debug {

// As UTF-8 without surprises: control characters and marks that turn the reading direction become "\u{202e}", bytes
// that are no UTF-8 become U+FFFD.
std::string visible_text(std::string_view text);

// For HTML and XML, in elements and in attributes.
std::string escape_markup(std::string_view text);

}  // namespace autograd::debug
