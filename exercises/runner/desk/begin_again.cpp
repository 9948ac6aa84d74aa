#include "runner/desk/begin_again.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "runner/desk/progress.h"
#include "runner/system/files.h"

namespace learn {

namespace {

// Puts a copy of the answer aside, unless it is the stub. Returns a sentence that says so, "" if there is nothing.
std::string keep_aside(const Desk& desk, const std::string& file, const std::string& stub) {
  if (!exists(file) || read_file(file) == stub) return "";
  const std::string aside = free_place_in_attic(desk, file_name(file));
  write_file(aside, read_file(file));
  return fmt::format(" What you had is kept as {}.", aside);
}

}  // namespace

std::string begin_again(const Desk& desk, const Exercise& exercise) {
  const std::string file = desk.answer(exercise);
  const std::string stub = exercise.source.stub();
  const std::string said = fmt::format("{} is as it was at the beginning.", file) + keep_aside(desk, file, stub);
  write_file(desk.base(file_name(file)), stub);
  write_file(file, stub);
  Progress::read(desk).note_reset(exercise.id);
  return said;
}

std::string bring_back(const Desk& desk, const Exercise& exercise) {
  const std::string file = desk.answer(exercise);
  const std::optional<std::string> kept = last_in_attic(desk, file_name(file));
  if (!kept) throw std::runtime_error(fmt::format("nothing of {} was put aside", file_name(file)));
  const std::string before = read_file(*kept);
  const std::string said = fmt::format("{} is {} again.", file, *kept) + keep_aside(desk, file, exercise.source.stub());
  write_file(file, before);
  return said;
}

}  // namespace learn
