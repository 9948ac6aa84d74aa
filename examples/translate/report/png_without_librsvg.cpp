// Replaces png_with_librsvg.cpp where that library is not installed.
#include "examples/translate/messages.h"
#include "examples/translate/report/png.h"

namespace translate {

const char* const png_advice = "PNG needs librsvg2-dev: install it, configure and build again; SVG needs nothing";

bool can_write_png() {
  return false;
}

void write_png(const std::string& path, const std::string&, double) {
  refuse_files("\"" + path + "\": this program was built without librsvg", png_advice);
}

}  // namespace translate
