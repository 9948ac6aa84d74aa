#include "judge/answer_program.h"

#include "judge/wire.h"

namespace judge {

Candidate candidate_of(AnswerProgram& program) {
  const auto ask = [&program](const Request& request) { return read_watched(program.ask(to_bytes(request))); };
  return {[ask](const Setting& setting, RunOptions options) {
            return ask({false, setting, options}).record;
          },
          [ask](const Setting& setting) {
            return ask({true, setting, {}});
          },
          [&program] { program.begin_anew(); }};
}

std::string reply_to(std::string_view request, Run answer) {
  const Request read = read_request(request);
  return to_bytes(read.ops ? watch(answer, read.setting)
                           : Watched{observe(answer, read.setting, read.options).record, {}});
}

}  // namespace judge
