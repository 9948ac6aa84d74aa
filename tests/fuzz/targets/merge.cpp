// A three-way merge of a learner's file, its original and the course's new one: where only one has changed, the result
// is that one, and nothing that the learner wrote is lost.
#include "runner/desk/merge.h"

#include "runner/desk/update.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_merge {

using learn::Merged;

void run(const std::string& input) {
  const std::vector<std::string> parts = fuzz::parts_of(input, 3);
  const std::string& yours = parts[0];
  const std::string& base = parts[1];
  const std::string& theirs = parts[2];

  const fixtures::TemporaryFolder place;
  const learn::Desk desk(place.path());
  const auto file = [](const std::string& content) {
    return learn::DeskFile{"25_x.cpp", content, learn::DeskFile::Kind::answer};
  };
  learn::put_new_file(desk, file(base));
  fixtures::write(place / "25_x.cpp", yours);
  const learn::UpdateOfFile update = learn::update_file(desk, file(theirs));
  const std::string now = fixtures::content_of(place / "25_x.cpp");
  if (theirs == base) fuzz::require(now == yours, "changed, though the course has not");
  if (yours == base) fuzz::require(now == theirs, "not brought up to date");
  const bool is_kept = now == yours || (!update.aside.empty() && fixtures::content_of(update.aside) == yours);
  fuzz::require(is_kept || yours == base, "what somebody wrote is lost");
  fuzz::require(learn::update_file(desk, file(theirs)).what == learn::Updated::unchanged, "updated twice");
}

const fuzz::Target target("merge", run);

}  // namespace fuzz_merge
