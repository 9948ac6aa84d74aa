#include <nn/atomic_file.h>
#include <nn/safetensors.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/nn_fixtures.h"

using autograd::ErrorId;
using autograd::Where;

namespace {

class NnAtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "backstep-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(path()) << "old";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& file = "file") const { return (folder_ / file).string(); }
  std::string read(const std::string& file = "file") const {
    std::ifstream stream(path(file));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

// Files cannot grow beyond so many bytes while it lives: what a full disk does, without one.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    signal_before_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_before_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*signal_before_)(int) = nullptr;
};

}  // namespace

TEST_F(NnAtomicFile, TheNameChangesHandsAtCommit) {
  nn::AtomicFile file(path(), Where::current());
  file.write("new", 3);
  EXPECT_EQ(read(), "old");
  file.commit();
  EXPECT_EQ(read(), "new");
  EXPECT_EQ(files(), 1u);
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
    const FileSizeLimit limit(50'000);
    message = fixtures::message_of(ErrorId::bad_file, [&] { nn::save_safetensors(path(), large); });
  }
  EXPECT_TRUE(fixtures::mentions(message, {path(), "after 50000 bytes", "File too large", "unchanged"}));
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

TEST_F(NnAtomicFile, RefusesWhatIsNoFile) {
  EXPECT_TRUE(fixtures::mentions(
      fixtures::message_of(ErrorId::bad_file, [&] { nn::AtomicFile(folder_.string(), Where::current()); }),
      {"not a regular file"}));
  EXPECT_TRUE(fixtures::mentions(
      fixtures::message_of(ErrorId::bad_file, [&] { nn::AtomicFile(path("none/file"), Where::current()); }),
      {"No such file"}));
}
