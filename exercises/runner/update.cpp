#include "runner/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "runner/commands.h"
#include "runner/files.h"
#include "runner/merge.h"
#include "runner/situation.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

// 25_linear_layer.merged.cpp, or with a number if that is there already.
std::string free_place_beside(const std::string& path, const std::string& word) {
  const fs::path whole(path);
  const std::string stem = (whole.parent_path() / whole.stem()).string();
  for (int number = 1;; ++number) {
    std::string place =
        fmt::format("{}.{}{}{}", stem, word, number == 1 ? "" : std::to_string(number), whole.extension().string());
    if (!exists(place)) return place;
  }
}

UpdateOfFile put_beside(const Desk& desk, const DeskFile& file, Updated what, const std::string& text) {
  UpdateOfFile update{what, "",
                      free_place_beside(desk.path() + "/" + file.name, what == Updated::conflict ? "merged" : "new")};
  write_file(update.beside, text);
  write_file(desk.base(file.name), file.content);  // it is said once
  return update;
}

UpdateOfFile merge_into(const Desk& desk, const DeskFile& file, const std::string& yours, const std::string& base) {
  const Merged merged = merge(yours, base, file.content);
  if (merged.kind == Merged::Kind::impossible) return put_beside(desk, file, Updated::kept, file.content);
  if (merged.kind == Merged::Kind::conflict) return put_beside(desk, file, Updated::conflict, merged.text);
  const std::string path = desk.path() + "/" + file.name;
  UpdateOfFile update{Updated::merged, free_place_in_attic(desk, file_name(file.name)), ""};
  write_file(update.aside, yours);
  write_file(desk.base(file.name), file.content);
  write_file(path, merged.text);
  return update;
}

}  // namespace

UpdateOfFile update_file(const Desk& desk, const DeskFile& file) {
  const std::string path = desk.path() + "/" + file.name;
  if (!exists(path)) {
    replace_file(desk, file);
    return {Updated::created, "", ""};
  }
  const std::string yours = read_file(path);
  const std::string base = exists(desk.base(file.name)) ? read_file(desk.base(file.name)) : file.content;
  if (base == file.content) {
    write_file(desk.base(file.name), file.content);
    return {};
  }
  if (yours == file.content || yours == base) {
    replace_file(desk, file);
    return {Updated::replaced, "", ""};
  }
  return merge_into(desk, file, yours, base);
}

namespace {

std::string what_happened(const Style& style, const DeskFile& file, const UpdateOfFile& update) {
  switch (update.what) {
    case Updated::unchanged: return "";
    case Updated::created: return fmt::format("new       {}\n", file.name);
    case Updated::replaced: return fmt::format("replaced  {}\n", file.name);
    case Updated::merged: return fmt::format("merged    {}   (as it was: {})\n", file.name, update.aside);
    case Updated::conflict:
      return style.yellow("yours     " + file.name) + "\n" +
             wrapped(fmt::format(
                         "You and the course changed the same lines. Your file is untouched; {} has both, with marks "
                         "where to choose.",
                         file_name(update.beside)),
                     style.width, "          ");
    case Updated::kept:
      return style.yellow("yours     " + file.name) + "\n" +
             wrapped(fmt::format(
                         "The course changed it. Your file is untouched; {} is the new one. (With git installed they "
                         "would be merged.)",
                         file_name(update.beside)),
                     style.width, "          ");
  }
  return "";
}

// What the course has no more stays where it is.
std::string what_is_gone(const Desk& desk) {
  std::string text;
  const std::vector<std::string>& ids = exercise_ids();
  for (const auto& entry : fs::directory_iterator(desk.state() + "/base")) {
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
