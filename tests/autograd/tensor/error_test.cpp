// Errors: what they print does no harm to a terminal, and files are named as from the current folder.

#include "autograd/tensor/error.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace error_test {

using namespace autograd;

bool is_harmless(const std::string& text) {
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) return false;
  }
  return text.find("\xC2\x9B") == std::string::npos && text.find("\xE2\x80\xAE") == std::string::npos;
}

TEST(Message, IsHarmlessWhoeverWroteItsParts) {
  const std::string evil = std::string("\x1b[31m \x1b]0;title\a \xC2\x9B \xE2\x80\xAE \xff ") + '\0' + "end";
  const ScopeGuard module(evil, Where::current());
  try {
    fail(ErrorId::state_dict_mismatch, evil, Where::current(evil.c_str(), 3), evil, evil);
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::state_dict_mismatch);
    EXPECT_TRUE(is_harmless(error.what())) << error.what();
    EXPECT_EQ(std::string_view(error.what()).find("more: docs/errors.md"),
              std::string_view(error.what()).rfind("more: docs/errors.md"));  // nothing ends it too soon
  }
  const Error error({ErrorId::bad_file, evil, evil, evil});
  for (const std::string& part : {error.op(), error.found(), error.advice(), std::string(error.what())}) {
    EXPECT_TRUE(is_harmless(part)) << part;
  }
}

TEST(Place, IsAsFromTheCurrentFolder) {
  const std::string here = std::filesystem::current_path().string();
  const auto shown = [](const std::string& file) { return to_string(Where::current(file.c_str(), 7)); };
  EXPECT_EQ(shown(here + "/train.cpp"), "train.cpp:7");
  EXPECT_EQ(shown(here + "/model/rnn.cpp"), "model/rnn.cpp:7");
  EXPECT_EQ(shown(here + "2/train.cpp"), here + "2/train.cpp:7");
  EXPECT_EQ(shown("/elsewhere/train.cpp"), "/elsewhere/train.cpp:7");
  EXPECT_EQ(shown("train.cpp"), "train.cpp:7");
}

}  // namespace error_test
