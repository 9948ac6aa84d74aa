// Report: one report on an experiment, in Markdown, with its pictures beside it as SVG files.
//
//   translate::Report report("Attention against no attention");
//   report.paragraph("With attention, BLEU is 9.4 points higher.");
//   report.table({.caption = "test2016",
//                 .columns = {"model", "BLEU"},
//                 .rows = {{"attention", "32.8"}, {"none", "23.3"}}});
//   report.picture("curves", autograd::chart_svg(..), "Perplexity on the validation set");
//   report.write("reports", "attention");                    reports/attention.md, reports/attention-curves.svg
//
// Texts are plain: nothing in them is taken for markup, and control characters do no harm.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace translate {

// The first column has names, the others numbers.
struct ReportTable {
  std::string caption = "";
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // as long as the heading
};

// Adds a column, unless all its cells are a dash.
void add_column(ReportTable& table, const std::string& name, const std::vector<std::string>& cells);

class Report {
 public:
  explicit Report(std::string title) : title_(std::move(title)) {}

  void heading(const std::string& text);
  // Adds nothing if the text is empty.
  void paragraph(const std::string& text);
  // Adds nothing if the table has no numbers.
  void table(const ReportTable& table);
  void picture(const std::string& name, const std::string& svg, const std::string& caption);

  // Stands above all else; "": none.
  std::string note = "";
  // Names and values that stand at the end: the seed, the model, the data, the command line.
  std::vector<std::pair<std::string, std::string>> settings = {};

  // Returns the report as it stands in a file NAME.md.
  std::string markdown(const std::string& name) const;
  // Writes FOLDER/NAME-PICTURE.svg for each picture and FOLDER/NAME.md, whose path it returns. Throws bad-file.
  std::string write(const std::filesystem::path& folder, const std::string& name) const;

 private:
  struct Picture {
    std::string name;
    std::string svg;
    std::string caption;
  };
  std::string title_;
  std::vector<std::string> parts_;  // a text, or "" in the place of the next picture
  std::vector<Picture> pictures_;
};

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

// Returns "32.8", or a dash for what was not measured or is not finite.
std::string number_text(double value, int digits);

// Returns a table in Markdown, with columns that are aligned on a terminal too.
std::string table_text(const ReportTable& table);

}  // namespace translate
