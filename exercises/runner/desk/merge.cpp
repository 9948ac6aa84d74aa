#include "runner/desk/merge.h"

#include <stdexcept>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {

Merged merge(const std::string& yours, const std::string& base, const std::string& theirs) {
  if (!has_program("git")) return {};
  const RunFolder folder(runs_folder());
  write_file(folder / "yours", yours);
  write_file(folder / "base", base);
  write_file(folder / "theirs", theirs);
  const Finished finished = run_process({"git", "merge-file", "-p", "-q", "-L", "yours", "-L", "as it was", "-L",
                                         "the course now", folder / "yours", folder / "base", folder / "theirs"},
                                        {.most_output = std::size_t{16} << 20});
  if (finished.exit_code == 0) return {Merged::Kind::clean, finished.output};
  // The number of conflicts; 127 and more is an error.
  if (finished.exit_code < 127) return {Merged::Kind::conflict, finished.output};
  return {};
}

}  // namespace learn
