#include <autograd/tensor/random.h>
#include <gtest/gtest.h>
#include <nn/saving/checkpoint.h>
#include <nn/saving/fingerprint.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/support/expect.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/temporary_folder.h"

namespace nn_checkpoint_test {

using autograd::ErrorId;
using autograd::Tensor;
using nn::Checkpoint;

constexpr const char* kind = "test";
constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

Checkpoint some_state() {
  Checkpoint state;
  state.tensors["weights"] = autograd::randn({3, 5});
  state.tensors["odd"] = autograd::tensor({nan, -0.0, infinity, -infinity, 5e-324, 0.1}, autograd::float64);
  state.tensors["large"] = autograd::ids({9007199254740993, std::numeric_limits<std::int64_t>::min(), -1});
  state.tensors["empty"] = autograd::zeros({0, 7}, autograd::float64);
  state.tensors["mask"] = autograd::mask({true, false, true});
  state.texts["option"] = "ä \"quoted\"\nand a second line";
  return state;
}

template <class Element> bool same_bytes(const Tensor& a, const Tensor& b) {
  const auto bytes = static_cast<std::size_t>(a.numel()) * sizeof(Element);
  return std::memcmp(a.data_ptr<Element>(), b.data_ptr<Element>(), bytes) == 0;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  switch (a.dtype()) {
    case autograd::float32: return same_bytes<float>(a, b);
    case autograd::float64: return same_bytes<double>(a, b);
    case autograd::int64: return same_bytes<std::int64_t>(a, b);
    case autograd::boolean: return same_bytes<bool>(a, b);
  }
  return false;
}

// ---- whole files ---------------------------------------------------------------------------------------------

TEST(Checkpoints, ComeBackBitByBit) {
  const fixtures::TemporaryFolder folder;
  const Checkpoint saved = some_state();
  nn::save_checkpoint(folder / "state", kind, saved);
  const Checkpoint loaded = nn::load_checkpoint(folder / "state", kind);
  ASSERT_EQ(loaded.tensors.size(), saved.tensors.size());
  for (const auto& [name, tensor] : saved.tensors) EXPECT_TRUE(same_bits(loaded.tensors.at(name), tensor)) << name;
  EXPECT_EQ(loaded.texts.at("option"), saved.texts.at("option"));
}

TEST(Checkpoints, OfTheSameStateAreTheSameBytes) {
  const fixtures::TemporaryFolder folder;
  const Checkpoint state = some_state();
  nn::save_checkpoint(folder / "a", kind, state);
  nn::save_checkpoint(folder / "b", kind, nn::load_checkpoint(folder / "a", kind));
  EXPECT_EQ(fixtures::content_of(folder / "a"), fixtures::content_of(folder / "b"));
}

// The same bytes, read as another tensor.
TEST(Checkpoints, WithAnotherShapeOrDTypeAreDamaged) {
  const fixtures::TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> changes = {{"[3,5]", "[5,3]"},
                                                                    {"F64\",\"shape\":[6]", "I64\",\"shape\":[6]"}};
  for (const auto& [before, after] : changes) {
    nn::save_checkpoint(folder / "state", kind, some_state());
    std::string content = fixtures::content_of(folder / "state");
    ASSERT_NE(content.find(before), std::string::npos);
    content.replace(content.find(before), before.size(), after);
    fixtures::write(folder / "state", content);
    EXPECT_NO_THROW(nn::load_safetensors(folder / "state"));
    fixtures::message_of(ErrorId::bad_safetensors, [&] { nn::load_checkpoint(folder / "state", kind); });
  }
}

TEST(Checkpoints, OfAnotherKindAreRefused) {
  const fixtures::TemporaryFolder folder;
  nn::save_checkpoint(folder / "state", "checkpoint", some_state());
  fixtures::message_of(ErrorId::bad_safetensors, [&] { nn::load_checkpoint(folder / "state", kind); });
  nn::save_safetensors(folder / "foreign", some_state().tensors);
  fixtures::message_of(ErrorId::bad_safetensors, [&] { nn::load_checkpoint(folder / "foreign", kind); });
  fixtures::message_of(ErrorId::bad_file, [&] { nn::load_checkpoint(folder / "none", kind); });
}

// Wherever it is cut, and whichever byte is changed: never loaded, and never anything but an error of ours.
TEST(Checkpoints, DamageIsNoticed) {
  const fixtures::TemporaryFolder folder;
  nn::save_checkpoint(folder / "state", kind, some_state());
  const std::string whole = fixtures::content_of(folder / "state");
  const std::string path = folder / "damaged";
  for (std::size_t size = 0; size < whole.size(); size += size < 16 ? 1 : 37) {
    fixtures::write(path, whole.substr(0, size));
    EXPECT_THROW(nn::load_checkpoint(path, kind), autograd::Error) << "cut after " << size;
  }
  fixtures::write(path, whole + "x");
  EXPECT_THROW(nn::load_checkpoint(path, kind), autograd::Error);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    fixtures::write(path, flipped);
    EXPECT_THROW(nn::load_checkpoint(path, kind), autograd::Error) << "bit " << i % 8 << " of byte " << i;
  }
}

TEST(Checkpoints, AFullDiskLeavesTheOldOne) {
  const fixtures::TemporaryFolder folder;
  const std::string path = folder / "state";
  nn::save_checkpoint(path, kind, some_state());
  const std::string before = fixtures::content_of(path);
  for (const rlim_t limit : {0, 8, 100, 500}) {
    const fixtures::FileSizeLimit full(limit);
    fixtures::message_of(ErrorId::bad_file, [&] { nn::save_checkpoint(path, kind, some_state()); });
  }
  EXPECT_TRUE(fixtures::content_of(path) == before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

// ---- what is in a checkpoint ---------------------------------------------------------------------------------

TEST(Fingerprints, AreThoseOfTheHash) {
  nn::Fingerprint of_nothing;
  EXPECT_EQ(of_nothing.text(), "cbf29ce484222325");
  nn::Fingerprint of_foobar;
  of_foobar.add("foobar", 6);
  EXPECT_EQ(of_foobar.text(), "85944171f73967e8");  // Fowler, Noll and Vo's test suite
}

TEST(Fingerprints, KeepTextsApart) {
  nn::Fingerprint a;
  a.add("ab");
  a.add("c");
  nn::Fingerprint b;
  b.add("a");
  b.add("bc");
  EXPECT_NE(a.text(), b.text());
}

TEST(GeneratorStates, GoOnWhereTheyWere) {
  autograd::Generator random(3);
  random.normal();  // leaves a spare one
  autograd::Generator later(99);
  later.set_state(nn::generator_state(nn::to_tensor(random.state())));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(later.normal(), random.normal());
  EXPECT_EQ(later.next(), random.next());
  fixtures::message_of(ErrorId::bad_file, [] { nn::generator_state(autograd::ids({1, 2, 3})); });
}

}  // namespace nn_checkpoint_test
