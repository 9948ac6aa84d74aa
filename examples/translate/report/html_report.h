// Report: one report on an experiment, as an HTML file that opens from disk without a network, and as text for the
// terminal.
//
//   translate::Report report("Attention against no attention");
//   report.findings({"With attention, BLEU is 9.4 points higher."});
//   report.table({.caption = "test2016",
//                 .columns = {"model", "BLEU"},
//                 .rows = {{"attention", "32.8"}, {"none", "23.3"}}});
//   report.picture("curves", nn::line_chart_svg(..), "Perplexity on the validation set");
//   report.settings = {{"seed", "1"}, {"command", "translate experiment bottleneck --seed 1"}};
//   fmt::print("{}", report.text());
//   report.write("reports", "attention");
//
// All texts are UTF-8 and plain: nothing in them is taken for markup, and control characters do no harm.
#pragma once

#include <autograd/tensor/where.h>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace translate {

// A column is aligned to the right if all its cells are numbers, empty or a dash.
struct ReportTable {
  std::string caption = "";
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // a row may be shorter than the heading: the rest is empty
};

class Report {
 public:
  explicit Report(std::string title);

  void heading(const std::string& text);
  // Adds nothing if the text is empty.
  void paragraph(const std::string& text);
  // Adds a heading and paragraphs that say what was found.
  void findings(const std::vector<std::string>& texts);
  void table(const ReportTable& table);
  // Adds an SVG (heatmap.h, line_chart.h, bar_chart.h), which write() also saves as a file. The terminal shows the
  // caption and `drawing`, lines that are printed as they are (heatmap_text). Throws bad-argument for a text that is no
  // SVG.
  void picture(const std::string& name, const std::string& svg, const std::string& caption,
               const std::string& drawing = "", autograd::Where where = autograd::Where::current());

  // Stands above all else; "": none.
  std::string note = "";
  // Names and values that stand at the end: the seed, the model, the data, the command line.
  std::vector<std::pair<std::string, std::string>> settings = {};

  std::string html() const;
  std::string text() const;

  // Writes FOLDER/NAME-PICTURE.svg for each picture and FOLDER/NAME.html, whose path it returns. Throws bad-file.
  std::string write(const std::filesystem::path& folder, const std::string& name) const;

 private:
  Report end() const;  // the settings

  std::string title_;
  std::string html_;  // of the body
  std::string text_;
  std::vector<std::pair<std::string, std::string>> pictures_;  // name and SVG
};

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

// Returns "32.8", or a dash for what was not measured or is not finite.
std::string number_text(double value, int digits);

// Returns a table for the terminal, with numbers aligned to the right.
std::string table_text(const ReportTable& table);

// Returns a picture that can stand in one page with others: with this id, and a style sheet that affects nothing else.
std::string scoped_svg(std::string svg, const std::string& id);

}  // namespace translate
