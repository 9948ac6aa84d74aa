// `learn update`: every file of a desk as the course has it now, and what became of each.
#include "runner/desk/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "runner/commands/commands.h"
#include "runner/system/files.h"

namespace learn {
namespace {

std::string what_happened(const Style& style, const DeskFile& file, const UpdateOfFile& update) {
  const auto yours = [&](const std::string& sentences) {
    return style.yellow("yours     " + file.name) + "\n" + wrapped(sentences, style.width, "          ");
  };
  switch (update.what) {
    case Updated::unchanged: return "";
    case Updated::created: return fmt::format("new       {}\n", file.name);
    case Updated::replaced: return fmt::format("replaced  {}\n", file.name);
    case Updated::merged: return fmt::format("merged    {}   (as it was: {})\n", file.name, update.aside);
    case Updated::conflict:
      return yours("You and the course changed the same lines. Your file is untouched; " + file_name(update.beside) +
                   " has both, with marks where to choose.");
    case Updated::kept:
      return yours("The course changed it. Your file is untouched; " + file_name(update.beside) +
                   " is the new one. (With git installed they would be merged.)");
  }
  return "";
}

// Exercises that the course has dropped; their files stay.
std::string what_is_gone(const Desk& desk) {
  std::string text;
  const std::vector<std::string>& ids = exercise_ids();
  for (const auto& entry : std::filesystem::directory_iterator(desk.state() + "/base")) {
    const std::string id = entry.path().stem();
    if (entry.path().extension() != ".cpp" || std::count(ids.begin(), ids.end(), id)) continue;
    if (exists(desk.path() + "/" + id + ".cpp"))
      text += fmt::format("gone      {}.cpp is not part of the course any more; yours stays\n", id);
  }
  return text;
}

}  // namespace

int update(const Context& context) {
  const Desk desk = find_desk(context.folder);
  if (!desk.is_started()) throw std::runtime_error(desk.path() + " was not made by `learn start`");
  std::string text;
  bool conflicts = false;
  for (const DeskFile& file : desk_files(desk)) {
    const UpdateOfFile update = update_file(desk, file);
    text += what_happened(context.style, file, update);
    conflicts = conflicts || update.what == Updated::conflict || update.what == Updated::kept;
  }
  text += what_is_gone(desk);
  show(context.style, text.empty() ? "Everything is as the course has it; what you wrote is untouched.\n" : text);
  return conflicts ? 1 : 0;
}

}  // namespace learn
