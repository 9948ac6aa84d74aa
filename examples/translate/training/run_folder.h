// RunFolder and RunLock: the folder of one training, and the right to work in it:
//
//   checkpoint.safetensors    all that is needed to go on (training_run.h)
//   best.safetensors          the model with the lowest perplexity on the validation text so far (trained_model.h)
//   curve.csv, curve.svg, quality.svg    (curve.h)
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace translate {

inline constexpr const char* curve_files[] = {"curve.csv", "curve.svg", "quality.svg"};

struct RunFolder {
  std::filesystem::path path;

  std::string checkpoint() const { return (path / "checkpoint.safetensors").string(); }
  std::string best() const { return (path / "best.safetensors").string(); }
  bool has_checkpoint() const;
  bool has_best() const;
};

// Returns the file of a run's best model, which is the one to use. Throws bad-file, which says what is there instead,
// if there is none.
std::string model_file_of(const std::filesystem::path& run);

// Makes the folder for --out if it is not there. Throws bad-file.
void make_output_folder(const std::filesystem::path& folder);

// Makes the folder if it is not there, and keeps other trainings out of it as long as this object lives; the system
// releases the lock however the program ends. Removes what a killed training left half-written. Throws bad-file if the
// folder cannot be made or written to, or if another training (or what `work` says) is at work in it.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& folder, std::string_view work = "training");
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace translate
