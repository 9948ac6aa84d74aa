#include "runner/show/exercise_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "autograd/text/characters.h"
#include "autograd/text/layout.h"
#include "runner/lessons/road.h"

namespace learn {
namespace {

std::size_t lines_of_text(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string mark(const Style& style, const Standing& standing) {
  if (standing.passed) return style.green("✓");
  return standing.attempts > 0 ? style.yellow("▸") : style.dim("○");
}

}  // namespace

std::string line_of_list(const Style& style, const Exercise& exercise, const Standing& standing, std::size_t width) {
  constexpr std::size_t before_title = 7;  // "19 ★ ✓ "
  constexpr std::size_t for_after = 18;    // "  after 20, 32, 34"
  constexpr std::size_t shortest = 32;
  constexpr std::size_t longest = 48;
  const ExerciseSource& source = exercise.source;
  std::string line =
      fmt::format("{} {} {} ", exercise.number(), source.fast_track ? style.yellow("★") : " ", mark(style, standing));
  const std::string road =
      source.minutes == 0 ? "" : fmt::format("{}  {:>2} min", difficulty_marks(exercise), source.minutes);
  const std::string after = source.after.empty() ? "" : fmt::format("  after {}", fmt::join(source.after, ", "));
  const bool has_road = width >= before_title + 16 + display_width(road);
  const std::size_t room = width - before_title - (has_road ? display_width(road) + 2 : 0);
  const std::size_t title = std::min(room >= shortest + for_after ? room - for_after : room, longest);
  line += padded(autograd::shortened(exercise.title(), title), title);
  if (has_road) line += "  " + style.dim(road);
  if (has_road && room - title >= display_width(after)) line += style.dim(after);
  return line;
}

ExerciseList::ExerciseList(std::vector<Exercise> exercises, const std::string& selected)
    : exercises_(std::move(exercises)), selected_(selected) {}

bool ExerciseList::matches(const Exercise& exercise) const {
  const std::string wanted = autograd::lower_case(search_);
  return exercise.number().starts_with(wanted) ||
         autograd::lower_case(exercise.title()).find(wanted) != std::string::npos ||
         exercise.id.find(wanted) != std::string::npos;
}

std::vector<const Exercise*> ExerciseList::shown(const Progress& progress) const {
  std::vector<const Exercise*> found;
  for (const Exercise& exercise : exercises_) {
    const bool passed = progress.of(exercise.id).passed;
    const bool fits = filter_ == Filter::all || passed == (filter_ == Filter::done);
    if (fits && matches(exercise)) found.push_back(&exercise);
  }
  return found;
}

// The first of those shown, where the mark's own exercise is not among them.
const Exercise* ExerciseList::selected(const Progress& progress) const {
  const std::vector<const Exercise*> rows = shown(progress);
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Exercise* row) { return row->id == selected_; });
  if (found != rows.end()) return *found;
  return rows.empty() ? nullptr : rows.front();
}

void ExerciseList::move(long by, const Progress& progress) {
  const std::vector<const Exercise*> rows = shown(progress);
  if (rows.empty()) return;
  const long at = std::find(rows.begin(), rows.end(), selected(progress)) - rows.begin();
  selected_ = rows[static_cast<std::size_t>(std::clamp(at + by, 0L, static_cast<long>(rows.size()) - 1))]->id;
}

ExerciseList::Wish ExerciseList::press(const Key& key, const Progress& progress) {
  constexpr long page = 10;
  constexpr long all = 100000;
  said_.clear();
  if (asking_) {
    asking_ = false;
    return key.is('y') || key.is('Y') ? Wish::reset : Wish::none;
  }
  switch (key.kind) {
    case Key::Kind::up: move(-1, progress); return Wish::none;
    case Key::Kind::down: move(1, progress); return Wish::none;
    case Key::Kind::page_up: move(-page, progress); return Wish::none;
    case Key::Kind::page_down: move(page, progress); return Wish::none;
    case Key::Kind::first: move(-all, progress); return Wish::none;
    case Key::Kind::last: move(all, progress); return Wish::none;
    case Key::Kind::enter: return selected(progress) ? Wish::go_there : Wish::none;
    default: break;
  }
  if (typing_) return press_in_search(key, progress);
  if (key.kind == Key::Kind::escape) {
    if (search_.empty()) return Wish::leave;
    search_.clear();
    return Wish::none;
  }
  if (key.kind != Key::Kind::character) return Wish::none;
  switch (key.character) {
    case 'k': move(-1, progress); break;
    case 'j': move(1, progress); break;
    case 'g': move(-all, progress); break;
    case 'G': move(all, progress); break;
    case 'a': filter_ = Filter::all; break;
    case 'p': filter_ = Filter::pending; break;
    case 'd': filter_ = Filter::done; break;
    case 'r': asking_ = selected(progress) != nullptr; break;
    case '/': typing_ = true; break;
    case 'l':
    case 'q': return Wish::leave;
    default:
      if (!std::isdigit(static_cast<unsigned char>(key.character))) break;
      typing_ = true;  // an exercise's number needs no slash
      return press_in_search(key, progress);
  }
  return Wish::none;
}

ExerciseList::Wish ExerciseList::press_in_search(const Key& key, const Progress& progress) {
  if (key.kind == Key::Kind::escape || (key.kind == Key::Kind::backspace && search_.empty())) {
    typing_ = false;
    search_.clear();
  } else if (key.kind == Key::Kind::backspace) {
    search_.resize(search_.size() - autograd::letters_of(search_).back().size());
  } else if (key.kind == Key::Kind::character && static_cast<unsigned char>(key.character) >= ' ') {
    search_ += key.character;
  }
  if (const Exercise* const found = selected(progress)) selected_ = found->id;
  return Wish::none;
}

std::string ExerciseList::heading(const Style& style, std::size_t count) const {
  const char* const kind = filter_ == Filter::all ? "all" : filter_ == Filter::pending ? "pending" : "done";
  std::string text = fmt::format("{}, {}", kind, count);
  if (typing_ || !search_.empty()) text += fmt::format(" · search: {}{}", search_, typing_ ? "_" : "");
  return style.bold(text) + "\n";
}

std::string ExerciseList::keys(const Style& style, const Progress& progress) const {
  if (asking_) {
    const Exercise* const exercise = selected(progress);
    return wrapped(style.yellow(fmt::format("Begin {} {} again? What you have is kept aside. y yes · any other key no",
                                            exercise->number(), exercise->title())),
                   style.width);
  }
  const std::string said = said_.empty() ? "" : wrapped(said_, style.width);
  const char* const text =
      typing_ ? "type a part of its name or number · Enter go there · Esc end the search"
              : "arrows, j, k move · Enter go there · r reset · a all · p pending · d done · / search · Esc back";
  return said + wrapped(style.dim(text), style.width);
}

std::string ExerciseList::drawn(const Style& style, const Progress& progress, std::size_t lines) const {
  const std::vector<const Exercise*> rows = shown(progress);
  const Exercise* const marked = selected(progress);
  const std::string below = keys(style, progress);
  std::string text = heading(style, rows.size());
  const std::size_t around = 1 + lines_of_text(below);
  const std::size_t room = lines > around + 1 ? lines - around : 1;
  const auto at = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), marked) - rows.begin());
  // The mark stands in the middle, where there are rows on both sides.
  const std::size_t first = rows.size() <= room ? 0 : std::min(at - std::min(at, room / 2), rows.size() - room);
  for (std::size_t i = first; i < std::min(rows.size(), first + room); ++i) {
    const std::string line = line_of_list(style, *rows[i], progress.of(rows[i]->id), style.width - 2);
    text += (rows[i] == marked ? style.cyan("> ") : "  ") + line + "\n";
  }
  if (rows.empty()) text += style.dim("none") + "\n";
  return text + below;
}

}  // namespace learn
