// Files on a desk: put there once, never overwritten, brought up to date without losing a word.
#include "runner/desk/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "runner/desk/merge.h"
#include "runner/system/files.h"
#include "tests/support/temporary_folder.h"

namespace course_update_test {

using namespace learn;
class UpdateTest : public testing::Test {
 protected:
  DeskFile file(const std::string& content) const { return {"25_x.cpp", content, DeskFile::Kind::answer}; }
  std::string yours() const { return read_file(folder / "25_x.cpp"); }
  std::string base() const { return read_file(desk.base("25_x.cpp")); }

  fixtures::TemporaryFolder folder;
  Desk desk{folder.path()};
  const std::string old = "#include \"given.h\"\n\nint f() {\n  todo(\"f\");\n}\n\n// the end\n";
  const std::string changed = "#include \"given.h\"\n\nint f() {\n  todo(\"f\");\n}\n\n// the very end\n";
  const std::string written = "#include \"given.h\"\n\nint f() {\n  return 3;\n}\n\n// the end\n";
};

TEST_F(UpdateTest, ANewFileIsPutThereOnce) {
  EXPECT_TRUE(put_new_file(desk, file(old)));
  write_file(folder / "25_x.cpp", written);
  EXPECT_FALSE(put_new_file(desk, file(changed)));
  EXPECT_EQ(yours(), written);
  EXPECT_EQ(base(), old);
}

TEST_F(UpdateTest, AFileThatWasThereBeforeTheCourseIsKept) {
  write_file(folder / "25_x.cpp", "mine");
  EXPECT_FALSE(put_new_file(desk, file(old)));
  EXPECT_EQ(yours(), "mine");
  EXPECT_EQ(update_file(desk, file(old)).what, Updated::unchanged);
  EXPECT_EQ(yours(), "mine");
}

TEST_F(UpdateTest, NothingChanged) {
  put_new_file(desk, file(old));
  write_file(folder / "25_x.cpp", written);
  EXPECT_EQ(update_file(desk, file(old)).what, Updated::unchanged);
  EXPECT_EQ(yours(), written);
}

TEST_F(UpdateTest, AnUntouchedStubIsReplaced) {
  put_new_file(desk, file(old));
  EXPECT_EQ(update_file(desk, file(changed)).what, Updated::replaced);
  EXPECT_EQ(yours(), changed);
  EXPECT_EQ(base(), changed);
  EXPECT_EQ(update_file(desk, file(changed)).what, Updated::unchanged);
}

TEST_F(UpdateTest, AMissingFileIsPutThereAgain) {
  put_new_file(desk, file(old));
  std::filesystem::remove(folder / "25_x.cpp");
  EXPECT_EQ(update_file(desk, file(changed)).what, Updated::created);
  EXPECT_EQ(yours(), changed);
}

TEST_F(UpdateTest, ChangesInDifferentPlacesAreMerged) {
  put_new_file(desk, file(old));
  write_file(folder / "25_x.cpp", written);
  const UpdateOfFile update = update_file(desk, file(changed));
  EXPECT_EQ(update.what, Updated::merged);
  EXPECT_EQ(yours(), "#include \"given.h\"\n\nint f() {\n  return 3;\n}\n\n// the very end\n");
  EXPECT_EQ(read_file(update.aside), written);
  EXPECT_EQ(base(), changed);
  EXPECT_EQ(update_file(desk, file(changed)).what, Updated::unchanged);
}

TEST_F(UpdateTest, AConflictLeavesTheFileAlone) {
  put_new_file(desk, file(old));
  write_file(folder / "25_x.cpp", written);
  const std::string clash = "#include \"given.h\"\n\nint f(int x) {\n  todo(\"f of x\");\n}\n\n// the end\n";
  const UpdateOfFile update = update_file(desk, file(clash));
  EXPECT_EQ(update.what, Updated::conflict);
  EXPECT_EQ(yours(), written);
  EXPECT_EQ(update.beside, folder / "25_x.merged.cpp");
  const std::string merged = read_file(update.beside);
  EXPECT_THAT(lines_of(update.beside),
              testing::IsSupersetOf({"<<<<<<< yours", "  return 3;", "  todo(\"f of x\");", ">>>>>>> the course now"}));
  // It is said once, and a second conflict does not overwrite the first merge.
  EXPECT_EQ(update_file(desk, file(clash)).what, Updated::unchanged);
  EXPECT_EQ(update_file(desk, file(old + "int g();\n" + clash)).beside, folder / "25_x.merged2.cpp");
  EXPECT_EQ(read_file(update.beside), merged);
}

TEST_F(UpdateTest, WithoutGitTheNewFileLiesBeside) {
  put_new_file(desk, file(old));
  write_file(folder / "25_x.cpp", written);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const UpdateOfFile update = update_file(desk, file(changed));
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(update.what, Updated::kept);
  EXPECT_EQ(yours(), written);
  EXPECT_EQ(read_file(folder / "25_x.new.cpp"), changed);
}

TEST_F(UpdateTest, TheAtticHasRoomForAll) {
  EXPECT_EQ(free_place_in_attic(desk, "25_x.cpp"), desk.attic() + "/25_x.1.cpp");
  write_file(desk.attic() + "/25_x.1.cpp", "one");
  write_file(desk.attic() + "/25_x.2.cpp", "two");
  EXPECT_EQ(free_place_in_attic(desk, "25_x.cpp"), desk.attic() + "/25_x.3.cpp");
}

TEST_F(UpdateTest, WritingKeepsTheOldFileUntilTheNewOneIsThere) {
  write_file(folder / "a", "one");
  write_file(folder / "a", "two");
  EXPECT_EQ(read_file(folder / "a"), "two");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 1u);
}

TEST(Desk, IsFoundFromInside) {
  const fixtures::TemporaryFolder folder;
  write_file(folder / ".learn/base/x", "");
  std::filesystem::create_directories(folder / "a/b");
  EXPECT_EQ(desk_of_file(folder / "a/b/x.cpp").path(), full_path(folder.path()));
  EXPECT_EQ(find_desk(folder.path()).path(), full_path(folder.path()));
  EXPECT_ANY_THROW(find_desk(folder / "none"));
}

}  // namespace course_update_test
