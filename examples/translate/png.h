// Pictures as PNG, for slides and papers that take no SVG. The library librsvg draws them (Debian: librsvg2-dev); a
// program that was built without it writes SVG only. (png_with_librsvg.cpp or png_without_librsvg.cpp: CMake chooses.)
#pragma once

#include <autograd/tensor/where.h>

#include <string>

namespace translate {

// Was this program built with librsvg? If not, say png_advice.
bool can_write_png();

// "PNG needs librsvg2-dev ..": what to do if can_write_png() is false.
extern const char* const png_advice;

struct PngOptions {
  double scale = 2.0;  // pixels of the PNG per pixel of the SVG
};

// The picture in light colours on white, written completely or not at all. Throws bad-argument for a text that is no
// SVG or a scale that is not positive, and bad-file where the file cannot be written, no font is installed to draw the
// texts with, or the program was built without librsvg.
void write_png(const std::string& path, const std::string& svg, const PngOptions& options = {},
               autograd::Where where = autograd::Where::current());

}  // namespace translate
