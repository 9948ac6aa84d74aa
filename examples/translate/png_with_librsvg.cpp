// SVG -> PNG with librsvg and cairo.
#include <autograd/tensor/error.h>
#include <cairo.h>
#include <fmt/core.h>
#include <librsvg/rsvg.h>
#include <nn/atomic_file.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "examples/translate/png.h"

// fontconfig keeps what it has read of the fonts until the program ends, which LeakSanitizer would call a leak. (It
// asks for this function in builds with sanitizers; nobody calls it in others.)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig";
}

namespace translate {
namespace {

using autograd::ErrorId;
using autograd::Where;

// What C hands out, given back at the end of the scope.
struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(GError* error) const { g_error_free(error); }
};
using Handle = std::unique_ptr<RsvgHandle, Release>;
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using CairoContext = std::unique_ptr<cairo_t, Release>;
using ErrorText = std::unique_ptr<GError, Release>;

constexpr double largest_side = 32767.0;  // of a cairo picture, in pixels

Handle parse(const std::string& svg, Where where) {
  GError* error = nullptr;
  Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  const ErrorText owner(error);
  if (!handle) {
    const std::string_view message = error->message;  // several lines
    autograd::fail(ErrorId::bad_argument, "write_png", where,
                   fmt::format("not an SVG: {}", message.substr(0, message.find('\n'))),
                   "give the text of the picture, as heatmap_svg returns it, not the name of a file");
  }
  return handle;
}

// The picture on white. A style sheet's rules for dark screens do not count here.
Surface draw(const Handle& handle, double scale, Where where) {
  double width = 0.0;
  double height = 0.0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) || width < 1.0 || height < 1.0) {
    autograd::fail(ErrorId::bad_argument, "write_png", where, "the SVG does not say how large it is",
                   "give its <svg> a width and a height in pixels");
  }
  const double factor = std::min({scale, largest_side / width, largest_side / height});
  const RsvgRectangle frame{0.0, 0.0, std::floor(width * factor), std::floor(height * factor)};
  Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(frame.width), static_cast<int>(frame.height)));
  const CairoContext context(cairo_create(surface.get()));
  cairo_set_source_rgb(context.get(), 1.0, 1.0, 1.0);
  cairo_paint(context.get());
  GError* error = nullptr;
  const bool done = rsvg_handle_render_document(handle.get(), context.get(), &frame, &error);
  const ErrorText owner(error);
  const cairo_status_t status = cairo_status(context.get());
  if (!done || status != CAIRO_STATUS_SUCCESS) {
    autograd::fail(ErrorId::bad_file, "write_png", where,
                   fmt::format("the picture of {} x {} pixels cannot be drawn: {}", frame.width, frame.height,
                               error ? error->message : cairo_status_to_string(status)),
                   "try a smaller scale");
  }
  return surface;
}

bool has_ink(const Surface& surface) {
  cairo_surface_flush(surface.get());
  const unsigned char* pixels = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < cairo_image_surface_get_height(surface.get()); ++y) {
    for (int x = 0; x < cairo_image_surface_get_width(surface.get()); ++x) {
      if (pixels[y * stride + 4 * x] < 128) return true;
    }
  }
  return false;
}

// Without any font texts are left out silently, and a chart without numbers is worse than none.
void check_font(const std::string& path, Where where) {
  const std::string letter = R"(<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">)"
                             R"(<text x="5" y="30" style="font: 30px system-ui, sans-serif">M</text></svg>)";
  if (has_ink(draw(parse(letter, where), 1.0, where))) return;
  autograd::fail(ErrorId::bad_file, "write_png", where, fmt::format("\"{}\": no font is installed", path),
                 "install one (Debian: fonts-dejavu-core); SVG needs none");
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

const char* const png_advice = "";

bool can_write_png() {
  return true;
}

void write_png(const std::string& path, const std::string& svg, const PngOptions& options, Where where) {
  if (!(options.scale > 0.0) || !std::isfinite(options.scale)) {
    autograd::fail(ErrorId::bad_argument, "write_png", where, fmt::format("scale is {}", options.scale),
                   "give the pixels of the PNG per pixel of the SVG, such as 2");
  }
  const Handle handle = parse(svg, where);
  check_font(path, where);
  const Surface surface = draw(handle, options.scale, where);
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) {
    autograd::fail(ErrorId::bad_file, "write_png", where,
                   fmt::format("\"{}\": {}", path, cairo_status_to_string(status)), "write SVG instead");
  }
  nn::AtomicFile file(path, where);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace translate
