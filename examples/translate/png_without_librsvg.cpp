// In place of png_with_librsvg.cpp where that library is not installed.
#include <autograd/tensor/error.h>

#include "examples/translate/png.h"

namespace translate {

const char* const png_advice = "PNG needs librsvg2-dev: install it, configure and build again; SVG needs nothing";

bool can_write_png() {
  return false;
}

void write_png(const std::string& path, const std::string&, const PngOptions&, autograd::Where where) {
  autograd::fail(autograd::ErrorId::bad_file, "write_png", where,
                 "\"" + path + "\": this program was built without librsvg", png_advice);
}

}  // namespace translate
