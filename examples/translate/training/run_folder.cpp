#include "examples/translate/training/run_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "examples/translate/messages.h"

namespace translate {
namespace {

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

[[noreturn]] void refuse_output_folder(const std::filesystem::path& folder, const std::string& why) {
  refuse_files(fmt::format("--out {}: {}", folder.string(), why), "choose another folder");
}

}  // namespace

bool RunFolder::has_checkpoint() const {
  return is_there(checkpoint());
}

bool RunFolder::has_best() const {
  return is_there(best());
}

std::string model_file_of(const std::filesystem::path& run) {
  const RunFolder folder{run};
  if (folder.has_best()) return folder.best();
  if (folder.has_checkpoint()) {
    refuse_files(fmt::format("there is no {}: the training has not come to its first validation", folder.best()),
                 "go on with the training, which makes it: translate train --resume --out " + run.string());
  }
  refuse_files(is_there(run) ? fmt::format("{} holds no trained model: there is no {}", run.string(), folder.best())
                             : "there is no folder " + run.string(),
               "give the --out of a training, or train first: translate train --out " + run.string());
}

void make_output_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    refuse_output_folder(folder, error ? error.message() : "it is not a folder");
}

// ---- the lock ------------------------------------------------------------------------------------------------

namespace {

// Removes temporary files that AtomicFile had not renamed when the program was killed: NAME.PROCESS-NUMBER.tmp.
void remove_half_written(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    for (const char* ours : {"checkpoint.", "best.", "curve.", "quality."}) {
      if (name.starts_with(ours) && name.ends_with(".tmp")) std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder, std::string_view work) {
  make_output_folder(folder);
  file_ = open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    refuse_output_folder(folder, fmt::format("no files can be written there: {}", std::strerror(errno)));
  }
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    close(file_);
    if (error != EWOULDBLOCK)
      refuse_output_folder(folder, fmt::format("it cannot be locked: {}", std::strerror(error)));
    refuse_files(fmt::format("another {} is at work in {}", work, folder.string()),
                 "wait for it, or choose another folder");
  }
  remove_half_written(folder);
}

RunLock::~RunLock() {
  close(file_);
}

}  // namespace translate
