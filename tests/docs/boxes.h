// Boxes and arrows: the architectures and cells of the book's chapters, drawn by their snippets.
//
//   docs::Boxes picture("One decoder step");
//   picture.box("s", {0, 1}, {"s", docs::shape(s)});           // at column 0, row 1; a line of text each
//   picture.box("e", {1, 0}, {"score", docs::shape(e)}, docs::op);
//   picture.arrow("s", "e", "query");                           // an optional label in its middle
//   picture.arrow("e", "s", "ds", docs::gradient);              // dashed, in the colour of gradients
//   picture.write("pictures/decoder-step.svg");
//
// Rows go down, columns to the right; both may be fractions. Four columns are what a phone shows legibly.
#pragma once

#include <autograd/autograd.h>
#include <autograd/debug/trace/page_template.h>
#include <autograd/pictures/svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace docs {

namespace svg = autograd::svg;

// What a box stands for decides its colour: a value, a value that is learnt, a query, keys, an operation, words without
// a frame. docs/notation.md shows them.
enum BoxKind { value, learnt, query, key, op, note };
enum ArrowKind { forward, gradient };

// "[2, 5, 6]", from the run.
inline std::string shape(const autograd::Tensor& tensor) {
  return to_string(tensor.shape());
}

// One of the replay's and the playground's: autograd/debug/trace/page/colours.css.
inline std::string colour(const std::string& name, bool dark) {
  const std::string css = autograd::debug::page_css(), key = "--" + name + ": ";
  const std::size_t at = css.find(key, css.find(dark ? "[data-theme=" : ":root"));
  if (at == std::string::npos) throw std::invalid_argument("no colour is called " + name);
  return css.substr(at + key.size(), css.find(';', at) - at - key.size());
}

// Of boxes with text and what joins them, also of the tape's pictures (docs/graph.h).
inline std::string box_style() {
  const auto boxes = [](bool dark) {
    std::string css;
    for (const auto& [box, name] :
         {std::pair("value", "forward"), {"learnt", "learnt"}, {"query", "query"}, {"key", "key"}}) {
      css += fmt::format(".{} {{ fill: {}; stroke: {} }} ", box, colour(std::string(name) + "-soft", dark),
                         colour(name, dark));
    }
    const std::string gradient = colour("backward", dark);
    return css + fmt::format("\n    .gradient {{ stroke: {0} }} .back {{ fill: {0} }}\n", gradient);
  };
  return R"(  .line { font-size: 13px; text-anchor: middle } .first { font-weight: 600 }
  .label { font-size: 12px; stroke: #ffffff; stroke-width: 4px; paint-order: stroke }
  .op { fill: #f6f8fa; stroke: #57606a }
  .forward { fill: none; stroke: #57606a; stroke-width: 1.5 } .head { fill: #57606a }
  .gradient { stroke-width: 1.5; stroke-dasharray: 5 3 }
    )" + boxes(false) +
         R"(  @media (prefers-color-scheme: dark) {
    .label { stroke: #0d1117 }
    .op { fill: #21262d; stroke: #9da7b1 }
    .forward { stroke: #9da7b1 } .head { fill: #9da7b1 }
    )" + boxes(true) +
         "  }\n";
}

// The heads of arrows, of both kinds.
inline const std::string markers = R"(<defs>
<marker id="forward" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
<path class="head" d="M0,0L8,4L0,8z"/></marker>
<marker id="gradient" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
<path class="back" d="M0,0L8,4L0,8z"/></marker>
</defs>
)";

struct BoxesOptions {
  double column = 140.0;  // from the middle of a box to the next one's, in pixels
  double row = 78.0;
  double box = 112.0;  // the width of a box
};

class Boxes {
 public:
  struct Place {
    double column, row;
  };

  explicit Boxes(std::string title, BoxesOptions options = {}) : title_(std::move(title)), options_(options) {}

  // A long text makes its box wider.
  void box(const std::string& name, Place place, std::vector<std::string> lines, BoxKind kind = value) {
    boxes_[name] = {place.column * options_.column, place.row * options_.row, std::move(lines), kind};
    order_.push_back(name);
  }

  void arrow(const std::string& from, const std::string& to, const std::string& label = "", ArrowKind kind = forward) {
    arrows_.push_back({from, to, label, kind});
  }

  void write(const std::string& path) const { std::ofstream(path) << svg(); }

 private:
  struct Box {
    double x, y;  // the middle
    std::vector<std::string> lines;
    BoxKind kind;
  };
  struct Arrow {
    std::string from, to, label;
    ArrowKind kind;
  };
  static constexpr double line_height = 17.0, margin = 16.0, heading = 34.0;

  double width_of(const Box& box) const {
    double width = options_.box;
    for (const std::string& line : box.lines) width = std::max(width, svg::text_width(line) + 16.0);
    return width;
  }
  static double height_of(const Box& box) { return 14.0 + line_height * static_cast<double>(box.lines.size()); }

  const Box& named(const std::string& name) const {
    const auto found = boxes_.find(name);
    if (found == boxes_.end()) throw std::invalid_argument("an arrow names a box that is not there: " + name);
    return found->second;
  }

  struct Point {
    double x, y;
  };
  // Where the line from the middle of `box` towards (x, y), moved aside, leaves the box.
  Point edge(const Box& box, double x, double y, Point aside) const {
    const double dx = x - box.x;
    const double dy = y - box.y;
    const double across = dx == 0.0 ? 1e9 : (width_of(box) / 2.0 - aside.x * std::copysign(1.0, dx)) / std::abs(dx);
    const double down = dy == 0.0 ? 1e9 : (height_of(box) / 2.0 - aside.y * std::copysign(1.0, dy)) / std::abs(dy);
    const double part = std::min({across, down, 0.5});
    return {box.x + aside.x + part * dx, box.y + aside.y + part * dy};
  }

  struct Course {
    Point start, end;
    Point moved;  // aside
  };
  // An arrow and the gradient that flows back along it stand side by side.
  Course course_of(const Arrow& arrow) const {
    const Box& from = named(arrow.from);
    const Box& to = named(arrow.to);
    const double length = std::max(1.0, std::hypot(to.x - from.x, to.y - from.y));
    const double aside = has_counterpart(arrow) ? 7.0 : 0.0;
    const Point moved = {-aside * (to.y - from.y) / length, aside * (to.x - from.x) / length};
    return {edge(from, to.x, to.y, moved), edge(to, from.x, from.y, moved), moved};
  }

  std::string drawn(const Arrow& arrow) const {
    const auto [start, end, moved] = course_of(arrow);
    return fmt::format(
        "<line class=\"{0}\" x1=\"{1:.1f}\" y1=\"{2:.1f}\" x2=\"{3:.1f}\" y2=\"{4:.1f}\" marker-end=\"url(#{0})\"/>\n",
        arrow.kind == forward ? "forward" : "gradient", start.x, start.y, end.x, end.y);
  }

  // Outside of the pair: above or below a level arrow, right or left of any other.
  std::string label_of(const Arrow& arrow) const {
    if (arrow.label.empty()) return "";
    const auto [start, end, moved] = course_of(arrow);
    const bool level = std::abs(named(arrow.to).y - named(arrow.from).y) < 1.0;
    const double right = moved.x < 0.0 ? -8.0 : 8.0;
    const double down = moved.y > 0.0 ? 14.0 : -7.0;
    const char* const css = level ? "label middle" : (moved.x < 0.0 ? "label end" : "label");
    return svg::text_at((start.x + end.x) / 2.0 + (level ? 0.0 : right), (start.y + end.y) / 2.0 + (level ? down : 4.0),
                        css, arrow.label);
  }

  bool has_counterpart(const Arrow& arrow) const {
    return std::any_of(arrows_.begin(), arrows_.end(),
                       [&](const Arrow& other) { return other.from == arrow.to && other.to == arrow.from; });
  }

  std::string drawn(const Box& box) const {
    constexpr const char* classes[] = {"value", "learnt", "query", "key", "op", "note"};
    const double width = width_of(box);
    const double height = height_of(box);
    std::string svg;
    if (box.kind != note) {
      svg += svg::rectangle(classes[box.kind], box.x - width / 2.0, box.y - height / 2.0, width, height,
                            box.kind == op ? " rx=\"16\"" : " rx=\"4\"");
    }
    double y = box.y - height / 2.0 + 7.0 + 13.0;
    for (const std::string& line : box.lines) {
      const bool is_first = &line == &box.lines.front() && box.kind != note;
      svg += svg::text_at(box.x, y, is_first ? "line first" : "line", line);
      y += line_height;
    }
    return svg;
  }

  // In words, for those who cannot see it.
  std::string description() const {
    std::string text;
    for (const Arrow& arrow : arrows_) {
      text += fmt::format("{}{} to {}{}. ", arrow.kind == gradient ? "Gradient: " : "", named(arrow.from).lines.front(),
                          named(arrow.to).lines.front(), arrow.label.empty() ? "" : ", " + arrow.label);
    }
    return text;
  }

  std::string svg() const {
    double left = std::numeric_limits<double>::infinity(), right = -left, top = left, bottom = -left;
    for (const auto& [name, box] : boxes_) {
      left = std::min(left, box.x - width_of(box) / 2.0);
      right = std::max(right, box.x + width_of(box) / 2.0);
      top = std::min(top, box.y - height_of(box) / 2.0);
      bottom = std::max(bottom, box.y + height_of(box) / 2.0);
    }
    right = std::max(right, left + svg::title_letter * static_cast<double>(title_.size()));
    std::string content = markers + svg::text_at(left, top - heading + 6.0, "heading", title_);
    for (const Arrow& arrow : arrows_) content += drawn(arrow);
    for (const Arrow& arrow : arrows_) content += label_of(arrow);  // no arrow strikes one out
    for (const std::string& name : order_) content += drawn(boxes_.at(name));
    return svg::picture(
        {left - margin, top - margin - heading, right - left + 2.0 * margin, bottom - top + 2.0 * margin + heading},
        title_, description(), box_style(), content);
  }

  std::string title_;
  BoxesOptions options_;
  std::map<std::string, Box> boxes_;
  std::vector<std::string> order_;
  std::vector<Arrow> arrows_;
};

}  // namespace docs
