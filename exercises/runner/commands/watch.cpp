// `learn watch`: checks each time the file is saved, and goes on when it is right.
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <stdexcept>

#include "runner/check/background.h"
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/system/file_watch.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {
namespace {

// Single keys from a terminal, as long as this lives.
class Keys {
 public:
  Keys() : active_(::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO) && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!active_) return;
    termios single = before_;
    single.c_lflag &= static_cast<tcflag_t>(~(ICANON | ECHO));
    single.c_cc[VMIN] = 1;
    single.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &single);
  }
  ~Keys() {
    if (active_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  bool active() const { return active_; }
  // 'q' when the terminal is gone.
  char read() const {
    char key = 'q';
    return ::read(STDIN_FILENO, &key, 1) == 1 ? key : 'q';
  }

 private:
  termios before_{};
  bool active_;
};

// What tells one saved state of a file from another.
struct Stamp {
  ino_t inode = 0;
  off_t size = -1;
  long seconds = 0;
  long nanoseconds = 0;
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return {};
  return {info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

class Watching {
 public:
  Watching(const Context& context, const WatchOptions& options, Situation situation)
      : context_(context),
        options_(options),
        style_(context.style),
        situation_(std::move(situation)),
        files_(situation_.desk.path(), options.poll) {}

  int run() {
    catch_interrupts();
    show_start();
    check();
    while (!done_ && !interrupted()) {
      if (wait_for_change()) check();
    }
    show(style_, "\n");
    return 0;
  }

 private:
  void show_start() {
    const std::string how = files_.polls() ? " (looking twice a second)" : "";
    show(style_, fmt::format("watching {}{}\n", situation_.file, how));
  }

  void check() {
    background_.stop();
    stamp_ = stamp_of(situation_.file);
    if (!exists(situation_.file)) return;  // an editor may be putting the new one in its place
    show(style_, fmt::format("{}checking {}{} ...\n", keys_.active() && style_.colour ? "\033[2J\033[3J\033[H" : "\n",
                             file_name(situation_.file), what_takes_time(situation_.exercise)));
    const Report report = check_silently(situation_);
    show_report(context_, situation_, report);
    passed_ = report.passed();
    if (passed_) {
      find_next();
      if (!keys_.active() && next_) go_on();
    }
    show_keys();
    prepare_next();
  }

  void prepare_next() {
    const std::vector<Exercise> exercises = chosen();
    for (std::size_t i = 0; i + 1 < exercises.size(); ++i) {
      if (exercises[i].id == situation_.exercise.id) background_.prepare(exercises[i + 1]);
    }
  }

  std::vector<Exercise> chosen() const {
    return chosen_exercises(options_.fast_track || situation_.progress.fast_track());
  }

  void find_next() {
    next_.reset();
    const std::vector<Exercise> exercises = chosen();
    if (const Exercise* const open = first_open(exercises, situation_.progress)) next_ = *open;
    if (!next_) show(style_, style_.green("All of them are passed.\n"));
  }

  void go_on() {
    if (!next_) return;
    situation_ = situation_of(situation_.desk, std::move(situation_.progress), *next_);
    next_.reset();
    passed_ = false;
    show_start();
    check();
  }

  void show_keys() {
    if (!keys_.active()) {
      show(style_, fmt::format("watching {}\n", file_name(situation_.file)));
      return;
    }
    const std::string on =
        passed_ && next_ ? fmt::format("Enter: on to {} {} · ", next_->number(), next_->title()) : "";
    show(style_,
         "\n" + wrapped(style_.dim(on + "h hint · w why · r check again · n next · l list · q quit"), style_.width));
  }

  // Waits for a while, and obeys keys meanwhile. Has the file changed?
  bool wait_for_change() {
    pollfd waiting[2] = {{files_.descriptor(), POLLIN, 0}, {keys_.active() ? STDIN_FILENO : -1, POLLIN, 0}};
    // inotify can miss a change.
    const int patience = files_.polls() ? 500 : 2000;
    const int ready = ::poll(waiting, 2, patience);
    if (ready < 0 && errno != EINTR) throw std::runtime_error("cannot wait for changes");
    if (interrupted()) return false;
    if (ready > 0 && waiting[1].revents != 0) answer(keys_.read());
    if (ready > 0 && waiting[0].revents != 0) {
      ::usleep(20000);  // an editor may write in several steps
      files_.clear();
    }
    return stamp_of(situation_.file) != stamp_ && exists(situation_.file);
  }

  void answer(char key) {
    Context there = context_;
    there.folder = situation_.desk.path();
    const std::string& id = situation_.exercise.id;
    switch (key) {
      case 'q': done_ = true; return;
      case 'h': hint(there, id, 0); break;
      case 'w': why(there, id); break;
      case 'l': list(there, options_.fast_track); break;
      case 'r': check(); return;
      case '\n':
      case '\r':
        if (passed_) go_on();
        return;
      case 'n': skip(); return;
      default: return;
    }
    show_keys();
  }

  // Goes on to the next open exercise, whether this one is passed or not.
  void skip() {
    bool behind = false;
    for (const Exercise& exercise : chosen()) {
      if (behind && !situation_.progress.of(exercise.id).passed) {
        next_ = exercise;
        go_on();
        return;
      }
      behind = behind || exercise.id == situation_.exercise.id;
    }
    find_next();
    if (next_ && next_->id != situation_.exercise.id) go_on();
  }

  const Context& context_;
  const WatchOptions& options_;
  const Style& style_;
  Situation situation_;
  FileWatch files_;
  Keys keys_;
  Stamp stamp_;
  Background background_;
  std::optional<Exercise> next_;  // after this one is passed
  bool passed_ = false;
  bool done_ = false;
};

}  // namespace

int watch(const Context& context, const WatchOptions& options) {
  return Watching(context, options, situation_of(context, options.exercise, options.fast_track)).run();
}

}  // namespace learn
