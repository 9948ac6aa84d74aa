#include "runner/check/run_judge.h"

#include <vector>

#include "runner/check/answer_sandbox.h"
#include "runner/check/sanitizers.h"

namespace learn {

std::string report_log(const std::string& folder) {
  return folder + "/report";
}

Finished run_judge(const Built& built, const JudgeOptions& options) {
  const std::vector<std::string> environment = sanitizer_environment(report_log(options.folder));
  const std::vector<std::string> answer =
      contained(answer_sandbox(built.program, options.folder, options.seconds, environment, options.untrusted),
                {built.program, "--seconds", std::to_string(options.seconds)});
  std::vector<std::string> arguments;
  if (options.steps) arguments.push_back("--steps");
  if (options.seed != 0) arguments.insert(arguments.end(), {"--seed", std::to_string(options.seed)});
  return run_process(judge_command(built, arguments, answer), {.seconds = patience_for(options.seconds),
                                                               .environment = environment,
                                                               .most_output = 200000,
                                                               .line_by_line = true,
                                                               .small_folder = options.folder,
                                                               .with_result = true});
}

}  // namespace learn
