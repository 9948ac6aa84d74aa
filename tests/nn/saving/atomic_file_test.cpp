#include <fcntl.h>
#include <nn/saving/atomic_file.h>
#include <nn/saving/safetensors.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace nn_atomic_file_test {

std::vector<std::string> calls;  // of the two below, in order

}  // namespace nn_atomic_file_test

// In the place of the C library's, to see in which order they are called.
extern "C" int fsync(int file) {
  nn_atomic_file_test::calls.push_back("fsync");
  return static_cast<int>(syscall(SYS_fsync, file));
}
extern "C" int rename(const char* from, const char* to) noexcept {
  nn_atomic_file_test::calls.push_back("rename");
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace nn_atomic_file_test {

using autograd::ErrorId;
using autograd::Where;

class NnAtomicFile : public testing::Test {
 protected:
  void SetUp() override { fixtures::write(path(), "old"); }

  std::string path(const std::string& file = "file") const { return folder_ / file; }
  std::string read(const std::string& file = "file") const { return fixtures::content_of(path(file)); }
  std::size_t files() const { return folder_.size(); }

  fixtures::TemporaryFolder folder_;
};

TEST_F(NnAtomicFile, TheNameChangesHandsAtCommit) {
  nn::AtomicFile file(path(), Where::current());
  file.write("new", 3);
  EXPECT_EQ(read(), "old");
  file.commit();
  EXPECT_EQ(read(), "new");
  EXPECT_EQ(files(), 1u);
}

// Power may fail at any time: a new name for what is not on the disk yet would be a file of zeros.
TEST_F(NnAtomicFile, IsOnTheDiskBeforeItHasTheName) {
  calls.clear();
  nn::write_file(path(), "new");
  EXPECT_EQ(calls, (std::vector<std::string>{"fsync", "rename", "fsync"}));  // the file, and then its folder
}

TEST_F(NnAtomicFile, WithoutCommitNothingIsLeft) {
  {
    nn::AtomicFile file(path(), Where::current());
    file.write("new", 3);
  }
  EXPECT_EQ(read(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(NnAtomicFile, NoRoomIsAClearErrorAndLosesNothing) {
  const nn::StateDict large{{"x", autograd::zeros({100'000})}};
  std::string message;
  {
    const fixtures::FileSizeLimit limit(50'000);
    message = fixtures::message_of(ErrorId::bad_file, [&] { nn::save_safetensors(path(), large); });
  }
  EXPECT_TRUE(fixtures::says("nn", {message}));
  EXPECT_EQ(read(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(NnAtomicFile, FollowsALinkAndKeepsIt) {
  std::filesystem::create_symlink(path(), path("link"));
  nn::AtomicFile file(path("link"), Where::current());
  file.write("new", 3);
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read(), "new");
}

TEST_F(NnAtomicFile, KeepsTheModeOfTheOldFile) {
  const auto only_mine = std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec;
  std::filesystem::permissions(path(), only_mine);
  nn::write_file(path(), "new");
  EXPECT_EQ(std::filesystem::status(path()).permissions(), only_mine);
}

TEST_F(NnAtomicFile, RefusesWhatIsNoFile) {
  std::vector<std::string> said;
  said.push_back(
      fixtures::message_of(ErrorId::bad_file, [&] { nn::AtomicFile(folder_.path().string(), Where::current()); }));
  said.push_back(fixtures::message_of(ErrorId::bad_file, [&] { nn::AtomicFile(path("none/file"), Where::current()); }));
  EXPECT_TRUE(fixtures::says("nn", said));
}

}  // namespace nn_atomic_file_test
