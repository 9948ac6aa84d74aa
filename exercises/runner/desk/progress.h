// Progress: what has been passed, tried, and asked for, kept in .learn/state.json. Written whole and under a lock: two
// runners on one desk, a kill or a full disk leave a file that can be read. One that cannot is set aside, never fatal.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "runner/desk/desk.h"
#include "runner/report/report.h"

namespace learn {

struct Standing {
  bool passed = false;
  std::string passed_at;  // "2026-11-21 16:04"
  int attempts = 0;       // checks since the last time it passed
  int hints = 0;          // how many levels were shown
  bool given_up = false;  // the solution was shown before it was passed
  std::optional<Report> last;
};

class Progress {
 public:
  // Never throws. `notice` is a sentence to show once, if something is the matter.
  static Progress read(const Desk& desk);

  const Standing& of(const std::string& id) const;
  bool fast_track() const { return fast_track_; }
  const std::string& notice() const { return notice_; }

  // Each reads what there is now, changes it, and writes it. Without a desk (or where it cannot be written) the change
  // is only seen by this object, and notice() says so.
  void note_report(const Report& report);
  void note_hint(const std::string& id, int level);
  void note_given_up(const std::string& id);
  void note_reset(const std::string& id);
  void choose_fast_track(bool fast);

 private:
  explicit Progress(Desk desk) : desk_(std::move(desk)) {}
  template <class Change> void change(Change change);
  void load();
  void save() const;

  Desk desk_;
  std::map<std::string, Standing> standings_;
  bool fast_track_ = false;
  std::string notice_;
};

}  // namespace learn
