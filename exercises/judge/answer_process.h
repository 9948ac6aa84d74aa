// AnswerProcess: an answer's program as a process of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "judge/answer_program.h"

namespace judge {

class AnswerProcess final : public AnswerProgram {
 public:
  // The command ends with the answer's program and its arguments; a sandbox may stand in front.
  explicit AnswerProcess(std::vector<std::string> command);
  // Whatever it is doing.
  ~AnswerProcess() override;
  AnswerProcess(const AnswerProcess&) = delete;
  AnswerProcess& operator=(const AnswerProcess&) = delete;

  std::string ask(std::string_view request) override;
  void begin_anew() override;
  // Nothing more is asked; waits until it has ended. Leaks are found then.
  void end();

 private:
  void start();
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

}  // namespace judge
