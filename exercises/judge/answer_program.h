// AnswerProgram: an answer in a program of its own. It is linked with the check, and with neither the solution nor
// anything that is expected; it runs the check and sends back what was observed. How the program is started, and how
// bytes get there and back, is the system's: a process (answer_process.h), or a page (webassembly/judge_main.cpp).
#pragma once

#include <string>
#include <string_view>

#include "judge/candidate.h"
#include "judge/endings.h"

namespace judge {

class AnswerProgram {
 public:
  virtual ~AnswerProgram() = default;
  // What it replies (wire.h). Throws AnswerEnded.
  virtual std::string ask(std::string_view request) = 0;
  // Forgets what it was asked before.
  virtual void begin_anew() = 0;
};

// Uses `program` as long as it is asked.
Candidate candidate_of(AnswerProgram& program);

// The other end: what an answer's program replies.
std::string reply_to(std::string_view request, Run answer);

}  // namespace judge
