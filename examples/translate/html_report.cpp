#include "examples/translate/html_report.h"

#include <autograd/gradcheck/svg.h>
#include <autograd/tensor/error.h>
#include <fmt/core.h>
#include <nn/atomic_file.h>
#include <nn/pictures/display_text.h>

#include <algorithm>
#include <string_view>

#include "examples/translate/scoped_svg.h"

namespace translate {
namespace {

constexpr std::size_t page_width = 100;  // of paragraphs on the terminal, in columns

// Nothing is loaded from anywhere, and nothing runs: the policy says so to the browser too.
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
.settings th { color: var(--faint); white-space: nowrap }
.settings td { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere }
figure { margin: 2rem 0 }
figure svg { display: block; max-width: 100%; height: auto; margin-left: -20px }  /* the edge of the pictures */
figcaption { color: var(--faint); font-size: 0.92rem; margin-top: 0.5rem }
pre { overflow-x: auto; padding: 0.8rem 1rem; background: var(--stripe); font: 0.9rem/1.4 ui-monospace, monospace }
@media print {
  body { font-size: 11pt }
  main { max-width: none; padding: 0 }
  h2 { break-after: avoid }
  figure, tr { break-inside: avoid }
  .scroll, pre { overflow: visible }
  pre { white-space: pre-wrap }
}
</style>
)";

// ---- texts ---------------------------------------------------------------------------------------------------

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// One harmless line; where the text had line ends, blanks.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return nn::printable(text);
}

// Harmless lines.
std::string all_lines(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::string lines;
  for (const std::string& line : split(text, '\n')) lines += nn::printable(line) + "\n";
  return lines;
}

std::string html_text(const std::string& text) {
  return autograd::svg::escape(text);
}

// With blanks before percent signs that no line is broken at.
std::string html_paragraph(const std::string& text) {
  std::string html = html_text(text);
  for (std::size_t at = html.find(" %"); at != std::string::npos; at = html.find(" %", at)) {
    html.replace(at, 1, "\u00A0");
  }
  return html;
}

// The words of a text; a percent sign belongs to the number before it.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    if (word.starts_with('%') && !words.empty()) {
      words.back() += " " + word;
    } else {
      words.push_back(word);
    }
  }
  return words;
}

// Lines of at most `width` columns, if no word is longer. At least one line.
std::vector<std::string> in_lines(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : words_of(text)) {
    const bool is_first = lines.back().empty();
    const bool fits = nn::display_width(lines.back()) + 1 + nn::display_width(word) <= width;
    if (!is_first && !fits) lines.emplace_back();
    if (!is_first && fits) lines.back() += " ";
    lines.back() += word;
  }
  return lines;
}

std::string wrapped(const std::string& text) {
  std::string lines;
  for (const std::string& line : in_lines(text, page_width)) lines += line + "\n";
  return lines;
}

std::string underlined(const std::string& text, char underline) {
  return text + "\n" + std::string(nn::display_width(text), underline) + "\n";
}

// ---- tables --------------------------------------------------------------------------------------------------

bool is_blank(std::string_view cell) {
  return cell.empty() || cell == "-" || cell == "–";
}

// "32.8", "−1,234", "5e-3", "52.2 %", "97.3 ± 0.4", "2×10⁻⁷": digits, and nothing that they are not written with.
bool is_number(std::string cell) {
  for (const std::string_view sign : {"−", "±", "×", "⁻", "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}) {
    for (std::size_t at = cell.find(sign); at != std::string::npos; at = cell.find(sign)) {
      cell.replace(at, sign.size(), "+");
    }
  }
  const bool has_digit = cell.find_first_of("0123456789") != std::string::npos;
  return has_digit && cell.find_first_not_of("0123456789.,+-eE% ") == std::string::npos;
}

// The table with harmless texts, all rows of the same length, and what each column is aligned by.
struct Grid {
  std::vector<std::string> heading;  // empty if the table has none
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> is_numeric;  // the columns
};

std::vector<std::string> filled(const std::vector<std::string>& cells, std::size_t columns) {
  std::vector<std::string> row;
  for (const std::string& cell : cells) row.push_back(one_line(cell));
  row.resize(columns);
  return row;
}

bool is_numeric_column(const Grid& grid, std::size_t column) {
  bool has_number = false;
  for (const std::vector<std::string>& row : grid.rows) {
    if (is_blank(row[column])) continue;
    if (!is_number(row[column])) return false;
    has_number = true;
  }
  return has_number;
}

Grid grid_of(const ReportTable& table) {
  std::size_t columns = table.columns.size();
  for (const std::vector<std::string>& row : table.rows) columns = std::max(columns, row.size());
  Grid grid;
  if (!table.columns.empty()) grid.heading = filled(table.columns, columns);
  for (const std::vector<std::string>& row : table.rows) grid.rows.push_back(filled(row, columns));
  for (std::size_t column = 0; column < columns; ++column) {
    grid.is_numeric.push_back(is_numeric_column(grid, column));
  }
  return grid;
}

// ---- HTML ----------------------------------------------------------------------------------------------------

std::string html_cell(std::string_view tag, std::string_view scope, bool is_numeric, const std::string& text) {
  const std::string scope_text = scope.empty() ? "" : fmt::format(" scope=\"{}\"", scope);
  return fmt::format("<{}{}{}>{}</{}>", tag, scope_text, is_numeric ? " class=\"number\"" : "", html_text(text), tag);
}

std::string html_table(const ReportTable& table, bool are_settings) {
  const Grid grid = grid_of(table);
  const std::string caption = one_line(table.caption);
  const std::string label = html_text(caption.empty() ? "table" : caption);
  // The keyboard can scroll what is too wide for the window.
  std::string html = fmt::format("<div class=\"{}\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">\n<table>\n",
                                 are_settings ? "scroll settings" : "scroll", label);
  if (!caption.empty()) html += fmt::format("<caption>{}</caption>\n", html_text(caption));
  if (!grid.heading.empty()) {
    html += "<thead><tr>";
    for (std::size_t i = 0; i < grid.heading.size(); ++i) {
      html += html_cell("th", "col", grid.is_numeric[i], grid.heading[i]);
    }
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : grid.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += i == 0 ? html_cell("th", "row", grid.is_numeric[i], row[i])
                     : html_cell("td", "", grid.is_numeric[i] && !are_settings, row[i]);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

std::string html_picture(const std::string& svg, const std::string& caption, std::size_t number) {
  std::string html = "<figure>\n" + scoped_svg(svg, fmt::format("picture-{}", number));
  if (!caption.empty()) html += fmt::format("<figcaption>{}</figcaption>\n", html_paragraph(caption));
  return html + "</figure>\n";
}

// ---- the terminal --------------------------------------------------------------------------------------------

std::string padded(const std::string& cell, std::size_t width, bool is_numeric) {
  const std::string blanks(width - std::min(width, nn::display_width(cell)), ' ');
  return is_numeric ? blanks + cell : cell + blanks;
}

std::string text_row(const std::vector<std::string>& cells, const Grid& grid, const std::vector<std::size_t>& widths) {
  std::string line = "  ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += padded(cells[i], widths[i], grid.is_numeric[i]) + (i + 1 < cells.size() ? "   " : "");
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// Of the columns: as wide as their cells, and as it takes for their headings to have at most so many lines, or as their
// longest words.
std::vector<std::size_t> widths_of(const Grid& grid, std::size_t most_lines) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < grid.is_numeric.size(); ++column) {
    std::size_t width = 0;
    for (const std::vector<std::string>& row : grid.rows) width = std::max(width, nn::display_width(row[column]));
    if (!grid.heading.empty()) {
      const std::string& heading = grid.heading[column];
      for (const std::string& word : words_of(heading)) width = std::max(width, nn::display_width(word));
      while (in_lines(heading, width).size() > most_lines) ++width;
    }
    widths.push_back(width);
  }
  return widths;
}

// Of a row.
std::size_t text_width(const std::vector<std::size_t>& widths) {
  std::size_t sum = 2;
  for (std::size_t i = 0; i < widths.size(); ++i) sum += widths[i] + (i > 0 ? 3 : 0);
  return sum;
}

// The headings, ending on the same line, and a rule below.
std::string text_heading(const Grid& grid, const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> headings;
  std::vector<std::string> rule;
  std::size_t height = 1;
  for (std::size_t column = 0; column < widths.size(); ++column) {
    headings.push_back(in_lines(grid.heading[column], widths[column]));
    height = std::max(height, headings.back().size());
    rule.emplace_back(widths[column], '-');
  }
  std::string text;
  for (std::size_t y = 0; y < height; ++y) {
    std::vector<std::string> line;
    for (const std::vector<std::string>& heading : headings) {
      const std::size_t start = height - heading.size();
      line.push_back(y < start ? "" : heading[y - start]);
    }
    text += text_row(line, grid, widths);
  }
  return text + text_row(rule, grid, widths);
}

}  // namespace

std::string table_text(const ReportTable& table) {
  const Grid grid = grid_of(table);
  constexpr std::size_t most_lines = 5;  // of headings, which are broken where the table would be too wide otherwise
  std::vector<std::size_t> widths = widths_of(grid, 1);
  for (std::size_t lines = 2; lines <= most_lines && text_width(widths) > page_width; ++lines) {
    widths = widths_of(grid, lines);
  }
  std::string text = table.caption.empty() ? "" : wrapped(one_line(table.caption)) + "\n";
  if (!grid.heading.empty()) text += text_heading(grid, widths);
  for (const std::vector<std::string>& row : grid.rows) text += text_row(row, grid, widths);
  return text;
}

Report::Report(std::string title) : title_(one_line(std::move(title))) {}

void Report::heading(std::string text) {
  parts_.push_back({.kind = Kind::heading, .text = one_line(std::move(text))});
}

void Report::paragraph(std::string text) {
  parts_.push_back({.kind = Kind::paragraph, .text = one_line(std::move(text))});
}

void Report::table(ReportTable table) {
  parts_.push_back({.kind = Kind::table, .table = std::move(table)});
}

void Report::picture(std::string svg, std::string caption, std::string drawing, autograd::Where where) {
  if (!svg.starts_with("<svg ")) {
    autograd::fail(autograd::ErrorId::bad_argument, "Report::picture", where,
                   fmt::format("\"{}\" does not start with <svg", one_line(svg.substr(0, 40))),
                   "give the text of the picture, as heatmap_svg returns it, not the name of a file");
  }
  parts_.push_back({.kind = Kind::picture,
                    .text = one_line(std::move(caption)),
                    .svg = std::move(svg),
                    .drawing = std::move(drawing)});
}

void Report::preformatted(std::string lines) {
  parts_.push_back({.kind = Kind::preformatted, .text = all_lines(lines)});
}

void Report::settings(std::vector<std::pair<std::string, std::string>> values) {
  ReportTable table;
  for (const auto& [setting, value] : values) table.rows.push_back({setting, value});
  parts_.push_back({.kind = Kind::settings, .table = std::move(table)});
}

std::string Report::html_of(const Part& part, std::size_t number) const {
  switch (part.kind) {
    case Kind::heading: return fmt::format("<h2>{}</h2>\n", html_text(part.text));
    case Kind::paragraph: return fmt::format("<p>{}</p>\n", html_paragraph(part.text));
    case Kind::table: return html_table(part.table, false);
    case Kind::picture: return html_picture(part.svg, part.text, number);
    case Kind::preformatted: return fmt::format("<pre tabindex=\"0\">{}</pre>\n", html_text(part.text));
    case Kind::settings: break;
  }
  return "<h2>Settings</h2>\n" + html_table(part.table, true);
}

std::string Report::text_of(const Part& part) const {
  switch (part.kind) {
    case Kind::heading: return underlined(part.text, '-');
    case Kind::paragraph: return wrapped(part.text);
    case Kind::table: return table_text(part.table);
    case Kind::picture: return wrapped("[picture: " + part.text + "]") + part.drawing;
    case Kind::preformatted: return part.text;
    case Kind::settings: break;
  }
  return underlined("Settings", '-') + table_text(part.table);
}

std::string Report::html() const {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n";
  html += head;
  html += fmt::format("<title>{0}</title>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n", html_text(title_));
  for (std::size_t i = 0; i < parts_.size(); ++i) html += html_of(parts_[i], i + 1);
  return html + "</main>\n</body>\n</html>\n";
}

std::string Report::text() const {
  std::string text = underlined(title_, '=');
  for (const Part& part : parts_) text += "\n" + text_of(part);
  return text;
}

void Report::write_html(const std::string& path, autograd::Where where) const {
  const std::string page = html();
  nn::AtomicFile file(path, where);
  file.write(page.data(), page.size());
  file.commit();
}

}  // namespace translate
