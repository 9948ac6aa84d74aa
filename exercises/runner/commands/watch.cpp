// `learn watch`: checks whichever file is saved, and goes on when it is right.
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "runner/check/background.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/desk/begin_again.h"
#include "runner/show/exercise_list.h"
#include "runner/system/file_watch.h"
#include "runner/system/files.h"
#include "runner/system/keys.h"
#include "runner/system/process.h"

namespace learn {
namespace {

// What tells one saved state of a file from another.
struct Stamp {
  ino_t inode = 0;
  off_t size = -1;
  std::filesystem::file_time_type saved;
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return {};
  std::error_code gone;
  return {info.st_ino, info.st_size, std::filesystem::last_write_time(file, gone)};
}

// Of the files that have changed, the one to check: the current one, or the one saved last.
class Saved {
 public:
  explicit Saved(const Desk& desk) : desk_(desk) { note_all(); }

  // It is known as it is now.
  void note(const std::string& file) { stamps_[file] = stamp_of(file); }
  void note_all() {
    for (const Exercise& exercise : all_exercises()) note(desk_.answer(exercise));
  }

  std::optional<std::string> last(const std::string& current) {
    std::optional<std::string> found;
    Stamp latest;
    for (auto& [file, stamp] : stamps_) {
      const Stamp now = stamp_of(file);
      if (now == stamp || now == Stamp{}) continue;  // an editor may be putting the new one in its place
      stamp = now;
      const bool later = !found || now.saved > latest.saved;
      if (file != current && (!later || found == current)) continue;
      found = file;
      latest = now;
    }
    return found;
  }

 private:
  const Desk& desk_;
  std::map<std::string, Stamp> stamps_;
};

class Watching {
 public:
  Watching(const Context& context, const WatchOptions& options, Situation situation)
      : context_(context),
        options_(options),
        situation_(std::move(situation)),
        files_(situation_.desk.path(), options.poll),
        saved_(situation_.desk) {
    context_.folder = situation_.desk.path();
  }

  int run() {
    catch_interrupts();
    if (files_.polls()) show(style_, "looking for changes twice a second\n");
    check();
    while (!done_ && !interrupted()) {
      wait();
      if (terminal_was_resized()) resize();
      if (const auto file = saved_.last(situation_.file)) go_to(*file);
    }
    show(style_, "\n");
    return 0;
  }

 private:
  enum class View { report, hint, why, text };

  void clear() { show(style_, keys_.active() && style_.colour ? "\033[2J\033[3J\033[H" : "\n"); }

  void check() {
    background_.stop();
    list_.reset();
    begun_again_ = false;
    view_ = View::report;
    saved_.note(situation_.file);
    if (!exists(situation_.file)) return;
    clear();
    // VS Code's task knows by these words that a check begins; by "watching", that it has ended.
    show(style_, fmt::format("checking {}{} ...\n", file_name(situation_.file), what_takes_time(situation_.exercise)));
    report_ = check_silently(situation_);
    next_.reset();
    if (report_.passed()) find_next();
    show_result();
    if (report_.passed() && !keys_.active() && next_) {
      go_on();
      return;
    }
    prepare_next();
  }

  void show_result() {
    show_report(context_, situation_, report_);
    if (report_.passed()) show(style_, what_is_done(style_, situation_.progress));
    show_below();
  }

  // The last check, and what was asked for since, once more in the terminal's new size.
  void resize() {
    context_.style = terminal_style();
    if (!list_) clear();
    redraw();
  }

  void redraw() {
    if (list_) {
      clear();
      show(style_, list_->drawn(style_, situation_.progress, static_cast<std::size_t>(terminal_height() - 1)));
      return;
    }
    if (view_ == View::report) show_result();
    if (view_ == View::hint)
      hint(context_, situation_.exercise.id, Progress::read(situation_.desk).of(situation_.exercise.id).hints);
    if (view_ == View::why) why(context_, situation_.exercise.id);
    if (view_ == View::text) read(context_, situation_.exercise.id);
    if (view_ != View::report) show_below();
  }

  std::vector<Exercise> ahead() const { return exercises_ahead(situation_.progress); }

  void prepare_next() {
    const std::vector<Exercise> exercises = ahead();
    for (std::size_t i = 0; i + 1 < exercises.size(); ++i) {
      if (exercises[i].id == situation_.exercise.id) background_.prepare(exercises[i + 1]);
    }
  }

  void find_next() {
    next_.reset();
    const std::vector<Exercise> exercises = ahead();
    if (const Exercise* const open = next_open(exercises, situation_.progress, situation_.exercise)) next_ = *open;
  }

  void go_on() {
    if (!next_) find_next();
    if (next_) begin(*next_);
  }

  // What was saved before does not lead back: an editor that writes in two steps is noticed twice.
  void begin(const Exercise& exercise) {
    saved_.note_all();
    situation_ = situation_of(situation_.desk, std::move(situation_.progress), exercise);
    check();
  }

  // To the exercise whose file was saved.
  void go_to(const std::string& file) {
    if (file == situation_.file) {
      check();
      return;
    }
    for (const Exercise& exercise : all_exercises()) {
      if (situation_.desk.answer(exercise) == file) {
        begin(exercise);
        return;
      }
    }
  }

  void show_below() {
    const std::string watching = fmt::format("watching {}\n", file_name(situation_.file));
    if (!keys_.active()) {
      show(style_, watching);
      return;
    }
    std::string on = "n next · ";
    if (report_.passed() && next_) on = fmt::format("n or Enter: on to {} {} · ", next_->number(), next_->title());
    show(style_,
         "\n" + progress_bar(style_, ahead(), situation_.progress) + watching +
             wrapped(style_.dim(on + "t text · h hint · w why · r check again · l list · q quit"), style_.width));
  }

  // Waits for a while, and obeys keys meanwhile.
  void wait() {
    pollfd waiting[2] = {{files_.descriptor(), POLLIN, 0}, {keys_.active() ? STDIN_FILENO : -1, POLLIN, 0}};
    // inotify can miss a change.
    const int patience = files_.polls() ? 500 : 2000;
    const int ready = ::poll(waiting, 2, patience);
    if (ready < 0 && errno != EINTR) throw std::runtime_error("cannot wait for changes");
    if (interrupted() || ready <= 0) return;
    if (waiting[1].revents != 0) answer(keys_.read());
    if (waiting[0].revents != 0) {
      ::usleep(20000);  // an editor may write in several steps
      files_.clear();
    }
  }

  void answer(const Key& key) {
    if (key.kind == Key::Kind::gone) {
      done_ = true;
    } else if (list_) {
      answer_in_list(key);
    } else if (key.kind == Key::Kind::enter) {
      if (report_.passed()) go_on();
    } else if (key.kind == Key::Kind::character) {
      answer_to(key.character);
    }
  }

  void answer_to(char key) {
    switch (key) {
      case 'q': done_ = true; return;
      case 'r': check(); return;
      case 'n': go_on(); return;
      case 'l':
        list_.emplace(all_exercises(), situation_.exercise.id);
        redraw();
        return;
      case 'h':
        hint(context_, situation_.exercise.id, 0);
        view_ = View::hint;
        break;
      case 'w':
        why(context_, situation_.exercise.id);
        view_ = View::why;
        break;
      case 't':
        read(context_, situation_.exercise.id);
        view_ = View::text;
        break;
      default: return;
    }
    show_below();
  }

  void answer_in_list(const Key& key) {
    Progress& progress = situation_.progress;
    const ExerciseList::Wish wish = list_->press(key, progress);
    const Exercise* const selected = list_->selected(progress);
    if (wish == ExerciseList::Wish::leave) {
      list_.reset();
      if (begun_again_) {
        check();
        return;
      }
      clear();
    } else if (wish == ExerciseList::Wish::go_there) {
      begin(Exercise(*selected));
      return;
    } else if (wish == ExerciseList::Wish::reset) {
      list_->say(begin_again(situation_.desk, *selected));
      progress = Progress::read(situation_.desk);
      saved_.note(situation_.desk.answer(*selected));
      begun_again_ = begun_again_ || selected->id == situation_.exercise.id;
    }
    redraw();
  }

  Context context_;
  const WatchOptions& options_;
  const Style& style_ = context_.style;
  Situation situation_;
  FileWatch files_;
  Saved saved_;
  Keys keys_;
  Background background_;
  Report report_;                     // of the last check
  View view_ = View::report;          // what was shown last
  std::optional<ExerciseList> list_;  // while it is on the screen
  std::optional<Exercise> next_;      // after this one is passed
  bool begun_again_ = false;          // the current one, from the list
  bool done_ = false;
};

}  // namespace

int watch(const Context& context, const WatchOptions& options) {
  return Watching(context, options, situation_of(context, options.exercise)).run();
}

}  // namespace learn
