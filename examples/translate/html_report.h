// A report on an experiment: the same content as one HTML file, which opens from disk without a network, and as text
// for the terminal.
//
//   translate::Report report("Attention against no attention");
//   report.paragraph("With attention, BLEU is 9.4 points higher.");
//   report.table({.caption = "test2016",
//                 .columns = {"model", "BLEU"},
//                 .rows = {{"attention", "32.8"}, {"none", "23.3"}}});
//   report.picture(nn::line_chart_svg(..), "Perplexity on the validation set");
//   report.settings({{"seed", "1"}, {"command", "translate experiment bottleneck --seed 1"}});
//   fmt::print("{}", report.text());
//   report.write_html("attention.html");
//
// All texts are UTF-8 and plain: nothing in them is taken for markup, and control characters do no harm.
#pragma once

#include <autograd/tensor/where.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace translate {

// A column whose cells are all numbers (or empty, or a dash) is aligned to the right.
struct ReportTable {
  std::string caption = "";
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // a row may be shorter than the heading: the rest is empty
};

class Report {
 public:
  explicit Report(std::string title);

  void heading(std::string text);
  void paragraph(std::string text);
  void table(ReportTable table);
  // An SVG (heatmap.h, line_chart.h, bar_chart.h). The terminal shows the caption and, if it is given, `drawing`, lines
  // that are printed as they are (heatmap_text). Throws bad-argument for a text that is no SVG.
  void picture(std::string svg, std::string caption, std::string drawing = "",
               autograd::Where where = autograd::Where::current());
  // Lines in letters of the same width: translations.
  void preformatted(std::string lines);
  // Names and values: the seed, the model, the data, the command line.
  void settings(std::vector<std::pair<std::string, std::string>> values);

  std::string html() const;
  std::string text() const;

  // Written completely or not at all. Throws bad-file.
  void write_html(const std::string& path, autograd::Where where = autograd::Where::current()) const;

 private:
  enum class Kind { heading, paragraph, table, picture, preformatted, settings };
  struct Part {
    Kind kind;
    std::string text = "";     // of heading, paragraph and preformatted; the picture's caption
    ReportTable table = {};    // of table; settings as one of two columns without a heading
    std::string svg = "";      // of a picture
    std::string drawing = "";  // the picture for the terminal
  };
  std::string html_of(const Part& part, std::size_t number) const;
  std::string text_of(const Part& part) const;

  std::string title_;
  std::vector<Part> parts_;
};

// A table for the terminal: columns side by side, numbers to the right.
std::string table_text(const ReportTable& table);

}  // namespace translate
