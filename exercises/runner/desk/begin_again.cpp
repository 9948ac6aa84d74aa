#include "runner/desk/begin_again.h"

#include <fmt/format.h>

#include "runner/desk/progress.h"
#include "runner/system/files.h"

namespace learn {

std::string begin_again(const Desk& desk, const Exercise& exercise) {
  const std::string file = desk.answer(exercise);
  const std::string stub = exercise.source.stub();
  std::string said = fmt::format("{} is as it was at the beginning.", file);
  if (exists(file) && read_file(file) != stub) {
    const std::string aside = free_place_in_attic(desk, file_name(file));
    write_file(aside, read_file(file));
    said += fmt::format(" What you had is kept as {}.", aside);
  }
  write_file(desk.base(file_name(file)), stub);
  write_file(file, stub);
  Progress::read(desk).note_reset(exercise.id);
  return said;
}

}  // namespace learn
