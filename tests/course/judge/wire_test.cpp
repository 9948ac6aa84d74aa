// What an answer's process sends to the judge: all of it arrives, and what is none of it is refused.
#include <course/wire.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

const Axes course::axes = {};
const course::Exercise course::exercise = {};

namespace {

course::Watched watched() {
  course::Watched watched;
  course::Observation value;
  value.name = "dx";
  value.value = autograd::tensor({{1.0, NAN, -INFINITY}, {4.0, 5.0, 6.0}}, autograd::float64);
  value.dtype = autograd::float32;
  course::Observation property;
  property.kind = course::Observation::Kind::property;
  property.name = "sums to 1";
  property.text = std::string("a zero \0 in it", 14);
  property.holds = false;
  watched.record.observations = {value, property};
  watched.record.probes = {course::Observation{}};
  watched.record.probes[0].ops_before = 7;
  watched.record.probes[0].observations_before = 2;
  watched.record.shown = {"a picture\n"};
  watched.ops.emplace_back();
  watched.ops[0].name = "tanh";
  watched.ops[0].line = 12;
  return watched;
}

TEST(Wire, BringsWhatWasObserved) {
  const course::Watched sent = watched();
  const course::Watched read = course::read_watched(to_bytes(sent));
  EXPECT_TRUE(same(read.record, sent.record, 0.0));
  EXPECT_EQ(read.record.observations[0].dtype, autograd::float32);
  EXPECT_EQ(read.record.observations[1].text, sent.record.observations[1].text);
  EXPECT_FALSE(read.record.probes.at(0).value.defined());
  EXPECT_EQ(read.record.probes[0].ops_before, 7U);
  EXPECT_EQ(read.record.probes[0].observations_before, 2U);
  EXPECT_EQ(read.record.shown, sent.record.shown);
  EXPECT_EQ(read.ops.at(0).name, "tanh");
  EXPECT_EQ(read.ops[0].line, 12);
}

TEST(Wire, BringsWhatIsAskedFor) {
  const course::Request request{true, {{{"batch", 4}}, 9, course::Numbers::negative}, {.slow_too = true}};
  const course::Request read = course::read_request(to_bytes(request));
  EXPECT_TRUE(read.ops);
  EXPECT_EQ(read.setting, request.setting);
  EXPECT_TRUE(read.options.slow_too);
  EXPECT_FALSE(read.options.record_ops);
}

TEST(Wire, RefusesWhatIsNoRecord) {
  const std::string bytes = to_bytes(watched());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(course::read_watched(std::string_view(bytes).substr(0, size)), std::runtime_error) << size;
  }
  EXPECT_THROW(course::read_watched(bytes + "x"), std::runtime_error);
  // Whatever stands there instead of one byte, nothing worse happens.
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const char other : {'\x7f', '\xff', '\x05'}) {
      std::string odd = bytes;
      odd[i] = other;
      try {
        course::read_watched(odd);
      } catch (const std::runtime_error&) {
      }
    }
  }
}

}  // namespace
