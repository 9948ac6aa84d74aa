#include <nn/saving/safetensors.h>
#include <nn/saving/safetensors_header.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace nn_safetensors_test {

using autograd::ErrorId;
using autograd::Tensor;

// A folder of its own, removed at the end.
class NnSafetensors : public testing::Test {
 protected:
  std::string path(const std::string& file = "model.safetensors") const { return folder_ / file; }
  std::size_t files() const { return folder_.size(); }

  void write(const std::string& bytes) const { fixtures::write(path(), bytes); }
  std::string read() const { return fixtures::content_of(path()); }
  void write(const std::string& header, const std::string& data) const {
    const std::uint64_t length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    write(bytes + header + data);
  }
  // The file with this header and so many bytes of data must be refused; returns why.
  std::string refusal(const std::string& header, std::size_t data_bytes = 0) const {
    write(header, std::string(data_bytes, '\0'));
    return refusal();
  }
  std::string refusal() const {
    return fixtures::message_of(ErrorId::bad_safetensors, [&] { nn::load_safetensors(path()); });
  }

  fixtures::TemporaryFolder folder_;
};

nn::StateDict some_of_all() {
  return {{"b.weight", autograd::from_vector({1.5, -2.0, INFINITY, 4.0, 5.0, -0.0}, {2, 3})},
          {"a.double", autograd::from_vector({0.1, 1e-300}, {2}, autograd::float64)},
          {"ids", autograd::ids(std::vector<std::int64_t>{INT64_MAX, INT64_MIN, 0, 3}, {2, 2})},
          {"mask", autograd::mask({true, false, true})},
          {"nothing", autograd::zeros({0, 3})},
          {"scalar", autograd::tensor(7.25)},
          {"übung \"1\"", autograd::ones({1})}};
}

void expect_equal(const nn::StateDict& found, const nn::StateDict& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    ASSERT_EQ(found.count(name), 1u) << name;
    EXPECT_EQ(found.at(name).dtype(), tensor.dtype()) << name;
    EXPECT_EQ(found.at(name).shape(), tensor.shape()) << name;
    EXPECT_EQ(found.at(name).to_vector<std::int64_t>(), tensor.to_vector<std::int64_t>()) << name;
    EXPECT_EQ(found.at(name).to_vector(), tensor.to_vector()) << name;
  }
}

// ---- there and back ------------------------------------------------------------------------------------------

TEST_F(NnSafetensors, RoundTripOfAllDtypes) {
  nn::save_safetensors(path(), some_of_all(), {{"format", "pt"}, {"épochs", "3\n"}});
  const nn::Safetensors loaded = nn::load_safetensors(path());
  nn::StateDict expected = some_of_all();
  expected.erase("b.weight");  // infinity as int64 means nothing
  nn::StateDict found = loaded.tensors;
  EXPECT_EQ(found.at("b.weight").to_vector(), some_of_all().at("b.weight").to_vector());
  EXPECT_TRUE(std::signbit(found.at("b.weight").at({1, 2})));
  found.erase("b.weight");
  expect_equal(found, expected);
  EXPECT_EQ(loaded.metadata, (nn::Metadata{{"format", "pt"}, {"épochs", "3\n"}}));
  EXPECT_EQ(files(), 1u);
}

TEST_F(NnSafetensors, EveryTensorIsAligned) {
  nn::save_safetensors(path(), some_of_all());
  const std::string bytes = read();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  const auto header = fixtures::Json::parse(bytes.substr(8, length));
  for (const auto& [name, entry] : header.items()) {
    const std::int64_t size = entry["dtype"] == "BOOL" ? 1 : entry["dtype"] == "F32" ? 4 : 8;
    EXPECT_EQ(entry["data_offsets"][0].get<std::int64_t>() % size, 0) << name;
  }
}

TEST_F(NnSafetensors, AnEmptyDictAndViewsAndParameters) {
  nn::save_safetensors(path(), {});
  EXPECT_TRUE(nn::load_safetensors(path()).tensors.empty());
  const Tensor x = autograd::from_vector({1, 2, 3, 4, 5, 6}, {2, 3}).requires_grad_();
  nn::save_safetensors(path(), {{"x", x}, {"transposed", x.t()}, {"slice", x.narrow(1, 1, 2)}});
  const nn::StateDict loaded = nn::load_safetensors(path()).tensors;
  EXPECT_EQ(loaded.at("transposed").to_vector(), (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(loaded.at("slice").to_vector(), (std::vector<double>{2, 3, 5, 6}));
  EXPECT_FALSE(loaded.at("x").requires_grad());
}

TEST_F(NnSafetensors, ReadsWhatPyTorchWrote) {
  const nn::StateDict weights = nn::load_safetensors(fixtures::path("weights.safetensors")).tensors;
  const fixtures::Json& one = fixtures::find("modules.json", "encoder_decoder");
  ASSERT_EQ(weights.size(), one["parameters"].size());
  for (const auto& [name, tensor] : weights) {
    EXPECT_TRUE(fixtures::near(tensor.to(autograd::float64), one["parameters"][name], {1e-6, 1e-7})) << name;
  }
}

TEST_F(NnSafetensors, HalvesBecomeFloat32) {
  // 1, -2, the smallest subnormal 2^-24, the largest 65504, infinity, NaN, -0
  const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x7e00, 0x8000};
  write(R"({"x":{"dtype":"F16","shape":[7],"data_offsets":[0,14]}})",
        std::string(reinterpret_cast<const char*>(halves.data()), 14));
  const std::vector<double> x = nn::load_safetensors(path()).tensors.at("x").to_vector();
  EXPECT_EQ((std::vector<double>(x.begin(), x.begin() + 4)),
            (std::vector<double>{1.0, -2.0, std::ldexp(1.0, -24), 65504.0}));
  EXPECT_EQ(x[4], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(x[5]));
  EXPECT_TRUE(x[6] == 0.0 && std::signbit(x[6]));

  const std::vector<std::uint16_t> brain{0x3f80, 0xc000, 0x7f80};
  write(R"({"x":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]}})",
        std::string(reinterpret_cast<const char*>(brain.data()), 6));
  EXPECT_EQ(nn::load_safetensors(path()).tensors.at("x").to_vector(),
            (std::vector<double>{1.0, -2.0, std::numeric_limits<double>::infinity()}));
}

// ---- damaged and hostile files -------------------------------------------------------------------------------

TEST_F(NnSafetensors, TooShortForItsHeader) {
  for (const std::string& bytes : {std::string(), std::string("1234567"), std::string("\x03\0\0\0\0\0\0\0{}", 10),
                                   std::string(8, '\xff') + "{}"}) {
    write(bytes);
    refusal();
  }
}

TEST_F(NnSafetensors, AHugeHeaderIsNotRead) {
  write("");
  std::filesystem::resize_file(path(), 200'000'008);  // sparse
  std::fstream stream(path(), std::ios::binary | std::ios::in | std::ios::out);
  const std::uint64_t length = 200'000'000;
  stream.write(reinterpret_cast<const char*>(&length), 8);
  stream.close();
  refusal();
}

TEST_F(NnSafetensors, NotJson) {
  for (const char* text : {"", "[1]", "null", " {}", "\n{}", "\xEF\xBB\xBF{}"}) refusal(text);  // it begins with {
  refusal("{\"x\":");
  refusal("{} {}");
  refusal("{\"\xff\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4);
  refusal("{\"x\":" + std::string(1'000'000, '['));
}

// What is wrong with each, word for word.
TEST_F(NnSafetensors, BadEntries) {
  std::vector<std::string> said;
  const auto refused = [&](const std::string& header, std::size_t data_bytes) {
    const std::string message = refusal(header, data_bytes);
    const std::string what = message.substr(message.find(path()) + path().size() + 2);
    said.push_back(what.substr(0, what.find('\n')));
  };
  const std::string x = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  refused("{\"x\":" + x + ",\"x\":" + x + "}", 4);
  for (const char* entry :
       {"3", R"({"shape":[1],"data_offsets":[0,4]})", R"({"dtype":"F32","data_offsets":[0,4]})",
        R"({"dtype":"F32","shape":[1]})", R"({"dtype":"F32","dtype":"F32","shape":[1]})",
        R"({"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1})",
        R"({"dtype":32,"shape":[1],"data_offsets":[0,4]})", R"({"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]})",
        R"({"dtype":"F32","shape":1,"data_offsets":[0,4]})"}) {
    refused(fmt::format("{{\"x\":{}}}", entry), 4);
  }
  for (const char* shape :
       {"[-1]", "[1.5]", "[\"1\"]", "[[1]]", "[1e0]", "[99999999999999999999]", "[18446744073709551615]",
        "[4294967296,4294967296]", "[9223372036854775807]", "[1,1,1,1,1,1,1,1,1]", "[2]", "[0]", "[1000000000]"}) {
    refused(fmt::format(R"({{"x":{{"dtype":"F32","shape":{},"data_offsets":[0,4]}}}})", shape), 4);
  }
  for (const char* shape : {"[0,9223372036854775807]", "[9223372036854775807,0]", "[0,1125899906842624]",
                            "[4294967296,4294967296,4294967296,0]"}) {
    refusal(fmt::format(R"({{"x":{{"dtype":"F32","shape":{},"data_offsets":[0,0]}}}})", shape), 0);
  }
  for (const char* offsets :
       {"[0]", "[0,4,8]", "{\"a\":0,\"b\":4}", "[-4,0]", "[4,0]", "[8,12]", "[9223372036854775803,9223372036854775807]",
        "[0,18446744073709551615]", "[0,4]", "[4,8]"}) {
    refused(fmt::format(R"({{"x":{{"dtype":"F32","shape":[1],"data_offsets":{}}}}})", offsets), 8);
  }
  refused(R"({"__metadata__":3})", 0);
  refused(R"({"__metadata__":{"a":3}})", 0);
  EXPECT_TRUE(fixtures::says("nn", said));
}

// What another download would not mend.
TEST_F(NnSafetensors, WhatIsNotSupportedIsNotDamaged) {
  using Kind = nn::HeaderProblem::Kind;
  const auto kind_of = [](const std::string& entries) {
    try {
      nn::parse_safetensors_header("{" + entries + "}", 4);
    } catch (const nn::HeaderProblem& problem) {
      return problem.kind;
    }
    return Kind::damaged;
  };
  for (const char* dtype : {"I32", "U8", "F8_E4M3"}) {
    EXPECT_EQ(kind_of(fmt::format(R"("x":{{"dtype":"{}","shape":[4],"data_offsets":[0,4]}})", dtype)),
              Kind::not_supported);
  }
  const std::string shared = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  EXPECT_EQ(kind_of("\"x\":" + shared + ",\"y\":" + shared), Kind::not_supported);
  EXPECT_EQ(kind_of(R"("x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]})"), Kind::damaged);
}

TEST_F(NnSafetensors, OverlapsAndGaps) {
  const auto two = [](int begin, int end) {
    return fmt::format(R"({{"x":{{"dtype":"F32","shape":[2],"data_offsets":[0,8]}},)"
                       R"("y":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}}}})",
                       (end - begin) / 4, begin, end);
  };
  refusal(two(4, 12), 12);
  refusal(two(0, 8), 8);
  refusal(two(4, 4), 8);
  refusal(two(12, 16), 16);
  refusal("{}", 1);
  write(two(8, 8), std::string(8, '\0'));  // an empty tensor at the end is fine
  EXPECT_EQ(nn::load_safetensors(path()).tensors.at("y").numel(), 0);
}

TEST_F(NnSafetensors, ABooleanIsOneOrZero) {
  write(R"({"x":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", "\x01\x02");
  refusal();
}

TEST_F(NnSafetensors, StrangeNamesCannotGarbleTheMessage) {
  const std::string message = refusal("{\"a\\n\\u001b[31m" + std::string(1000, 'y') + "\":1}");
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_LT(message.size(), 800u);
}

// A file that ends too early is refused wherever it ends.
TEST_F(NnSafetensors, NoPrefixIsAccepted) {
  nn::save_safetensors(path(), {{"a", autograd::ones({2, 3})}, {"b", autograd::mask({true, false})}}, {{"k", "v"}});
  const std::string good = read();
  for (std::size_t length = 0; length < good.size(); length += 5) {
    write(good.substr(0, length));
    refusal();
  }
}

// A header with a damaged byte is read or refused; nothing else happens.
TEST_F(NnSafetensors, NoDamagedByteCrashes) {
  const std::string good = R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                           R"("b":{"dtype":"BOOL","shape":[2],"data_offsets":[24,26]}})";
  EXPECT_EQ(nn::parse_safetensors_header(good, 26).entries.size(), 2u);
  const std::string strange = std::string("\0\x01 \"\\{}[],:-09eE.~\x7f\x80\xc3\xff", 22);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char byte : strange) {
      std::string bad = good;
      bad[i] = byte;
      try {
        nn::parse_safetensors_header(bad, 26);
      } catch (const nn::HeaderProblem&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, good.size() * strange.size() / 2);
}

// ---- files that are none -------------------------------------------------------------------------------------

TEST_F(NnSafetensors, WhatCannotBeRead) {
  fixtures::message_of(ErrorId::bad_file, [&] { nn::load_safetensors(path("none")); });
  fixtures::message_of(ErrorId::bad_file, [&] { nn::load_safetensors(folder_.path().string()); });
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  fixtures::message_of(ErrorId::bad_file, [&] { nn::load_safetensors(path("pipe")); });
}

TEST_F(NnSafetensors, WhatCannotBeSaved) {
  nn::save_safetensors(path(), {{"x", autograd::ones({1})}});
  const std::string before = read();
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::save_safetensors(path(), {{"\xff", autograd::ones({1})}}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::save_safetensors(path(), {}, {{"k", "\xff"}}); });
  fixtures::message_of(ErrorId::bad_argument, [&] {
    nn::save_safetensors(path(), {{"__metadata__", autograd::ones({1})}});
  });
  fixtures::message_of(ErrorId::undefined_tensor, [&] { nn::save_safetensors(path(), {{"x", Tensor()}}); });
  const std::string long_text(100'000'000, 'a');
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::save_safetensors(path(), {}, {{"k", long_text}}); });
  fixtures::message_of(ErrorId::bad_file, [&] { nn::save_safetensors(path("none/model"), {}); });
  fixtures::message_of(ErrorId::bad_file, [&] { nn::save_safetensors(folder_.path().string(), {}); });
  EXPECT_EQ(read(), before);
  EXPECT_EQ(files(), 1u);
}

}  // namespace nn_safetensors_test
