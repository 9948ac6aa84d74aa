// SVG -> PNG with librsvg and cairo.
#include <cairo.h>
#include <fmt/core.h>
#include <librsvg/rsvg.h>
#include <nn/atomic_file.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "examples/translate/messages.h"
#include "examples/translate/report/png.h"

// fontconfig keeps what it has read of the fonts until the program ends, which LeakSanitizer would call a leak. (Builds
// with sanitizers call this function; nobody calls it in others.)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig";
}

namespace translate {
namespace {

// Releases C objects at the end of their scope.
struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(GError* error) const { g_error_free(error); }
};
using Handle = std::unique_ptr<RsvgHandle, Release>;
using Surface = std::unique_ptr<cairo_surface_t, Release>;

constexpr double largest_side = 32767.0;  // of a cairo picture, in pixels

Handle parse(const std::string& svg) {
  GError* error = nullptr;
  Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  const std::unique_ptr<GError, Release> owner(error);
  if (handle) return handle;
  const std::string_view message = error->message;  // several lines
  refuse_option(fmt::format("not an SVG: {}", message.substr(0, message.find('\n'))),
                "give the text of the picture, as heatmap_svg returns it, not the name of a file");
}

// Draws the picture on white. A style sheet's rules for dark screens have no effect here.
Surface draw(const Handle& handle, double scale) {
  double width = 0.0;
  double height = 0.0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) || width < 1.0 || height < 1.0) {
    refuse_option("the SVG does not say how large it is", "give its <svg> a width and a height in pixels");
  }
  const double factor = std::min({scale, largest_side / width, largest_side / height});
  const RsvgRectangle frame{0.0, 0.0, std::floor(width * factor), std::floor(height * factor)};
  Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(frame.width), static_cast<int>(frame.height)));
  const std::unique_ptr<cairo_t, Release> context(cairo_create(surface.get()));
  cairo_set_source_rgb(context.get(), 1.0, 1.0, 1.0);
  cairo_paint(context.get());
  const bool is_drawn = rsvg_handle_render_document(handle.get(), context.get(), &frame, nullptr);
  const cairo_status_t status = cairo_status(context.get());
  if (is_drawn && status == CAIRO_STATUS_SUCCESS) return surface;
  refuse_files(fmt::format("the picture of {} x {} pixels cannot be drawn: {}", frame.width, frame.height,
                           cairo_status_to_string(status)),
               "write SVG instead");
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

std::string png_of(const std::string& svg, double scale) {
  const Surface surface = draw(parse(svg), scale);
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) refuse_files(cairo_status_to_string(status), "write SVG instead");
  return bytes;
}

// Without any font, librsvg silently leaves texts out, and a chart without numbers is worse than none.
void check_font(const std::string& path) {
  const auto letter = [](const char* text) {
    return png_of(fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">)"
                              R"(<text x="5" y="30" style="font: 30px system-ui, sans-serif">{}</text></svg>)",
                              text),
                  1.0);
  };
  if (letter("M") != letter("")) return;
  refuse_files(fmt::format("\"{}\": no font is installed", path),
               "install one (Debian: fonts-dejavu-core); SVG needs none");
}

}  // namespace

const char* const png_advice = "";

bool can_write_png() {
  return true;
}

void write_png(const std::string& path, const std::string& svg, double scale) {
  const std::string png = png_of(svg, scale);
  check_font(path);
  nn::write_file(path, png);
}

}  // namespace translate
