// Findings: what a compiler, a judge and an answer's program said, in a report. Where they ran makes no difference: in
// processes of this system, or in a page (webassembly/).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runner/check/builder.h"
#include "runner/explain/compiler_messages.h"
#include "runner/report/report.h"
#include "runner/system/process.h"

namespace learn {

class Findings {
 public:
  // Into `report`.
  Findings(const Exercise& exercise, std::string file, int seconds, Report& report)
      : exercise_(exercise), file_(std::move(file)), seconds_(seconds), report_(report) {}

  // Of an answer that could not be built.
  void read_messages(const Built& built);
  // Of one that was judged. `logs`: the sanitizers'.
  void read_result(const Finished& finished, const std::string& logs);
  std::vector<Problem> warnings_in(const std::string& messages) const;

 private:
  AnswerFile answer_file() const;
  void explain_end(const Finished& finished, const std::string& text);
  // The first line that begins so and has this in it.
  Place place_of_line(const std::string& begin, const std::string& part = "") const;
  Place place_of_main() const;

  const Exercise& exercise_;
  std::string file_;
  int seconds_;
  Report& report_;
};

}  // namespace learn
