// An SVG picture made ready to stand in one page with others: the rules of a style sheet inside a page apply to all of
// it, so each is limited to its own picture.
#pragma once

#include <string>
#include <string_view>

namespace translate {

// The picture with this id, and every rule of its <style> limited to it:
//
//   .grid, text { .. }                        ->  #id .grid, #id text { .. }
//   @media (prefers-color-scheme: dark) { .. } ->  @media screen and (prefers-color-scheme: dark) { .. }, on paper
//   light
//
// For the style sheets of our own pictures: without comments, and without other @-rules. One that is different is left
// as it is.
std::string scoped_svg(const std::string& svg, std::string_view id);

}  // namespace translate
