#include "examples/translate/report/html_report.h"

#include <autograd/gradcheck/svg.h>
#include <autograd/tensor/error.h>
#include <fmt/core.h>
#include <nn/atomic_file.h>
#include <nn/pictures/display_text.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "examples/translate/messages.h"

namespace translate {
namespace {

constexpr std::size_t page_width = 100;  // of paragraphs on the terminal, in columns

// The page loads nothing and runs nothing, and the policy tells the browser to enforce that.
constexpr const char* head = R"(<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root { --back: #ffffff; --text: #1f2328; --faint: #59636e; --line: #d0d7de; --stripe: #f6f8fa }
@media screen and (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --faint: #9198a1; --line: #30363d; --stripe: #161b22 }
}
body { margin: 0; background: var(--back); color: var(--text); font: 17px/1.55 system-ui, sans-serif }
main { max-width: 50rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1.2rem }
h2 { font-size: 1.3rem; margin: 2.4rem 0 0.6rem }
p { max-width: 42rem }
.scroll { overflow-x: auto; margin: 1.6rem 0 }
table { border-collapse: collapse; font-size: 0.94rem; font-variant-numeric: tabular-nums }
caption { caption-side: top; text-align: left; font-weight: 600; padding-bottom: 0.4rem }
th, td { padding: 0.3rem 0.7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
thead th { vertical-align: bottom; border-bottom: 2px solid var(--line) }
tbody th { font-weight: 400 }
tbody tr:nth-child(even) { background: var(--stripe) }
th.number, td.number { text-align: right }
td.number, tbody th { white-space: nowrap }
figure { margin: 2rem 0 }
figure svg { display: block; max-width: 100%; height: auto; margin-left: -20px }  /* the edge of the pictures */
figcaption { color: var(--faint); font-size: 0.92rem; margin-top: 0.5rem }
@media print {
  body { font-size: 11pt }
  main { max-width: none; padding: 0 }
  h2 { break-after: avoid }
  figure, tr { break-inside: avoid }
  .scroll { overflow: visible }
}
</style>
)";

// ---- texts ---------------------------------------------------------------------------------------------------

// Returns the text as one harmless line.
std::string html_text(const std::string& text) {
  return autograd::svg::escape(in_one_line(text));
}

void replace_all(std::string& text, std::string_view old, std::string_view replacement) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + replacement.size())) {
    text.replace(at, old.size(), replacement);
  }
}

// Keeps each percent sign on the line of its number, by a no-break space.
std::string html_paragraph(const std::string& text) {
  std::string html = html_text(text);
  replace_all(html, " %", "\u00A0%");
  return html;
}

// Returns the words of a text; a percent sign belongs to the number before it.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends_word = text[i] == ' ' && text.substr(i + 1, 1) != "%";
    if (!ends_word) words.back() += text[i];
    if (ends_word && !words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Returns at least one line; none is wider than `width` columns unless a word is.
std::vector<std::string> in_lines(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : words_of(text)) {
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (lines.back().empty() || nn::display_width(longer) <= width) {
      lines.back() = longer;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::string wrapped(const std::string& text) {
  std::string lines;
  for (const std::string& line : in_lines(in_one_line(text), page_width)) lines += line + "\n";
  return lines;
}

std::string underlined(const std::string& text, char underline) {
  const std::string line = in_one_line(text);
  return line + "\n" + std::string(nn::display_width(line), underline) + "\n";
}

// ---- tables --------------------------------------------------------------------------------------------------

// Returns true for "32.8", "−1,234", "5e-3", "52.2 %", "97.3 ± 0.4", "2×10⁻⁷": digits, and only signs that numbers are
// written with.
bool is_number(std::string cell) {
  for (const std::string_view sign : {"−", "±", "×", "⁻", "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}) {
    replace_all(cell, sign, "+");
  }
  const bool has_digit = cell.find_first_of("0123456789") != std::string::npos;
  return has_digit && cell.find_first_not_of("0123456789.,+-eE% ") == std::string::npos;
}

using Row = std::vector<std::string>;

// A table with harmless texts and rows of the same length.
struct Grid {
  Row heading;  // empty if the table has none
  std::vector<Row> rows;
  std::vector<bool> is_numeric;  // by column: whether to align it to the right
};

bool is_numeric_column(const Grid& grid, std::size_t column) {
  bool has_number = false;
  for (const Row& row : grid.rows) {
    const std::string& cell = row[column];
    if (cell.empty() || cell == "-" || cell == "–") continue;
    if (!is_number(cell)) return false;
    has_number = true;
  }
  return has_number;
}

Grid grid_of(const ReportTable& table) {
  std::size_t columns = table.columns.size();
  for (const Row& row : table.rows) columns = std::max(columns, row.size());
  const auto filled = [columns](Row row) {
    for (std::string& cell : row) cell = in_one_line(cell);
    row.resize(columns);
    return row;
  };
  Grid grid;
  if (!table.columns.empty()) grid.heading = filled(table.columns);
  for (const Row& row : table.rows) grid.rows.push_back(filled(row));
  for (std::size_t column = 0; column < columns; ++column) {
    grid.is_numeric.push_back(is_numeric_column(grid, column));
  }
  return grid;
}

std::string html_row(const Row& cells, const Grid& grid, bool is_heading) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string tag = is_heading || i == 0 ? "th" : "td";
    const std::string scope = is_heading ? " scope=\"col\"" : i == 0 ? " scope=\"row\"" : "";
    const char* alignment = grid.is_numeric[i] ? " class=\"number\"" : "";
    html += fmt::format("<{0}{1}{2}>{3}</{0}>", tag, scope, alignment, html_text(cells[i]));
  }
  return html + "</tr>";
}

std::string html_table(const ReportTable& table) {
  const Grid grid = grid_of(table);
  const std::string caption = html_text(table.caption);
  // With a tabindex, the keyboard can scroll a table that is wider than the window.
  std::string html = fmt::format("<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">\n<table>\n",
                                 caption.empty() ? "table" : caption);
  if (!caption.empty()) html += fmt::format("<caption>{}</caption>\n", caption);
  if (!grid.heading.empty()) html += "<thead>" + html_row(grid.heading, grid, true) + "</thead>\n";
  html += "<tbody>\n";
  for (const Row& row : grid.rows) html += html_row(row, grid, false) + "\n";
  return html + "</tbody>\n</table>\n</div>\n";
}

// ---- tables for the terminal ---------------------------------------------------------------------------------

using Widths = std::vector<std::size_t>;  // of the columns

std::string text_row(const Row& cells, const Grid& grid, const Widths& widths) {
  std::string line = " ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - std::min(widths[i], nn::display_width(cells[i])), ' ');
    line += (i == 0 ? " " : "   ") + (grid.is_numeric[i] ? blanks + cells[i] : cells[i] + blanks);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// Returns columns as wide as their cells and the longest word of their heading, and wide enough that no heading takes
// more than most_lines lines.
Widths widths_of(const Grid& grid, std::size_t most_lines) {
  Widths widths;
  for (std::size_t column = 0; column < grid.is_numeric.size(); ++column) {
    std::size_t width = 0;
    for (const Row& row : grid.rows) width = std::max(width, nn::display_width(row[column]));
    const std::string heading = grid.heading.empty() ? "" : grid.heading[column];
    for (const std::string& word : words_of(heading)) width = std::max(width, nn::display_width(word));
    while (in_lines(heading, width).size() > most_lines) ++width;
    widths.push_back(width);
  }
  return widths;
}

std::size_t line_width(const Widths& widths) {
  std::size_t sum = 2;
  for (std::size_t i = 0; i < widths.size(); ++i) sum += widths[i] + (i > 0 ? 3 : 0);
  return sum;
}

// Returns the headings, which end on the same line, and a rule below.
std::string text_heading(const Grid& grid, const Widths& widths, std::size_t most_lines) {
  std::string text;
  for (std::size_t from_below = most_lines; from_below > 0; --from_below) {
    Row line;
    for (std::size_t column = 0; column < widths.size(); ++column) {
      const std::vector<std::string> lines = in_lines(grid.heading[column], widths[column]);
      line.push_back(lines.size() < from_below ? "" : lines[lines.size() - from_below]);
    }
    const bool is_empty = std::ranges::all_of(line, [](const std::string& cell) { return cell.empty(); });
    if (!is_empty) text += text_row(line, grid, widths);
  }
  Row rule;
  for (const std::size_t width : widths) rule.emplace_back(width, '-');
  return text + text_row(rule, grid, widths);
}

}  // namespace

std::string number_text(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string table_text(const ReportTable& table) {
  const Grid grid = grid_of(table);
  constexpr std::size_t most_lines = 5;  // of headings, which are broken if the table would be too wide
  std::size_t lines = 1;
  while (lines < most_lines && line_width(widths_of(grid, lines)) > page_width) ++lines;
  const Widths widths = widths_of(grid, lines);
  std::string text = table.caption.empty() ? "" : wrapped(table.caption) + "\n";
  if (!grid.heading.empty()) text += text_heading(grid, widths, most_lines);
  for (const Row& row : grid.rows) text += text_row(row, grid, widths);
  return text;
}

// ---- the report ----------------------------------------------------------------------------------------------

std::string scoped_svg(std::string svg, const std::string& id) {
  replace_all(svg, "<style>", fmt::format("<style>#{} {{", id));  // rules inside a rule are limited to it
  replace_all(svg, "</style>", "}</style>");
  replace_all(svg, "@media (prefers", "@media screen and (prefers");  // on paper it is light
  if (svg.starts_with("<svg ")) svg.insert(5, fmt::format("id=\"{}\" ", id));
  return svg;
}

Report::Report(std::string title) : title_(std::move(title)) {}

void Report::heading(const std::string& text) {
  html_ += fmt::format("<h2>{}</h2>\n", html_text(text));
  text_ += "\n" + underlined(text, '-');
}

void Report::paragraph(const std::string& text) {
  if (text.empty()) return;
  html_ += fmt::format("<p>{}</p>\n", html_paragraph(text));
  text_ += "\n" + wrapped(text);
}

void Report::findings(const std::vector<std::string>& texts) {
  heading("What was found");
  for (const std::string& text : texts) paragraph(text);
}

void Report::table(const ReportTable& table) {
  html_ += html_table(table);
  text_ += "\n" + table_text(table);
}

void Report::picture(const std::string& name, const std::string& svg, const std::string& caption,
                     const std::string& drawing, autograd::Where where) {
  if (!svg.starts_with("<svg ")) {
    autograd::fail(autograd::ErrorId::bad_argument, "Report::picture", where,
                   fmt::format("\"{}\" does not start with <svg", in_one_line(svg.substr(0, 40))),
                   "give the text of the picture, as heatmap_svg returns it, not the name of a file");
  }
  pictures_.emplace_back(name, svg);
  html_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
                       scoped_svg(svg, fmt::format("picture-{}", pictures_.size())), html_paragraph(caption));
  text_ += "\n" + wrapped("[picture: " + caption + "]") + drawing;
}

Report Report::end() const {
  Report end("");
  if (settings.empty()) return end;
  ReportTable table;
  for (const auto& [name, value] : settings) table.rows.push_back({name, value});
  end.heading("Settings");
  end.table(table);
  return end;
}

std::string Report::html() const {
  const std::string above = note.empty() ? "" : fmt::format("<p>{}</p>\n", html_paragraph(note));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n{0}<title>{1}</title>\n</head>\n<body>\n<main>\n<h1>{1}</h1>\n"
      "{2}{3}{4}</main>\n</body>\n</html>\n",
      head, html_text(title_), above, html_, end().html_);
}

std::string Report::text() const {
  const std::string above = note.empty() ? "" : "\n" + wrapped(note);
  return underlined(title_, '=') + above + text_ + end().text_;
}

std::string Report::write(const std::filesystem::path& folder, const std::string& name) const {
  for (const auto& [picture, svg] : pictures_) nn::write_file(folder / fmt::format("{}-{}.svg", name, picture), svg);
  const std::string page = (folder / (name + ".html")).string();
  nn::write_file(page, html());
  return page;
}

}  // namespace translate
