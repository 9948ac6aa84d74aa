// `learn reset`: begins an exercise again, and keeps a copy of what was written.
#include <fmt/format.h>

#include <filesystem>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/system/files.h"

namespace learn {

int reset(const Context& context, const std::string& what) {
  if (what.empty()) throw std::runtime_error("which one? learn reset ID");
  const Desk desk = find_desk(context.folder);
  const Exercise exercise = load_exercise(find_exercise(what));
  const std::string file = desk.answer(exercise);
  const std::string stub = exercise.source.stub();
  std::string said;
  if (exists(file) && read_file(file) != stub) {
    const std::string aside = free_place_in_attic(desk, file_name(file));
    write_file(aside, read_file(file));
    said = fmt::format(" What you had is kept as {}.", aside);
  }
  write_file(desk.base(file_name(file)), stub);
  write_file(file, stub);
  Progress progress = Progress::read(desk);
  progress.note_reset(exercise.id);
  show(context.style, wrapped(fmt::format("{} is as it was at the beginning.{}", file, said), context.style.width));
  show_notice(context, progress);
  return 0;
}

}  // namespace learn
