#include "runner/desk/desk.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "runner/system/files.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

// The folder or the nearest one above it that was started.
std::optional<Desk> started_above(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    const Desk desk(folder.string());
    if (desk.is_started()) return desk;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

}  // namespace

bool Desk::is_started() const {
  return exists(state() + "/base");
}

Desk find_desk(const std::optional<std::string>& given) {
  if (given) {
    if (!fs::is_directory(*given)) throw std::runtime_error(fmt::format("there is no folder {}", *given));
    return Desk(full_path(*given));
  }
  if (auto desk = started_above(fs::current_path())) return *desk;
  throw std::runtime_error(
      "no exercises in this folder or above it. `learn start DIR` puts them into DIR; from elsewhere, `--dir DIR` says "
      "where they are.");
}

Desk desk_of_file(const std::string& file) {
  const fs::path folder = fs::path(full_path(file)).parent_path();
  return started_above(folder).value_or(Desk(folder.string()));
}

static std::string place_in_attic(const Desk& desk, const std::string& name, int number) {
  const std::string extension = fs::path(name).extension();
  return fmt::format("{}/{}.{}{}", desk.attic(), without_extension(name), number, extension);
}

static int first_free_in_attic(const Desk& desk, const std::string& name) {
  int number = 1;
  while (exists(place_in_attic(desk, name, number))) ++number;
  return number;
}

std::string free_place_in_attic(const Desk& desk, const std::string& name) {
  return place_in_attic(desk, name, first_free_in_attic(desk, name));
}

std::optional<std::string> last_in_attic(const Desk& desk, const std::string& name) {
  const int free = first_free_in_attic(desk, name);
  if (free == 1) return std::nullopt;
  return place_in_attic(desk, name, free - 1);
}

}  // namespace learn
