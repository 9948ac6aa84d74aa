#include "runner/desk/progress.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "runner/system/files.h"

namespace learn {
namespace {

using nlohmann::json;

json to_json(const Standing& standing) {
  json written{{"passed", standing.passed},
               {"passed_at", standing.passed_at},
               {"attempts", standing.attempts},
               {"hints", standing.hints},
               {"given_up", standing.given_up}};
  if (standing.last) written["last"] = to_json(*standing.last);
  return written;
}

// 0 for what is not a count.
int count_in(const json& value, const char* key) {
  constexpr int most = 1'000'000;
  const auto found = value.find(key);
  const bool is_count = found != value.end() && found->is_number_unsigned() && *found <= 2147483647;
  return is_count ? std::min(found->get<int>(), most) : 0;
}

Standing read_standing(const json& value) {
  Standing standing;
  standing.passed = value.value("passed", false);
  standing.passed_at = value.value("passed_at", "");
  standing.attempts = count_in(value, "attempts");
  standing.hints = count_in(value, "hints");
  standing.given_up = value.value("given_up", false);
  try {
    if (value.contains("last")) standing.last = read_report(value.at("last"));
  } catch (const std::exception&) {
    standing.last.reset();  // from another version: it will be checked again
  }
  return standing;
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&time, &local);
  return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

}  // namespace

Progress Progress::read(const Desk& desk) {
  Progress progress(desk);
  if (!desk.is_started()) {
    progress.notice_ = fmt::format("{} was not made by `learn start`: progress is not kept.", desk.path());
    return progress;
  }
  progress.load();
  return progress;
}

const Standing& Progress::of(const std::string& id) const {
  static const Standing nothing;
  const auto found = standings_.find(id);
  return found == standings_.end() ? nothing : found->second;
}

void Progress::load() {
  if (!exists(desk_.progress())) return;
  try {
    const json value = json::parse(read_file(desk_.progress()));
    std::map<std::string, Standing> standings;
    for (const auto& [id, standing] : value.at("exercises").items()) standings[id] = read_standing(standing);
    standings_ = std::move(standings);
    fast_track_ = value.value("fast_track", false);
  } catch (const std::exception&) {
    const std::string aside = free_place_in_attic(desk_, "state.json");
    std::error_code error;
    std::filesystem::create_directories(desk_.attic(), error);
    std::filesystem::rename(desk_.progress(), aside, error);
    notice_ = fmt::format(
        "The record of your progress was damaged{}. Your answers are untouched: `learn check --all` makes "
        "a new one from them.",
        error ? "" : fmt::format(", and is set aside as {}", aside));
  }
}

void Progress::save() const {
  json value{{"version", 1}, {"fast_track", fast_track_}, {"exercises", json::object()}};
  for (const auto& [id, standing] : standings_) value["exercises"][id] = to_json(standing);
  write_file(desk_.progress(), value.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

template <class Change> void Progress::change(Change change) {
  if (!desk_.is_started()) {
    change();
    return;
  }
  bool changed = false;
  try {
    const Lock lock(desk_.lock());
    load();
    change();
    changed = true;
    save();
  } catch (const std::exception& error) {
    if (!changed) change();
    notice_ = fmt::format("Progress is not kept: {}.", error.what());
  }
}

void Progress::note_report(const Report& report) {
  if (report.outcome == Report::Outcome::broken) return;
  change([&] {
    Standing& standing = standings_[report.id];
    if (!standing.passed) ++standing.attempts;
    if (report.passed() && !standing.passed) {
      standing.passed = true;
      standing.passed_at = now();
    }
    standing.last = report;
  });
}

void Progress::note_hint(const std::string& id, int level) {
  change([&] { standings_[id].hints = std::max(standings_[id].hints, level); });
}

void Progress::note_given_up(const std::string& id) {
  change([&] { standings_[id].given_up = true; });
}

void Progress::note_reset(const std::string& id) {
  change([&] {
    const bool given_up = standings_[id].given_up;
    standings_[id] = Standing{};
    standings_[id].given_up = given_up;
  });
}

void Progress::choose_fast_track(bool fast) {
  change([&] { fast_track_ = fast; });
}

}  // namespace learn
