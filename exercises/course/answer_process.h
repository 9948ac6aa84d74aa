// AnswerProcess: an answer in a process of its own. It is linked with the check, and with neither the solution nor
// anything that is expected; it runs the check and sends back what was observed.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "course/candidate.h"
#include "course/wire.h"

namespace course {

// Thrown where the answer's process ended instead of sending what it was asked for.
struct AnswerEnded {
  int exit_code = 0;  // 128 + n when signal n ended it
};

class AnswerProcess {
 public:
  // The command ends with the answer's program and its arguments; a sandbox may stand in front.
  explicit AnswerProcess(std::vector<std::string> command);
  ~AnswerProcess() { end(); }
  AnswerProcess(const AnswerProcess&) = delete;
  AnswerProcess& operator=(const AnswerProcess&) = delete;

  Candidate candidate();
  // Nothing more is asked; waits until it has ended. Leaks are found then.
  void end();

 private:
  void start();
  Watched ask(const Request& request);
  bool has_ended();
  void wait(int how);

  std::vector<std::string> command_;
  pid_t pid_ = 0;
  int socket_ = -1;
  int status_ = 0;
};

// The other end: answers what it is asked for on this descriptor, until nobody asks any more.
inline constexpr int question_channel = 3;
void answer_questions(Run answer);

}  // namespace course
