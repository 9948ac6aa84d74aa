#include "runner/desk/update.h"

#include <fmt/format.h>

#include <filesystem>

#include "runner/desk/merge.h"
#include "runner/system/files.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

// 19_linear_layer.merged.cpp, or with a number if that is there already.
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
  write_file(desk.base(file.name), file.content);  // the next update is silent about it
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

}  // namespace learn
