#include "examples/translate/run_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "examples/translate/messages.h"
#include "examples/translate/refuse.h"

namespace translate {

namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace

bool RunFolder::has_checkpoint() const {
  return is_file(checkpoint());
}

bool RunFolder::has_best() const {
  return is_file(best());
}

std::string RunFolder::foreign_file() const {
  if (has_checkpoint() || has_best()) return "";
  for (const char* name : {"curve.csv", "curve.svg", "quality.svg"}) {
    if (is_file((path / name).string())) return (path / name).string();
  }
  return "";
}

std::string model_file_of(const std::filesystem::path& run) {
  std::error_code ignored;
  const RunFolder folder{run};
  const std::string name = run.string();
  if (folder.has_best()) return folder.best();
  if (!std::filesystem::exists(run, ignored)) {
    refuse_files(fmt::format("there is no folder {}", name),
                 "train a model first: translate train --out " + quoted(run));
  }
  if (!std::filesystem::is_directory(run, ignored)) {
    refuse_files(fmt::format("{} is not a folder", name), "give the --out of a training");
  }
  if (folder.has_checkpoint()) {
    refuse_files(fmt::format("there is no {}: the training has not come to its first validation, or the file was "
                             "removed",
                             folder.best()),
                 "go on with the training, which makes it: translate train --resume --out " + quoted(run));
  }
  refuse_files(fmt::format("{} holds no trained model: there is no {}", name, folder.best()),
               "give the --out of a training");
}

void make_output_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (std::filesystem::is_directory(folder)) return;
  const std::string reason = error ? error.message() : "it is not a folder";
  refuse_files(fmt::format("--out {}: {}", folder.string(), reason), "choose another folder");
}

// ---- the lock ------------------------------------------------------------------------------------------------

namespace {

// What AtomicFile had not renamed yet when the program was killed: NAME.PROCESS-NUMBER.tmp.
void remove_half_written(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name.starts_with("checkpoint.") || name.starts_with("best.") || name.starts_with("curve.") ||
                         name.starts_with("quality.");
    if (is_ours && name.ends_with(".tmp")) std::filesystem::remove(entry.path(), ignored);
  }
}

// This folder and those around it that are not there, the innermost first.
std::vector<std::filesystem::path> missing_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> missing;
  std::error_code ignored;
  std::filesystem::path next = std::filesystem::absolute(folder, ignored).lexically_normal();
  if (!next.has_filename()) next = next.parent_path();  // "run/"
  while (!next.empty() && !std::filesystem::exists(next, ignored)) {
    missing.push_back(next);
    next = next.parent_path();
  }
  return missing;
}

// Waits a little: a training that was killed a moment ago may still be on its way out.
bool lock_soon(int file) {
  for (int tries = 0; tries < 20; ++tries) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  errno = EWOULDBLOCK;
  return false;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder, std::string_view work)
    : folder_(folder), made_(missing_folders(folder)) {
  make_output_folder(folder);
  const std::string path = (folder / ".lock").string();
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    refuse_files(fmt::format("--out {}: no files can be written there: {}", folder.string(), std::strerror(errno)),
                 "choose another folder");
  }
  if (!lock_soon(file_)) {
    const int error = errno;
    close(file_);
    if (error == EWOULDBLOCK) {
      refuse_files(fmt::format("another {} is at work in {}", work, folder.string()),
                   "wait for it, or choose another folder");
    }
    refuse_files(fmt::format("--out {}: it cannot be locked: {}", folder.string(), std::strerror(error)),
                 "choose another folder");
  }
  remove_half_written(folder);
}

RunLock::~RunLock() {
  remove_if_unused();
  close(file_);
}

// After a start that failed.
void RunLock::remove_if_unused() const {
  if (made_.empty()) return;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    if (entry.path().filename() != ".lock") return;
  }
  std::filesystem::remove(folder_ / ".lock", ignored);
  for (const std::filesystem::path& folder : made_) std::filesystem::remove(folder, ignored);  // if it is empty
}

}  // namespace translate
