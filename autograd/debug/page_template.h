// The three files of the page, as the build embeds them. Private to the page.
#pragma once

#include <string_view>

namespace autograd::debug {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;

}  // namespace autograd::debug
