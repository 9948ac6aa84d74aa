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

std::string free_place_in_attic(const Desk& desk, const std::string& name) {
  const std::string stem = without_extension(name);
  const std::string extension = fs::path(name).extension();
  for (int number = 1;; ++number) {
    std::string place = fmt::format("{}/{}.{}{}", desk.attic(), stem, number, extension);
    if (!exists(place)) return place;
  }
}

}  // namespace learn
