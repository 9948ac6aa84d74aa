// Vectors as rows of coloured cells with their numbers, step by step: the way of a few numbers through a model and
// back.
//
//   docs::Cells picture("One step of attention");
//   picture.step("The query is added to every key");              // what follows belongs to it, until the next step
//   picture.vector("s", {0, 0}, "query s", s, docs::query);        // the middle of its cells, in pixels
//   picture.gradient("s", "by the query", ds);                     // one row of cells more below it, in its colour
//   picture.op("gru", {90, 0}, "GRU");
//   picture.arrow("s", "gru");
//   picture.arrow("gru", "s", docs::gradient, "3");                // dashed, beside the arrow forward
//   picture.write("pictures/attention-step.svg");
//
// The picture moves: its steps appear one after the other, again and again, and the caption of each is lit in its turn.
// For readers who have asked their system for less motion, and on paper, it shows all of them and stands still.
#pragma once

#include <docs/boxes.h>

namespace docs {

class Cells {
 public:
  struct Place {
    double x, y;
  };

  explicit Cells(std::string title) : title_(std::move(title)) {}

  void step(std::string caption) { captions_.push_back(std::move(caption)); }

  // A row of numbers; `opacity` is that of its colour.
  void vector(const std::string& name, Place at, const std::string& label, const autograd::Tensor& values, BoxKind kind,
              double opacity = 1.0) {
    const double width = cell * static_cast<double>(values.numel());
    frames_[name] = {at.x - width / 2.0, at.y - height / 2.0, at.x + width / 2.0, at.y + height / 2.0};
    if (!label.empty()) add(svg::text_at(at.x, at.y - height / 2.0 - 5.0, "line", label));
    draw_row(frames_[name].left, frames_[name].top, values, kind_class(kind), opacity);
    widen(frames_[name], label.empty() ? 0.0 : 18.0);
  }

  // What arrives at it: one more row below it, with its label on the right.
  void gradient(const std::string& name, const std::string& label, const autograd::Tensor& values) {
    Frame& frame = frames_.at(name);
    draw_row(frame.left, frame.bottom + 3.0, values, "arrived", 1.0);
    add(svg::text_at(frame.left + cell * static_cast<double>(values.numel()) + 5.0, frame.bottom + 3.0 + 17.0,
                     "said orange", label));
    frame.bottom += 3.0 + height;
    widen(frame, 0.0, svg::text_width(label));
  }

  // A share of the whole as a bar.
  void share(const std::string& name, Place at, const std::string& label, double part) {
    frames_[name] = {at.x - cell, at.y - height / 2.0, at.x + cell, at.y + height / 2.0};
    const Frame& frame = frames_[name];
    add(svg::rectangle("op", frame.left, frame.top, 2.0 * cell, height));
    add(svg::rectangle("part", frame.left, frame.top, 2.0 * cell * part, height));
    add(svg::text_at(at.x, at.y + 4.5, "line", fmt::format("{} {:.2f}", label, part)));
    widen(frame);
  }

  void op(const std::string& name, Place at, const std::string& text) {
    const double width = svg::text_width(text) + 20.0;
    frames_[name] = {at.x - width / 2.0, at.y - height / 2.0 - 2.0, at.x + width / 2.0, at.y + height / 2.0 + 2.0};
    const Frame& frame = frames_[name];
    add(svg::rectangle("op", frame.left, frame.top, width, height + 4.0, " rx=\"14\""));
    add(svg::text_at(at.x, at.y + 4.5, "middle line", text));
    widen(frame);
  }

  void note(Place at, const std::string& text, const std::string& css = "said") {
    add(svg::text_at(at.x, at.y, css, text));
    widen({at.x, at.y - 14.0, at.x, at.y + 4.0}, 0.0, css == "said" ? svg::text_width(text) : 0.0);
  }

  // Between the edges of what has these names, with everything below it.
  void arrow(const std::string& from, const std::string& to, ArrowKind kind = forward, const std::string& label = "") {
    arrows_.push_back({captions_.size(), from, to, kind, label});
  }

  void write(const std::string& path) const { std::ofstream(path) << svg(); }

 private:
  struct Frame {
    double left, top, right, bottom;
  };
  static constexpr double cell = 40.0, height = 24.0, margin = 16.0, line = 18.0, seconds = 2.4, rest = 4.0;

  struct Arrow {
    std::size_t step;
    std::string from, to;
    ArrowKind kind;
    std::string label;
  };

  static const char* kind_class(BoxKind kind) {
    constexpr const char* classes[] = {"value", "learnt", "query", "key", "op", "note"};
    return classes[kind];
  }

  void add(std::string drawn) { drawn_.emplace_back(captions_.size(), std::move(drawn)); }

  void draw_row(double left, double top, const autograd::Tensor& values, const std::string& css, double opacity) {
    for (std::int64_t i = 0; i < values.numel(); ++i) {
      const double x = left + cell * static_cast<double>(i);
      add(svg::rectangle(css, x, top, cell, height, fmt::format(" fill-opacity=\"{:.2f}\"", opacity)));
      add(svg::text_at(x + cell / 2.0, top + height / 2.0 + 4.5, "line", fmt::format("{:.2f}", values.at({i}))));
    }
  }

  void widen(const Frame& frame, double above = 0.0, double right = 0.0) {
    all_.left = std::min(all_.left, frame.left);
    all_.top = std::min(all_.top, frame.top - above);
    all_.right = std::max(all_.right, frame.right + right);
    all_.bottom = std::max(all_.bottom, frame.bottom);
  }

  // The line from middle to middle, outside of both.
  static std::pair<Place, Place> course(const Frame& from, const Frame& to) {
    const auto leave = [](const Frame& frame, const Frame& other) {
      const double x = (frame.left + frame.right) / 2.0, y = (frame.top + frame.bottom) / 2.0;
      const double dx = (other.left + other.right) / 2.0 - x, dy = (other.top + other.bottom) / 2.0 - y;
      const double across = dx == 0.0 ? 1e9 : (frame.right - frame.left + 6.0) / 2.0 / std::abs(dx);
      const double down = dy == 0.0 ? 1e9 : (frame.bottom - frame.top + 6.0) / 2.0 / std::abs(dy);
      const double part = std::min({across, down, 0.5});
      return Place{x + part * dx, y + part * dy};
    };
    return {leave(from, to), leave(to, from)};
  }

  // The way back stands beside the way forward.
  std::string drawn(const Arrow& arrow) const {
    const auto [start, end] = course(frames_.at(arrow.from), frames_.at(arrow.to));
    const double length = std::max(1.0, std::hypot(end.x - start.x, end.y - start.y));
    const double aside = arrow.kind == docs::gradient ? 9.0 : 0.0;
    const double x = -aside * (end.y - start.y) / length, y = aside * (end.x - start.x) / length;
    const std::string line = fmt::format(
        "<line class=\"{0}\" x1=\"{1:.1f}\" y1=\"{2:.1f}\" x2=\"{3:.1f}\" y2=\"{4:.1f}\" marker-end=\"url(#{0})\"/>\n",
        arrow.kind == forward ? "forward" : "gradient", start.x + x, start.y + y, end.x + x, end.y + y);
    if (arrow.label.empty()) return line;
    return line + svg::text_at((start.x + end.x) / 2.0 + 2.3 * x, (start.y + end.y) / 2.0 + 2.3 * y + 4.5,
                               "number middle", arrow.label);
  }

  // First all stands for a while. Then it is empty, and step n of N appears when its turn comes, with its caption lit.
  std::string motion() const {
    const double all = rest + seconds * static_cast<double>(captions_.size());
    if (captions_.empty()) return "";
    std::string css = "  @media screen and (prefers-reduced-motion: no-preference) {\n";
    for (std::size_t n = 1; n <= captions_.size(); ++n) {
      const double begin = 100.0 * (rest + seconds * static_cast<double>(n - 1)) / all;
      const double end = 100.0 * (rest + seconds * static_cast<double>(n)) / all;
      const double empty = 100.0 * rest / all - 1.0;
      css += fmt::format(
          "    @keyframes step{0} {{ 0%, {1:.1f}% {{ opacity: 1 }} {2:.1f}%, {3:.1f}% {{ opacity: 0 }} "
          "{4:.1f}%, 100% {{ opacity: 1 }} }}\n"
          "    @keyframes said{0} {{ 0%, {1:.1f}% {{ opacity: 1 }} {2:.1f}%, {3:.1f}% {{ opacity: .35 }} "
          "{4:.1f}%, {5:.1f}% {{ opacity: 1 }} {6:.1f}%, 99.8% {{ opacity: .35 }} 100% {{ opacity: 1 }} }}\n"
          "    .step{0} {{ animation: step{0} {7:.1f}s infinite }} .said{0} {{ animation: said{0} {7:.1f}s infinite "
          "}}\n",
          n, empty - 1.0, empty, begin, begin + 2.0, end - 1.0, std::min(end, 99.5), all);
    }
    return css + "  }\n";
  }

  static std::string style() {
    const auto colours = [](bool dark) {
      return fmt::format(".arrived {{ fill: {}; stroke: {} }} .orange, .number {{ fill: {} }} .part {{ fill: {} }}",
                         colour("backward-soft", dark), colour("backward", dark), colour("backward", dark),
                         colour("line", dark));
    };
    return box_style() + "  .number { font-size: 13px; font-weight: 600 } .said { font-size: 13px }\n  " +
           colours(false) + "\n  @media (prefers-color-scheme: dark) { " + colours(true) + " }\n";
  }

  std::string svg() const {
    std::string content = markers + svg::text_at(all_.left, all_.top - 22.0, "heading", title_);
    for (std::size_t n = 0; n <= captions_.size(); ++n) {
      content += n == 0 ? "<g>\n" : fmt::format("<g class=\"step{}\">\n", n);
      for (const Arrow& arrow : arrows_) {
        if (arrow.step == n) content += drawn(arrow);
      }
      for (const auto& [step, drawn] : drawn_) {
        if (step == n) content += drawn;
      }
      content += "</g>\n";
    }
    double y = all_.bottom + 30.0, right = all_.right;
    std::string description;
    for (std::size_t n = 1; n <= captions_.size(); ++n) {
      content += svg::text_at(all_.left, y, fmt::format("said said{}", n), captions_[n - 1]);
      right = std::max(right, all_.left + 0.85 * svg::text_width(captions_[n - 1]));  // in small letters
      description += captions_[n - 1] + ". ";
      y += line;
    }
    right = std::max(right, all_.left + svg::title_letter * static_cast<double>(title_.size()));
    const double top = all_.top - 40.0 - margin;
    return svg::picture({all_.left - margin, top, right - all_.left + 2.0 * margin, y - line + margin - top}, title_,
                        description, style() + motion(), content);
  }

  std::string title_;
  std::vector<std::string> captions_;
  std::vector<std::pair<std::size_t, std::string>> drawn_;  // by step; 0 is there from the beginning
  std::vector<Arrow> arrows_;
  std::map<std::string, Frame> frames_;
  Frame all_ = {1e9, 1e9, -1e9, -1e9};
};

}  // namespace docs
