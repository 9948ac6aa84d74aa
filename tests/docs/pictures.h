// Pictures: are those beside the book what its snippets draw?
#pragma once

#include <string>
#include <vector>

namespace docs {

// One sentence for every picture in the folder `drawn` of which `shown` has another one, or none. Places may differ by
// a pixel, and numbers in words as those of an output may (snippets.h).
std::vector<std::string> stale_pictures(const std::string& drawn, const std::string& shown);
// Is it the same drawing?
bool same_picture(const std::string& a, const std::string& b);

}  // namespace docs
