// What an answer's process sends to the judge: all of it arrives, and what is none of it is refused.
#include <gtest/gtest.h>
#include <judge/endings.h>
#include <judge/wire.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <stdexcept>

const Axes judge::axes = {};
const judge::Exercise judge::exercise = {};

namespace {

judge::Watched watched() {
  judge::Watched watched;
  judge::Observation value;
  value.name = "dx";
  value.value = autograd::tensor({{1.0, NAN, -INFINITY}, {4.0, 5.0, 6.0}}, autograd::float64);
  value.dtype = autograd::float32;
  judge::Observation property;
  property.kind = judge::Observation::Kind::property;
  property.name = "sums to 1";
  property.text = std::string("a zero \0 in it", 14);
  property.holds = false;
  watched.record.observations = {value, property};
  watched.record.probes = {judge::Observation{}};
  watched.record.probes[0].ops_before = 7;
  watched.record.probes[0].observations_before = 2;
  watched.record.shown = {"a picture\n"};
  watched.ops.emplace_back();
  watched.ops[0].name = "tanh";
  watched.ops[0].line = 12;
  watched.ops[0].not_finite = judge::NotFinite::nan;
  watched.ops[0].observations_before = 3;
  return watched;
}

TEST(Wire, BringsWhatWasObserved) {
  const judge::Watched sent = watched();
  const judge::Watched read = judge::read_watched(to_bytes(sent));
  EXPECT_TRUE(same(read.record, sent.record, 0.0));
  EXPECT_EQ(read.record.observations[0].dtype, autograd::float32);
  EXPECT_EQ(read.record.observations[1].text, sent.record.observations[1].text);
  EXPECT_FALSE(read.record.probes.at(0).value.defined());
  EXPECT_EQ(read.record.probes[0].ops_before, 7U);
  EXPECT_EQ(read.record.probes[0].observations_before, 2U);
  EXPECT_EQ(read.record.shown, sent.record.shown);
  EXPECT_EQ(read.ops.at(0).name, "tanh");
  EXPECT_EQ(read.ops[0].line, 12);
  EXPECT_EQ(read.ops[0].not_finite, judge::NotFinite::nan);
  EXPECT_EQ(read.ops[0].observations_before, 3U);
}

TEST(Wire, BringsWhatIsAskedFor) {
  const judge::Request request{true, {{{"batch", 4}}, 9, judge::Numbers::negative}, {.slow_too = true}};
  const judge::Request read = judge::read_request(to_bytes(request));
  EXPECT_TRUE(read.ops);
  EXPECT_EQ(read.setting, request.setting);
  EXPECT_TRUE(read.options.slow_too);
  EXPECT_FALSE(read.options.record_ops);
}

TEST(Wire, RefusesWhatIsNoRecord) {
  const std::string bytes = to_bytes(watched());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(judge::read_watched(std::string_view(bytes).substr(0, size)), judge::AnswerEnded) << size;
  }
  EXPECT_THROW(judge::read_watched(bytes + "x"), judge::AnswerEnded);
  // Whatever stands there instead of one byte, nothing worse happens.
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const char other : {'\x7f', '\xff', '\x05'}) {
      std::string odd = bytes;
      odd[i] = other;
      try {
        judge::read_watched(odd);
      } catch (const judge::AnswerEnded&) {
      }
    }
  }
}

// A tensor as large as a message may be, in a message of a few bytes: nothing is made for it. (With sanitizers, what is
// asked for counts, written or not.)
TEST(Wire, MakesNoRoomForWhatIsNotThere) {
  judge::Watched small;
  small.ops.emplace_back();
  small.ops[0].value = autograd::tensor({1.0}, autograd::float64);
  std::string bytes = to_bytes(small);
  const std::int64_t one = 1;
  const auto enormous = static_cast<std::int64_t>(judge::most_bytes / sizeof(double));
  const std::string size(reinterpret_cast<const char*>(&one), sizeof one);
  // Its dim and its only size are both 1; the second is the size.
  const std::size_t at = bytes.find(size + size) + sizeof one;
  ASSERT_LT(at, bytes.size());
  bytes.replace(at, sizeof one, reinterpret_cast<const char*>(&enormous), sizeof enormous);
  const auto kilobytes_at_most = [] {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  };
  EXPECT_THROW(judge::read_watched(bytes), judge::AnswerEnded);
  const pid_t child = ::fork();  // which has had no more than there is now
  if (child == 0) {
    const long before = kilobytes_at_most();
    try {
      judge::read_watched(bytes);
    } catch (const judge::AnswerEnded&) {
    }
    ::_exit(kilobytes_at_most() - before < 100'000 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
