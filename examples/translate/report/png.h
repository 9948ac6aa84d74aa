// write_png: pictures as PNG, for slides and papers that take no SVG. The library librsvg draws them (Debian:
// librsvg2-dev); a program built without it writes SVG only. (CMake chooses png_with_librsvg.cpp or
// png_without_librsvg.cpp.)
#pragma once

#include <string>

namespace translate {

// Returns whether this program was built with librsvg. If not, tell the user png_advice.
bool can_write_png();

// "PNG needs librsvg2-dev ..": what to do if can_write_png() is false.
extern const char* const png_advice;

// Writes the picture in light colours on white, `scale` pixels for each of the SVG's, completely or not at all. Throws
// bad-argument for a text that is no SVG, and bad-file if the file cannot be written, no font is installed to draw the
// texts with, or the program was built without librsvg.
void write_png(const std::string& path, const std::string& svg, double scale = 2.0);

}  // namespace translate
