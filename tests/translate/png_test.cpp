// Tests PNG where librsvg is installed, and the error where it is not.
#include "examples/translate/report/png.h"

#include <gtest/gtest.h>
#include <nn/pictures/heatmap.h>
#include <nn/pictures/line_chart.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/expect.h"

namespace translate_png_test {

using autograd::ErrorId;
using fixtures::mentions;
using fixtures::message_of;

const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "backstep_png_test.png";

std::string content_of(const std::filesystem::path& file) {
  std::stringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

// Returns the number in four bytes, the highest first, as PNG writes it.
std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number * 256 + static_cast<unsigned char>(bytes[at + i]);
  return number;
}

std::string chart() {
  return nn::line_chart_svg({{.name = "loss", .x = {1, 2}, .y = {3, 4}}}, {.title = "Loss"});
}

class TranslatePng : public testing::Test {
 protected:
  void SetUp() override {
    if (!translate::can_write_png()) GTEST_SKIP() << "built without librsvg";
  }
  void TearDown() override { std::filesystem::remove(path); }
};

TEST_F(TranslatePng, HasTheSizeOfThePicture) {
  const std::string svg = R"(<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"></svg>)";
  translate::write_png(path.string(), svg, 3.0);
  const std::string png = content_of(path);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(number_at(png, 16), 90U);
  EXPECT_EQ(number_at(png, 20), 60U);
}

TEST_F(TranslatePng, DrawsOurPictures) {
  translate::write_png(path.string(), chart());
  EXPECT_GT(content_of(path).size(), 5000U);
  translate::write_png(path.string(), nn::heatmap_svg(autograd::ones({1, 1}), {"ä"}, {"b"}));
  EXPECT_GT(content_of(path).size(), 1000U);
}

// The rules for dark screens change nothing: without them, the picture is the same.
TEST_F(TranslatePng, IsLight) {
  const std::string with_rules = chart();
  const std::size_t start = with_rules.find("@media");
  ASSERT_NE(start, std::string::npos);
  std::string light = with_rules;
  light.erase(start, light.find("</style>") - start);
  translate::write_png(path.string(), with_rules);
  const std::string png = content_of(path);
  translate::write_png(path.string(), light);
  EXPECT_EQ(png, content_of(path));
}

TEST_F(TranslatePng, Refusals) {
  EXPECT_TRUE(mentions(message_of(ErrorId::bad_argument, [] { translate::write_png(path.string(), "chart.svg"); }),
                       {"not an SVG"}));
  message_of(ErrorId::bad_file, [] { translate::write_png("/nowhere/chart.png", chart()); });
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(TranslatePng, HugePicturesAreMadeSmaller) {
  const std::string svg = R"(<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="10"></svg>)";
  translate::write_png(path.string(), svg, 4.0);
  EXPECT_LE(number_at(content_of(path), 16), 32767U);
}

TEST(TranslatePngWithoutLibrsvg, SaysWhatToInstall) {
  if (translate::can_write_png()) GTEST_SKIP() << "built with librsvg";
  EXPECT_TRUE(mentions(message_of(ErrorId::bad_file, [] { translate::write_png("chart.png", "<svg/>"); }),
                       {"chart.png", "without librsvg", "librsvg2-dev"}));
}

}  // namespace translate_png_test
