// The files of the page, as the build embeds them. Private to the page.
#pragma once

#include <string>

namespace autograd::debug {

std::string page_html();
std::string page_css();
std::string page_js();

}  // namespace autograd::debug
