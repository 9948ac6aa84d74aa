#include "examples/translate/report/report.h"

#include <autograd/text/layout.h>
#include <fmt/core.h>
#include <nn/saving/atomic_file.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "examples/translate/messages.h"

namespace translate {
namespace {

using autograd::padded;
using autograd::padded_left;

// Returns the text as one line without markup. "<" begins a tag only before a letter and the like.
std::string plain(const std::string& text) {
  constexpr std::string_view markup = "\\`*[]|#";
  const std::string line = in_one_line(text);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins_tag = line[i] == '<' && i + 1 < line.size() && line[i + 1] != ' ';
    if (begins_tag || markup.find(line[i]) != std::string_view::npos) result += '\\';
    result += line[i];
  }
  return result;
}

}  // namespace

std::string number_text(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

void add_column(ReportTable& table, const std::string& name, const std::vector<std::string>& cells) {
  if (std::ranges::count(cells, "–") == std::ssize(cells)) return;
  table.columns.push_back(name);
  for (std::size_t i = 0; i < cells.size(); ++i) table.rows[i].push_back(cells[i]);
}

std::string table_text(const ReportTable& table) {
  std::vector<std::string> lines(table.rows.size() + 2, "|");
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<std::string> cells = {plain(table.columns[column])};
    for (const std::vector<std::string>& row : table.rows) cells.push_back(plain(row.at(column)));
    const std::size_t width = std::max<std::size_t>(3, autograd::display_width(cells));
    cells.insert(cells.begin() + 1, column == 0 ? std::string(width, '-') : std::string(width - 1, '-') + ":");
    for (std::size_t i = 0; i < cells.size(); ++i) {
      lines[i] += " " + (column == 0 ? padded(cells[i], width) : padded_left(cells[i], width)) + " |";
    }
  }
  std::string text = table.caption.empty() ? "" : plain(table.caption) + "\n\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void Report::heading(const std::string& text) {
  parts_.push_back("## " + plain(text) + "\n");
}

void Report::paragraph(const std::string& text) {
  if (!text.empty()) parts_.push_back(plain(text) + "\n");
}

void Report::table(const ReportTable& table) {
  const bool has_numbers = table.columns.size() > 1 && !table.rows.empty();
  if (has_numbers) parts_.push_back(table_text(table));
}

void Report::picture(const std::string& name, const std::string& svg, const std::string& caption) {
  pictures_.push_back({name, svg, caption});
  parts_.emplace_back();
}

std::string Report::markdown(const std::string& name) const {
  std::string text = "# " + plain(title_) + "\n";
  if (!note.empty()) text += "\n" + plain(note) + "\n";
  auto next = pictures_.begin();
  for (const std::string& part : parts_) {
    text += "\n" + part;
    if (!part.empty()) continue;
    text += fmt::format("![{0}]({1}-{2}.svg)\n", plain(next->caption), name, next->name);
    ++next;
  }
  if (!settings.empty()) text += "\n## Settings\n\n";
  for (const auto& [setting, value] : settings) text += fmt::format("- {}: {}\n", plain(setting), plain(value));
  return text;
}

std::string Report::write(const std::filesystem::path& folder, const std::string& name) const {
  for (const Picture& picture : pictures_) {
    nn::write_file(folder / fmt::format("{}-{}.svg", name, picture.name), picture.svg);
  }
  const std::string path = (folder / (name + ".md")).string();
  nn::write_file(path, markdown(name));
  return path;
}

}  // namespace translate
