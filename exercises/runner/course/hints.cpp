#include "runner/course/hints.h"

#include "runner/system/files.h"
#include "runner/text/markdown.h"

namespace learn {

std::string hint_text(const Exercise& exercise, int level) {
  const std::string file = exercise.folder + "/hints.md";
  if (!exists(file) || level < 1 || level > last_hint_level) return "";
  return section(read_file(file), std::string("## ") + hint_levels[static_cast<std::size_t>(level - 1)]);
}

}  // namespace learn
