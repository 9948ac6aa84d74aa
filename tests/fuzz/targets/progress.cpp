// The record of somebody's progress, .learn/state.json: whatever is in it, it is read without an exception and shown;
// one that is damaged is set aside, and the next change is kept.
#include "runner/desk/progress.h"

#include "runner/system/files.h"
#include "tests/fuzz/example_exercise.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_progress {

using learn::Progress;

constexpr const char* id = "25_linear_layer";

void run(const std::string& input) {
  const fixtures::TemporaryFolder place;
  const learn::Desk desk(place.path());
  std::filesystem::create_directories(desk.state() + "/base");
  fixtures::write(desk.progress(), input);

  Progress progress = Progress::read(desk);
  const bool damaged = !progress.notice().empty();
  fuzz::require(damaged != learn::exists(desk.progress()), "a damaged record is set aside, and a good one is not");
  if (damaged) fuzz::require(learn::read_file(desk.attic() + "/state.1.json") == input, "the damaged one is gone");
  if (const auto& last = progress.of(id).last) fuzz::show_all_of(*last);

  const int hints = progress.of(id).hints;
  const bool passed = progress.of(id).passed;
  progress.note_hint(id, 2);
  progress.choose_fast_track(true);
  const Progress again = Progress::read(desk);
  fuzz::require(again.notice().empty(), "what was written cannot be read: " + again.notice());
  fuzz::require(again.of(id).hints == std::max(hints, 2) && again.of(id).passed == passed && again.fast_track(),
                "what was written is not what is read");
}

const fuzz::Target target("progress", run);

}  // namespace fuzz_progress
