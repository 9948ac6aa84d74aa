#include "examples/translate/training/run_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

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

std::string RunFolder::foreign_file() const {
  if (has_checkpoint() || has_best()) return "";
  for (const char* name : curve_files) {
    if (is_there(path / name)) return (path / name).string();
  }
  return "";
}

std::string model_file_of(const std::filesystem::path& run) {
  const RunFolder folder{run};
  const std::string name = run.string();
  if (folder.has_best()) return folder.best();
  if (!is_there(run)) {
    refuse_files("there is no folder " + name, "train a model first: translate train --out " + quoted(run));
  }
  if (folder.has_checkpoint()) {
    refuse_files(fmt::format("there is no {}: the training has not come to its first validation, or the file was "
                             "removed",
                             folder.best()),
                 "go on with the training, which makes it: translate train --resume --out " + quoted(run));
  }
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(run, ignored);
  refuse_files(is_folder ? fmt::format("{} holds no trained model: there is no {}", name, folder.best())
                         : name + " is not a folder",
               "give the --out of a training");
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

// Returns this folder and those around it that do not exist, the innermost first.
std::vector<std::filesystem::path> missing_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> missing;
  std::error_code ignored;
  std::filesystem::path next = std::filesystem::absolute(folder, ignored).lexically_normal();
  if (!next.has_filename()) next = next.parent_path();  // "run/"
  while (!next.empty() && !is_there(next)) {
    missing.push_back(next);
    next = next.parent_path();
  }
  return missing;
}

// Waits a little, because a training that was killed a moment ago may not have ended yet. Returns 0 or the system's
// error.
int lock_soon(int file) {
  for (int tries = 0; tries < 20; ++tries) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK) return errno;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return EWOULDBLOCK;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder, std::string_view work)
    : folder_(folder), made_(missing_folders(folder)) {
  make_output_folder(folder);
  const std::string path = (folder / ".lock").string();
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    refuse_output_folder(folder, fmt::format("no files can be written there: {}", std::strerror(errno)));
  }
  const int error = lock_soon(file_);
  if (error != 0) close(file_);
  if (error == EWOULDBLOCK) {
    refuse_files(fmt::format("another {} is at work in {}", work, folder.string()),
                 "wait for it, or choose another folder");
  }
  if (error != 0) refuse_output_folder(folder, fmt::format("it cannot be locked: {}", std::strerror(error)));
  remove_half_written(folder);
}

// After a start that failed, removes the folders that it made.
RunLock::~RunLock() {
  std::error_code ignored;
  const bool is_unused = std::distance(std::filesystem::directory_iterator(folder_, ignored), {}) == 1;  // the lock
  if (is_unused && !made_.empty()) {
    std::filesystem::remove(folder_ / ".lock", ignored);
    for (const std::filesystem::path& folder : made_) std::filesystem::remove(folder, ignored);  // if it is empty
  }
  close(file_);
}

}  // namespace translate
