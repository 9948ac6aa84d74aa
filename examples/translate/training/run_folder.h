// The folder of one training:
//
//   checkpoint.safetensors    all that it takes to go on (training_run.h)
//   best.safetensors          the model with the lowest perplexity on the validation text so far (trained_model.h)
//   curve.csv, curve.svg, quality.svg    (curve.h)
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace translate {

struct RunFolder {
  std::filesystem::path path;

  std::string checkpoint() const { return (path / "checkpoint.safetensors").string(); }
  std::string best() const { return (path / "best.safetensors").string(); }
  bool has_checkpoint() const;
  bool has_best() const;
  // A curve that is there without a training of ours; "" if there is none.
  std::string foreign_file() const;
};

// The model to be used of a run: the best one. Throws bad-file, which says what is there instead, if there is none.
std::string model_file_of(const std::filesystem::path& run);

// Makes the folder of an --out if it is not there. Throws bad-file.
void make_output_folder(const std::filesystem::path& folder);

// Makes the folder if it is not there (and removes it again if nothing gets into it), and keeps other trainings out of
// it as long as this one lives; the system lets go of it when the program ends in any way. What a killed training left
// half-written is removed. Throws bad-file if the folder cannot be made or written to, or another training (or what
// `work` says) is at work in it.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& folder, std::string_view work = "training");
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // folders that were not there, the innermost first
  int file_ = -1;
};

}  // namespace translate
